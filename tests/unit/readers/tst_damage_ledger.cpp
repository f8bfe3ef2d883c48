// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// One small file per kind of damage, with all that is found in it: what is shown, what is left out, and each
// finding with its place and number.

#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/texts/json_text.h"
#include "tests/support/workloads/run_writer.h"

namespace collscope {

namespace {

std::string kernel(const std::string& name, int begin)
{
    return json("{'ph':'X','cat':'kernel','name':'" + name + "','pid':0,'tid':7,'ts':" + std::to_string(begin)
                + ",'dur':5}");
}

std::string list(const std::string& events)
{
    return json("{'traceEvents':[") + events + json("],'distributedInfo':{'rank':3,'world_size':8}}");
}

/// "code@offset x count (excluded)", in the order they were found.
std::string ledger(const Diagnostics& problems)
{
    std::string text;
    for (const Diagnostic& finding : problems.entries()) {
        text += (text.empty() ? "" : ", ") + finding.code + "@" + std::to_string(finding.firstOffset) + " x"
            + std::to_string(finding.count);
        if (finding.excludedEvents > 0)
            text += " (" + std::to_string(finding.excludedEvents) + ")";
    }
    return text;
}

std::vector<std::string> names(const TraceFragment& fragment)
{
    std::vector<std::string> found;
    for (const Track& track : fragment.tracks) {
        for (std::size_t i = 0; i < track.slices.size(); ++i)
            found.emplace_back(fragment.strings.view(track.slices.name[i]));
    }
    return found;
}

std::string joined(const std::vector<std::string>& parts)
{
    std::string text;
    for (const std::string& part : parts)
        text += (text.empty() ? "" : "|") + part;
    return text;
}

} // namespace

class TestDamageLedger : public QObject
{
    Q_OBJECT

private slots:
    void damage_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("shown");
        QTest::addColumn<int>("excluded");
        QTest::addColumn<QByteArray>("findings");
        QTest::addColumn<QByteArray>("slices"); // their names
        const auto row = [](const char* what, const std::string& text, int shown, int excluded,
                            const std::string& findings, const std::string& slices) {
            const auto bytes
                = [](const std::string& s) { return QByteArray(s.data(), static_cast<qsizetype>(s.size())); };
            QTest::newRow(what) << bytes(text) << shown << excluded << bytes(findings) << bytes(slices);
        };
        const std::string a = kernel("a", 10);
        const std::string b = kernel("b", 20);
        const std::string second = std::to_string(json("{'traceEvents':[").size() + a.size() + 1);
        const auto between = [&](const std::string& damaged) { return list(a + "," + damaged + "," + b); };
        const std::string at = "@" + second + " x1";

