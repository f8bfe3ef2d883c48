// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Small texts that people read: names in sentences, ticks of an axis, words of a shell, labels of folded
// rows.

#include "metrics/core/duration_text.h"
#include "metrics/export/page/svg_shapes.h"
#include "metrics/looks/time_ticks.h"
#include "model/text/shell_word.h"
#include "tests/support/suite/suite.h"

#include <QTest>

#include <array>
#include <set>

namespace collscope {

class TestShownText : public QObject
{
    Q_OBJECT

private slots:
    /// Whatever the name, a sentence gives it back, and keeps what is around it.
    void namesInSentences()
    {
        for (const std::string name :
             {"gemm", "a`b", "`a`", "``", "`", "a``b`c", " `x", "x` ", "two words", "end`"}) {
            const std::string sentence = "It was " + quotedName(name) + ", mostly.";
            const std::vector<SentencePiece> pieces = sentencePieces(sentence);
            QVERIFY2(pieces.size() == 3, sentence.c_str());
            QCOMPARE(std::string(pieces[0].text), std::string("It was "));
            QVERIFY(!pieces[0].isName && pieces[1].isName && !pieces[2].isName);
            QCOMPARE(std::string(pieces[1].text), name);
            QCOMPARE(std::string(pieces[2].text), std::string(", mostly."));
        }
        QCOMPARE(quotedName("gemm"), std::string("`gemm`"));
    }
    void backTicksWithoutAPartner()
    {
        for (const std::string text : {"a ` b", "`", "``", "a `` b ` c", ""}) {
            std::string whole;
            for (const SentencePiece& piece : sentencePieces(text)) {
                QVERIFY2(!piece.isName, text.c_str());
                whole += piece.text;
            }
            QCOMPARE(whole, text);
        }
    }
    /// Neighbouring ticks never have the same label, wherever the axis is.
    void ticks()
    {
        for (const std::int64_t from : {0L, 999'999'000L, 1'234'567'890'123L, -2'000'000L}) {
            for (double length = 7; length < 1e11; length *= 3.7) {
                const std::int64_t step = niceTickNs(length / 6);
                QVERIFY(static_cast<double>(step) >= length / 6);
                std::set<std::string> labels;
                for (int tick = 0; tick < 6; ++tick)
                    labels.insert(tickText(from / step * step + tick * step, step));
                QCOMPARE(labels.size(), std::size_t{6});
            }
        }
        QCOMPARE(niceTickNs(0.1), 1);
        QCOMPARE(niceTickNs(2.1), 5);
        QCOMPARE(niceTickNs(51), 100);
        QCOMPARE(tickText(1'002'000, 2000), std::string("1.002 ms"));
        QCOMPARE(tickText(-1'500'000'000, 100'000'000), std::string("-1.5 s"));
        QCOMPARE(tickText(20, 10), std::string("20 ns"));
        QCOMPARE(tickText(0, 10), std::string("0"));
    }
    void shellWords()
    {
        QCOMPARE(shellWord("/data/run-1_a.json"), std::string("/data/run-1_a.json"));
        QCOMPARE(shellWord(""), std::string("''"));
        QCOMPARE(shellWord("it's"), std::string("'it'\\''s'"));
        QCOMPARE(shellWord("a b"), std::string("'a b'"));
        QCOMPARE(shellWord("$(x)"), std::string("'$(x)'"));
        QCOMPARE(shellWord("=ls"), std::string("'=ls'"));
    }
    /// A row that stands for several ranks names them.
    void foldedRows()
    {
        const std::vector<std::int32_t> ranks{0, 1, 2, 3, 8, 16, 24, 32, 40, 41};
        const Folding folding(ranks.size(), 3);
        QCOMPARE(folding.size, std::size_t{4});
        QCOMPARE(folding.rows, std::size_t{3});
        QCOMPARE(folding.labelOf(0, "rank", ranks), std::string("ranks 0\u20133"));
        QCOMPARE(folding.labelOf(1, "rank", ranks), std::string("4 ranks, 8 \u2026 32"));
        QCOMPARE(folding.labelOf(2, "rank", ranks), std::string("ranks 40\u201341"));
        QCOMPARE(folding.sentence("row", "rank"),
                 std::string(" A row stands for 4 ranks, the last one for fewer."));
        const Folding all(ranks.size(), 10);
        QCOMPARE(all.labelOf(4, "rank", ranks), std::string("rank 8"));
        QVERIFY(all.sentence("row", "rank").empty());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestShownText)
#include "tst_shown_text.moc"
