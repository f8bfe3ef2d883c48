// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Damage that makes an event list look as if it ended, began or belonged to something else: all events are
// found all the same, whichever key they begin with, and by a load as by the doctor.

#include "model/readers/run/examine.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/texts/json_text.h"
#include "tests/support/workloads/run_writer.h"

#include <QTemporaryDir>

#include <algorithm>
#include <ctime>
#include <limits>
#include <set>

namespace collscope {

namespace {

constexpr int eventCount = 40;

/// Event i, with "ph" first as Kineto writes it, or with other keys first as most others do.
std::string kernelEvent(int i, bool phaseFirst, const std::string& args = "{'bytes':[1,2],'n':{'id':7}}")
{
    const std::string name = "'name':'k" + std::to_string(i) + "'";
    const std::string rest
        = ",'cat':'kernel','pid':0,'tid':7,'ts':" + std::to_string(10 * i) + ",'dur':5,'args':" + args + "}";
    return json(phaseFirst ? "{'ph':'X'," + name + rest : "{" + name + ",'ph':'X'" + rest);
}

/// A list with something before event 10.
std::string listWith(const std::string& damage, bool phaseFirst)
{
    std::string text;
    for (int i = 0; i < eventCount; ++i)
        text += (i == 10 ? damage : std::string()) + kernelEvent(i, phaseFirst)
            + (i + 1 < eventCount ? ",\n" : "\n");
    return text;
}

std::string documentOf(const std::string& list)
{
    return json("{'schemaVersion':1,'deviceProperties':[{'id':0,'name':'A100'},{'id':1,'name':'A100'}],"
                "'distributedInfo':{'rank':3,'world_size':8},'traceEvents':[")
        + list + json("],'traceName':'t.json','displayTimeUnit':'ms'}");
}

std::set<std::string> namesOf(const TraceFragment& fragment)
{
    std::set<std::string> found;
    for (const Track& track : fragment.tracks) {
        for (std::size_t i = 0; i < track.slices.size(); ++i)
            found.emplace(fragment.strings.view(track.slices.name[i]));
    }
    return found;
}

std::string codesOf(const Diagnostics& problems)
{
    std::string codes;
    for (const Diagnostic& finding : problems.entries())
        codes += (codes.empty() ? "" : ",") + finding.code;
    return codes;
}

Result<TraceFragment> examined(const std::string& text)
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("t.json")).toStdString();
    writeFile(path, text);
    ReadContext context;
    context.isThorough = true;
    return readerOf(SourceKind::Kineto).read({path, text.size(), -1, std::nullopt}, context);
}

/// Texts of two writers that took turns, line by line.
std::string interleaved(const std::string& a, const std::string& b)
{
    std::string mixed;
    std::size_t atA = 0;
    std::size_t atB = 0;
    const auto takeLine = [&mixed](const std::string& text, std::size_t& at) {
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
        mixed += text.substr(at, end - at);
        at = end;
    };
    while (atA < a.size() || atB < b.size()) {
        if (atA < a.size())
            takeLine(a, atA);
        if (atB < b.size())
            takeLine(b, atB);
    }
    return mixed;
}

} // namespace