        row("sound", between(kernel("m", 15)), 3, 0, "", "a|m|b");
        row("quotes in a name", between(kernel("say \"hi\" twice", 15)), 3, 0, "unescaped_quote" + at,
            "a|say \"hi\" twice|b");
        row("one quote in a name", between(kernel("6\" wafer", 15)), 3, 0, "unescaped_quote" + at,
            "a|6\" wafer|b");
        row("quotes and commas in a name", between(kernel("f(\"x\", \"y\")", 15)), 3, 0,
            "unescaped_quote" + at, "a|f(\"x\", \"y\")|b");
        row("quotes and braces in a name", between(kernel("{\"a\": {\"b\": 1}}", 15)), 3, 0,
            "unescaped_quote" + at, "a|{\"a\": {\"b\": 1}}|b");
        row("backslashes in a name", between(kernel("C:\\dir\\x", 15)), 3, 0, "bad_escape" + at,
            "a|C:\\dir\\x|b");
        row("a backslash before the closing quote", between(kernel("C:\\dir\\", 15)), 3, 0, "bad_escape" + at,
            "a|C:\\dir\\|b");
        row("a broken \\u", between(kernel("\\u12g4", 15)), 3, 0, "bad_escape" + at, "a|\\u12g4|b");
        row("control characters", between(kernel("x\x01\ny", 15)), 3, 0, "control_character" + at,
            "a|x\x01\ny|b");
        row("invalid UTF-8", between(kernel("x\xff", 15)), 3, 0, "invalid_utf8" + at, "a|x\xEF\xBF\xBD|b");
        row("NaN and Infinity in args",
            between(
                json("{'ph':'X','name':'m','pid':0,'tid':7,'ts':15,'dur':1,'args':{'f':NaN,'g':-Infinity}}")),
            3, 0, "", "a|b|m"); // a load skips such args; the doctor does not
        row("trailing commas",
            between(json("{'ph':'X','name':'m','pid':0,'tid':7,'ts':15,'dur':1,'args':{'f':1,},}")), 3, 0,
            "trailing_comma" + at, "a|b|m");
        row("a log line between events", between("WARNING: lost {3} \"ranks\" ]\n" + kernel("m", 15)), 3, 0,
            "text_between_events" + at, "a|m|b");
        row("a log line that begins like a list", between("[rank1]: it's late\n" + kernel("m", 15)), 3, 0,
            "text_between_events" + at, "a|m|b");
        row("a log line amid an event",
            between("{\"ph\":\"X\",\"name\":\"m\",\n[rank0] W1114 NCCL \"timeout\"\n\"pid\":0,\"ts\":15}"), 2,
            1, "malformed_event" + at + " (1)", "a|b");
        row("a comma is missing", list(a + b), 2, 0, "missing_comma@84 x1", "a|b");
        row("two commas", list(a + ",," + b), 2, 0, "extra_comma@86 x1", "a|b");
        row("a comma behind the last event", list(a + ","), 1, 0, "extra_comma@85 x1", "a");
        row("a bracket is missing",
            between(json("{'ph':'X','name':'m','pid':0,'tid':7,'ts':15,'args':{'x':1}")), 2, 1,
            "malformed_event" + at + " (1)", "a|b");
        row("a string never ends", between(json("{'ph':'X','name':'m,'pid':0,'tid':7,'ts':15}")), 2, 1,
            "malformed_event" + at + " (1)", "a|b");
        row("the same key twice",
            between(json("{'ph':'X','cat':'kernel','name':'m','pid':0,'tid':7,'ts':15,'ts':16,'dur':1}")), 3,
            0, "duplicate_key" + at, "a|m|b");
        row("numbers as strings",
            between(json("{'ph':'X','cat':'kernel','name':'m','pid':'0','tid':'7','ts':'15.5','dur':'1'}")),
            3, 0, "", "a|m|b");
        row("no dur", between(json("{'ph':'X','cat':'kernel','name':'m','pid':0,'tid':7,'ts':15}")), 3, 0,
            "missing_dur" + at, "a|m|b");
        row("an end without a begin", between(json("{'ph':'E','pid':0,'tid':7,'ts':15}")), 2, 1,
            "unbalanced_end" + at + " (1)", "a|b");
        row("a begin without an end", between(json("{'ph':'B','name':'m','pid':0,'tid':7,'ts':15}")), 2, 1,
            "unbalanced_begin" + at + " (1)", "a|b");
        row("a negative length", between(json("{'ph':'X','name':'m','pid':0,'tid':7,'ts':15,'dur':-1}")), 2,
            1, "negative_duration" + at + " (1)", "a|b");
        row("an absurd time", between(json("{'ph':'X','name':'m','pid':0,'tid':7,'ts':9e15,'dur':1}")), 2, 1,
            "absurd_time" + at + " (1)", "a|b");
        const auto timed = [&](const std::string& ts, const std::string& dur) {
            return between(json("{'ph':'X','cat':'kernel','name':'m','pid':0,'tid':7,'ts':") + ts
                           + json(",'dur':") + dur + "}");
        };
        for (const char* ts : {"1e20", "99999999999999999999", "1712345678901234567", "-1e300", "\"1e20\""})
            row(("a time that no number holds: " + std::string(ts)).c_str(), timed(ts, "1"), 2, 1,
                "absurd_time" + at + " (1)", "a|b");
        for (const char* dur : {"1e20", "99999999999999999999", "5e15"})
            row(("a length that no number holds: " + std::string(dur)).c_str(), timed("15", dur), 2, 1,
                "absurd_time" + at + " (1)", "a|b");
        row("a length in words", timed("15", "\"abc\""), 3, 0, "bad_dur" + at, "a|m|b");
        row("no length said", timed("15", "null"), 3, 0, "missing_dur" + at, "a|m|b");
        row("a counter whose numbers are strings",
            between(json("{'ph':'C','name':'m','pid':0,'ts':15,'args':{'a':'12','b':'high'}}")), 3, 0, "",
            "a|b");
        row("a counter of words", between(json("{'ph':'C','name':'m','pid':0,'ts':15,'args':{'b':'high'}}")),
            2, 1, "empty_counter" + at + " (1)", "a|b");
        row("a byte order mark", "\xEF\xBB\xBF" + between(kernel("m", 15)), 3, 0, "byte_order_mark@0 x1",
            "a|m|b");
        row("a bare list", "[" + a + "," + b + "]", 2, 0, "", "a|b");
        row("an empty list", list(""), 0, 0, "", "");
        row("an empty bare list", "[]", 0, 0, "", "");
        const std::string cut = json("{'traceEvents':[") + a + ",";
        row("the tail is missing", cut + b.substr(0, 20), 1, 1,
            "truncated@" + std::to_string(cut.size() + 20) + " x1 (1)", "a");
        const std::string trailer
            = json("{'schemaVersion':1,'distributedInfo':{'rank':3},'traceEvents':[") + a;
        for (const char* tail : {"]", "],\"traceName\"", "],\"traceName\":\"t.js",
                                 "],\"traceName\":\"t.json\"", "],\"x\":{\"y\":12"})
            row(("the tail behind the list is missing: " + std::string(tail)).c_str(), trailer + tail, 1, 0,
                "truncated@" + std::to_string(trailer.size() + std::string(tail).size()) + " x1", "a");
        row("a quote is lost before the list",
            json("{'a':'b, 'distributedInfo':{'rank':3},'traceEvents':[") + a + "]}", 1, 0,
            "bad_metadata@0 x1", "a");
        row("only a bracket", "[", 0, 0, "truncated@1 x1", "");
        row("log lines before a bare list", "INFO starting\n[" + a + "," + b + "]", 2, 0, "bad_metadata@0 x1",
            "a|b");
        row("log lines before the document", "W1114 NCCL \"late\n[rank0] hello\n" + list(a + "," + b), 2, 0,
            "bad_metadata@0 x1", "a|b");
        row("log lines in the trailer",
            json("{'distributedInfo':{'rank':3},'traceEvents':[") + a + "],\nWARNING: \"x\n}", 1, 0,
            "bad_metadata@0 x1", "a");
        row("two documents in a row", list(a) + list(b), 2, 0, "several_documents@0 x1", "a|b");
        row("two writers at a time",
            json("{'schemaVersion':1,'traceEvents':[") + a + "," + json("{'ph':'X','name':'lo")
                + json("{'schemaVersion':1,'traceEvents':[") + b + "," + json("{'ph':'X',")
                + json("st','pid':0,'tid':7,'ts':30,'dur':1},") + kernel("c", 40) + json("],'traceName':'t'}")
                + json("'name':'d'},") + kernel("e", 50) + "]}",
            4, 2, "malformed_event@103 x2 (2), interleaved@0 x1", "a|b|c|e");
    }
    void damage()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, shown);
        QFETCH(int, excluded);
        QFETCH(QByteArray, findings);
        QFETCH(QByteArray, slices);
        const auto fragment = readKineto({text.constData(), static_cast<std::size_t>(text.size())});
        QVERIFY2(fragment.has_value(), fragment ? "" : fragment.error().message.c_str());
        const std::string found = ledger(fragment->problems);
        qInfo("%s", found.c_str());
        QCOMPARE(QByteArray::fromStdString(joined(names(*fragment))), slices);
        QCOMPARE(fragment->source.shown, static_cast<std::uint64_t>(shown));
        QCOMPARE(fragment->source.excluded, static_cast<std::uint64_t>(excluded));
        QCOMPARE(fragment->source.eventsInFile, static_cast<std::uint64_t>(shown + excluded));
        QCOMPARE(fragment->problems.excludedEvents(), static_cast<std::uint64_t>(excluded));
        QCOMPARE(QByteArray::fromStdString(found), findings);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestDamageLedger)
#include "tst_damage_ledger.moc"