class TestDamagedLists : public QObject
{
    Q_OBJECT

private slots:
    void nothingIsLost_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("shown");
        QTest::addColumn<int>("excluded");
        QTest::addColumn<QByteArray>("codes");
        for (const bool phaseFirst : {true, false}) {
            const auto row
                = [&](const char* what, const std::string& text, int shown, int excluded, const char* codes) {
                      QTest::addRow("%s, %s first", what, phaseFirst ? "ph" : "name")
                          << QByteArray::fromStdString(text) << shown << excluded << QByteArray(codes);
                  };
            const auto damaged
                = [&](const std::string& damage) { return documentOf(listWith(damage, phaseFirst)); };
            row("sound", damaged(""), eventCount, 0, "");
            row("a bracket before an event", damaged("["), eventCount, 0, "text_between_events");
            row("two of them", damaged("[["), eventCount, 0, "text_between_events");
            row("a closing bracket", damaged("],"), eventCount, 0, "text_between_events");
            row("the end of a document", damaged("]},"), eventCount, 0, "early_end");
            row("a log line like a list's end", damaged("[2024-01-01 12:00:00] INFO {\"x\": [1]}\n"),
                eventCount, 0, "text_between_events");
            row("half a log line", damaged("step [1, 2]}\n"), eventCount, 0, "text_between_events");
            row("brackets that do not match", damaged(kernelEvent(99, phaseFirst, "{'x':{'y':[1}]}") + ",\n"),
                eventCount + 1, 0, "");
            row("lists of objects in a broken event",
                damaged(kernelEvent(
                            99, phaseFirst,
                            "{'a':[{'x':1}],'b':[{'x':1}],'c':[{'x':1}],'d':[{'x':1}],'e':[{'x':1}],'f' 1}")
                        + ",\n"),
                eventCount, 1, "malformed_event");
            row("two lists",
                documentOf(listWith("", phaseFirst) + json("],'traceEvents':[")
                           + kernelEvent(50, phaseFirst)),
                eventCount + 1, 0, "several_lists");
            row("log lines behind the end", damaged("") + "\n[rank0]: Exception: \"x\" in {y}\nbye]}\n",
                eventCount, 0, "text_after_end");
            const std::string whole
                = documentOf(kernelEvent(50, phaseFirst) + ",\n" + kernelEvent(51, phaseFirst) + "\n");
            row("a document behind another", damaged("") + "\n" + whole, eventCount + 2, 0,
                "several_documents");
            const std::string first = damaged("");
            row("a document behind one that is cut off",
                first.substr(0, first.find("'k39'") == std::string::npos ? first.find("k39") : 0) + whole,
                eventCount - 1 + 2, 1, "malformed_event,interleaved");
            std::string others;
            for (int i = 100; i < 100 + eventCount; ++i)
                others += kernelEvent(i, phaseFirst) + (i + 1 < 100 + eventCount ? ",\n" : "\n");
            row("two writers", interleaved(damaged(""), documentOf(others)), 2 * eventCount, 0,
                "interleaved");
        }
    }
    void nothingIsLost()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const int, shown);
        QFETCH(const int, excluded);
        QFETCH(const QByteArray, codes);
        const auto loaded = readKineto(text.toStdString(), "t.json");
        const auto checked = examined(text.toStdString());
        for (const auto& fragment : {&loaded, &checked}) {
            QVERIFY(static_cast<bool>(*fragment));
            const SourceInfo& source = (*fragment)->source;
            QVERIFY2(source.shown == static_cast<std::uint64_t>(shown),
                     (std::to_string(source.shown) + " shown: " + codesOf((*fragment)->problems)).c_str());
            QCOMPARE(source.excluded, static_cast<std::uint64_t>(excluded));
            QCOMPARE(source.eventsInFile, source.shown + source.excluded);
            QCOMPARE(namesOf(**fragment).size(), static_cast<std::size_t>(shown));
        }
        for (const char* code :
             {"early_end", "interleaved", "several_documents", "text_after_end", "truncated"}) {
            const std::string found = codesOf(loaded->problems);
            QVERIFY2((found.find(code) != std::string::npos) == codes.contains(code), found.c_str());
        }
        if (!codes.isEmpty())
            QVERIFY2(codesOf(loaded->problems).find(codes.split(',').front()) != std::string::npos,
                     codesOf(loaded->problems).c_str());
        else // the doctor looks into args that a load passes over
            QCOMPARE(QByteArray::fromStdString(codesOf(loaded->problems)), QByteArray());
    }

    void hostileTextsTakeNoTimeToSpeakOf_data()
    {
        QTest::addColumn<QByteArray>("piece");
        QTest::newRow("events in events") << QByteArray("{\"ph\":[");
        QTest::newRow("heads without lists") << QByteArray("{\"traceName\":1},\n");
        QTest::newRow("open heads") << QByteArray("{\"traceName\":1,");
        QTest::newRow("broken events") << QByteArray("{\"ph\":1 x\n");
        QTest::newRow("broken events, named") << QByteArray("{\"name\":1 x},\n");
        QTest::newRow("lists in lists") << QByteArray("[");
        QTest::newRow("names in names") << QByteArray("{\"name\":{");
        QTest::newRow("ends") << QByteArray("]},{\"id\":{");
        QTest::newRow("quotes") << QByteArray("\"");
        QTest::newRow("documents in documents") << QByteArray("{\"traceEvents\":[");
        QTest::newRow("heads in heads") << QByteArray("{\"schemaVersion\":1,\"x\":[");
        QTest::newRow("lists of objects in lists") << QByteArray("{\"a\":[{\"name\":1},");
        QTest::newRow("events in lists of objects") << QByteArray("{\"a\":[{\"ph\":\"X\"},");
        QTest::newRow("quotes in names") << QByteArray("{\"name\":\"a\"b\",\"ph\":1},");
        QTest::newRow("events in strings") << QByteArray("{\"a\":\"}\",\"x\":\"{\"a\":\"}\",");
        QTest::newRow("lists before events") << QByteArray("[{\"a\":1},{\"ph\":1},");
    }
    /// Each of them once took a time that grows with the square of the text: hours for a file of some MB.
    /// Four times the text takes about four times as long, where the square of it would take sixteen. Texts
    /// shorter than a block of 1 MB, as in sanitized builds, come closer to sixteen on a busy machine: a
    /// block may be looked at again for each of its events.
    void hostileTextsTakeNoTimeToSpeakOf()
    {
        QFETCH(const QByteArray, piece);
        const auto textOf = [&](std::size_t bytes) {
            std::string text = "{\"traceEvents\":[";
            while (text.size() < bytes)
                text += piece.toStdString();
            return text;
        };
        const auto ticksOf = [](const std::string& text) {
            std::clock_t least = std::numeric_limits<std::clock_t>::max();
            for (int i = 0; i < 3; ++i) {
                const std::clock_t begin = std::clock(); // of this process, whatever else the machine does
                const auto fragment = readKineto(text, "t.json");
                least = std::min(least, std::clock() - begin);
                if (fragment
                    && fragment->source.eventsInFile != fragment->source.shown + fragment->source.excluded)
                    return std::clock_t{-1};
            }
            return least;
        };
        const std::size_t bytes = isSanitized ? std::size_t{1} << 19 : std::size_t{1} << 21;
        const std::clock_t whole = ticksOf(textOf(bytes));
        const std::clock_t quarter = ticksOf(textOf(bytes / 4));
        QVERIFY(whole >= 0 && quarter >= 0); // the ledger adds up
        constexpr std::clock_t unmeasurable = CLOCKS_PER_SEC / 100;
        QVERIFY2(whole < (isSanitized ? 14 : 10) * std::max(quarter, unmeasurable),
                 (std::to_string(whole) + " ticks, " + std::to_string(quarter) + " for a quarter").c_str());
    }
    /// However damaged, a text is not read on for long without asking whether it is still wanted.
    void readingDamagedTextCanBeCancelled()
    {
        std::string text = "{\"traceEvents\":[";
        while (text.size() < std::size_t{6} << 20)
            text += "{\"name\":{"; // one element that never ends: looked at as a whole
        text += "}";
        for (int i = 0; i < 100'000; ++i)
            text += ",{\"ph\":1 x\n";
        const QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("t.json")).toStdString();
        writeFile(path, text);
        int polls = 0;
        int mostPolls = std::numeric_limits<int>::max();
        std::stop_source user;
        ReadContext context;
        context.isExhausted = [&] {
            if (++polls > mostPolls)
                user.request_stop();
            return false;
        };
        const auto read = [&] {
            return readerOf(SourceKind::Kineto).read({path, text.size(), -1, {}}, context);
        };
        QVERIFY(read());
        QVERIFY(polls > static_cast<int>(text.size() >> 20));
        for (const int most : {0, 5, polls - 5}) {
            polls = 0;
            mostPolls = most;
            user = std::stop_source();
            context.stop = user.get_token();
            const auto cancelled = read();
            QVERIFY(!cancelled);
            QVERIFY(cancelled.error().kind == Error::Kind::Cancelled);
            QVERIFY(polls <= most + 3);
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestDamagedLists)
#include "tst_damaged_lists.moc"
