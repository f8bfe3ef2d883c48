// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Damaged Kineto files, made here byte by byte: what is read, what is set aside, and that every event is
// accounted for.

#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/workloads/run_writer.h"

namespace collscope {

namespace {

std::string kernel(const std::string& name, const std::string& ts, const std::string& dur)
{
    return "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"" + name + "\",\"pid\":0,\"tid\":7,\"ts\":" + ts
        + (dur.empty() ? "" : ",\"dur\":" + dur) + "}";
}

const std::string good = kernel("good", "10", "5");
const std::string open = "{\"traceEvents\": [";
const std::string close = "]}";

std::uint64_t sliceCount(const TraceFragment& fragment)
{
    std::uint64_t count = 0;
    for (const Track& track : fragment.tracks)
        count += track.slices.size();
    return count;
}

} // namespace

class TestKinetoMalformed : public QObject
{
    Q_OBJECT

private slots:
    void damaged_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("slices");
        QTest::addColumn<int>("shown");
        QTest::addColumn<int>("excluded");
        QTest::addColumn<QByteArray>("problem");
        const auto row = [](const char* what, const std::string& text, int slices, int shown, int excluded,
                            const char* problem) {
            QTest::newRow(what) << QByteArray(text.data(), static_cast<qsizetype>(text.size())) << slices
                                << shown << excluded << QByteArray(problem);
        };
        row("sound", open + good + "," + good + close, 2, 2, 0, "");
        row("no events", open + close, 0, 0, 0, "");
        row("cut inside an event", open + good + "," + good.substr(0, 30), 1, 1, 1, "truncated");
        row("cut inside a string", open + good + ",{\"name\": \"ab", 1, 1, 1, "truncated");
        row("cut after a backslash", open + good + ",{\"name\": \"ab\\", 1, 1, 1, "truncated");
        row("cut between events", open + good + "," + good + ",", 2, 2, 0, "truncated");
        row("cut after the list", open + good + "]", 1, 1, 0, "truncated");
        row("trailing comma", open + good + ",\n" + close, 1, 1, 0, "extra_comma");
        row("two commas", open + good + ",," + good + close, 2, 2, 0, "extra_comma");
        row("control character", open + kernel("a\nb\x01", "10", "5") + "," + good + close, 2, 2, 0,
            "control_character");
        row("invalid UTF-8", open + kernel("a\xff\xfe", "10", "5") + "," + good + close, 2, 2, 0,
            "invalid_utf8");
        row("missing dur", open + kernel("k", "10", "") + close, 1, 1, 0, "missing_dur");
        row("negative dur", open + kernel("k", "10", "-5") + "," + good + close, 1, 1, 1,
            "negative_duration");
        row("NaN ts", open + kernel("k", "NaN", "5") + "," + good + close, 1, 1, 1, "bad_time");
        row("ts in words", open + kernel("k", "\"soon\"", "5") + "," + good + close, 1, 1, 1, "bad_time");
        row("no ts", open + "{\"ph\":\"X\",\"name\":\"k\",\"dur\":1}," + good + close, 1, 1, 1, "bad_time");
        row("no phase", open + "{\"name\":\"k\",\"ts\":1}," + good + close, 1, 1, 1, "no_phase");
        row("numbers as strings", open + kernel("k", "\"10.5\"", "\"5.25\"") + close, 1, 1, 0, "");
        row("byte order mark", "\xEF\xBB\xBF" + open + good + close, 1, 1, 0, "byte_order_mark");
        row("bare list", "[" + good + "," + good + "]", 2, 2, 0, "");
        row("bare list, cut", "[" + good + "," + good, 2, 2, 0, "truncated");
        row("elements that are no events", open + "1, [2], " + good + ", null, \"x\"" + close, 1, 1, 4,
            "not_an_event");
        row("broken event between sound ones", open + good + ",{\"ph\":\"X\" \"name\":}," + good + close, 2,
            2, 1, "malformed_event");
        row("end without begin", open + "{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":5}," + good + close, 1, 1,
            1, "unbalanced_end");
        row("begin without end",
            open + "{\"ph\":\"B\",\"name\":\"b\",\"pid\":1,\"tid\":1,\"ts\":5}," + good + close, 1, 1, 1,
            "unbalanced_begin");
        row("begin and end",
            open
                + "{\"ph\":\"B\",\"name\":\"b\",\"pid\":1,\"tid\":1,\"ts\":5},{\"ph\":\"E\",\"pid\":1,"
                  "\"tid\":1,\"ts\":9}"
                + close,
            1, 2, 0, "");
        row("huge ts", open + kernel("k", "1e300", "5") + "," + good + close, 1, 1, 1, "absurd_time");
        row("absurd ts", open + kernel("k", "5e15", "5") + "," + good + close, 1, 1, 1, "absurd_time");
        row("begin and end too far apart",
            open
                + "{\"ph\":\"B\",\"name\":\"b\",\"pid\":1,\"tid\":1,\"ts\":-5e15},"
                  "{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":5e15}"
                + close,
            0, 0, 2, "absurd_time");
        row("trailing comma in args", open + "{\"ph\":\"i\",\"ts\":1,\"args\":{\"a\":1,}}," + good + close, 1,
            2, 0, "trailing_comma");
        row("async event that never ends",
            open + "{\"ph\":\"b\",\"id\":1,\"name\":\"a\",\"ts\":5}," + good + close, 1, 1, 1,
            "unbalanced_begin");
        row("object event", open + "{\"ph\":\"N\",\"id\":1,\"name\":\"a\",\"ts\":5}," + good + close, 1, 1, 1,
            "unsupported_phase");
    }
    void damaged()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, slices);
        QFETCH(int, shown);
        QFETCH(int, excluded);
        QFETCH(QByteArray, problem);
        const auto fragment = readKineto({text.constData(), static_cast<std::size_t>(text.size())});
        QVERIFY2(fragment.has_value(), fragment ? "" : fragment.error().message.c_str());
        QCOMPARE(fragment->source.shown, static_cast<std::uint64_t>(shown));
        QCOMPARE(fragment->source.excluded, static_cast<std::uint64_t>(excluded));
        QCOMPARE(fragment->source.eventsInFile, static_cast<std::uint64_t>(shown + excluded));
        QCOMPARE(sliceCount(*fragment), static_cast<std::uint64_t>(slices));
        QVERIFY(fragment->problems.excludedEvents() == static_cast<std::uint64_t>(excluded));
        if (problem.isEmpty())
            QVERIFY(fragment->problems.isEmpty());
        else if (!problem.endsWith('?'))
            QVERIFY2(findProblem(fragment->problems, problem.constData()) != nullptr, problem.constData());
    }
    void everyCutGivesTheEventsBeforeIt()
    {
        std::string text = "{\"schemaVersion\": 1, \"traceEvents\": [";
        std::vector<std::size_t> ends;
        for (int i = 0; i < 6; ++i) {
            text += (i > 0 ? ", " : "") + kernel("k\\\"" + std::to_string(i), std::to_string(10 * i), "5");
            ends.push_back(text.size());
        }
        for (std::size_t cut = text.find('[') + 1; cut <= text.size(); ++cut) {
            const auto fragment = readKineto(text.substr(0, cut));
            QVERIFY(fragment.has_value());
            const auto whole = static_cast<std::uint64_t>(
                std::count_if(ends.begin(), ends.end(), [cut](std::size_t end) { return end <= cut; }));
            QCOMPARE(sliceCount(*fragment), whole);
            QVERIFY(findProblem(fragment->problems, "truncated") != nullptr);
        }
    }
    void kernelsAsBeginAndEnd()
    {
        // The end event need not repeat the category; the args stand at the begin.
        const std::string begin
            = "{\"ph\":\"B\",\"cat\":\"kernel\",\"name\":\"ncclDevKernel_AllReduce_Sum\",\"pid\":0,"
              "\"tid\":7,\"ts\":2,\"args\":{\"stream\":7,\"Collective name\":\"allreduce\",\"Group "
              "size\":8}},";
        const auto fragment
            = readKineto(open + begin + "{\"ph\":\"E\",\"pid\":0,\"tid\":7,\"ts\":8}" + close);
        QVERIFY(fragment.has_value());
        QCOMPARE(fragment->source.excluded, std::uint64_t{0});
        const SliceColumns& slices = fragment->tracks.at(0).slices;
        QCOMPARE(slices.range(0), (TimeRange{2000, 8000}));
        QCOMPARE(slices.kernelClass[0], KernelClass::AllReduce);
        QCOMPARE(fragment->timelines[0].collectives.at(slices.collective[0]).groupSize, std::optional(8));
        QCOMPARE(fragment->tracks[0].stream, 7);
    }
    void damagedMetadataIsRepaired_data()
    {
        QTest::addColumn<QByteArray>("end");
        const QByteArray rank = "\"distributedInfo\":{\"rank\":3,\"world_size\":8}";
        QTest::newRow("NaN") << "],\"x\":NaN," + rank + "}";
        QTest::newRow("trailing comma") << "]," + rank + ",}";
        QTest::newRow("invalid UTF-8") << "],\"host\":\"a\xff\"," + rank + "}";
    }
    void damagedMetadataIsRepaired()
    {
        QFETCH(QByteArray, end);
        const auto fragment = readKineto(open + good + end.toStdString());
        QVERIFY(fragment.has_value());
        QCOMPARE(fragment->contentRank, std::optional(3));
        QCOMPARE(fragment->timelines[0].worldSize, std::optional(8));
        QVERIFY(findProblem(fragment->problems, "repaired_metadata") != nullptr);
    }
    void noEventListIsAnError()
    {
        QVERIFY(!readKineto("{\"traceEve"));
        QVERIFY(!readKineto(""));
        QVERIFY(!readKineto("hello"));
        const auto fragment = readKineto("{\"a\": 1}");
        QVERIFY(!fragment);
        QVERIFY(fragment.error().kind == Error::Kind::Format);
    }
    void stampsAreExactToTheNanosecond()
    {
        const auto fragment = readKineto(open + kernel("a", "1711964646000123.457", "0.001") + ","
                                         + kernel("b", "1711964646000123.459", "1e-3") + close);
        QVERIFY(fragment.has_value());
        const SliceColumns& slices = fragment->tracks[0].slices;
        QCOMPARE(slices.startNs[0], std::int64_t{1'711'964'646'000'123'457});
        QCOMPARE(slices.startNs[1], std::int64_t{1'711'964'646'000'123'459});
        QCOMPARE(slices.durationNs[0], 1);
        QCOMPARE(slices.durationNs[1], 1);
        QVERIFY(fragment->hasWallClock);
    }
    void escapesInNames()
    {
        const auto fragment = readKineto(open + kernel("a\\u00e9\\n\\\"", "1", "1") + close);
        QVERIFY(fragment.has_value());
        QCOMPARE(fragment->strings.view(fragment->tracks[0].slices.name[0]),
                 std::string_view("a\xc3\xa9\n\""));
    }
    void metadataAfterTheEvents()
    {
        const auto fragment = readKineto(
            open + good
            + "], \"distributedInfo\": {\"rank\": \"3\", \"world_size\": 8}, \"baseTimeNanoseconds\": "
              "1711964646000000000}");
        QVERIFY(fragment.has_value());
        QCOMPARE(fragment->contentRank.value_or(-1), 3);
        QCOMPARE(fragment->timelines[0].worldSize.value_or(-1), 8);
        QVERIFY(fragment->hasWallClock);
        QCOMPARE(fragment->clockOffsetNs, std::int64_t{1'711'964'646'000'000'000});
    }
    void eventsAcrossChunksAreWhole()
    {
        // Longer than any read buffer, with one event that is larger than a buffer itself.
        std::string text = open;
        const std::string big(3'000'000, 'n');
        for (int i = 0; i < 20'000; ++i)
            text += (i > 0 ? "," : "")
                + kernel(i == 10'000 ? big : "k" + std::to_string(i % 7), std::to_string(i), "1");
        const auto fragment = readKineto(text + close);
        QVERIFY(fragment.has_value());
        QCOMPARE(fragment->source.eventsInFile, std::uint64_t{20'000});
        QCOMPARE(sliceCount(*fragment), std::uint64_t{20'000});
        QVERIFY(fragment->problems.isEmpty());
        QVERIFY(static_cast<bool>(fragment->strings.find(big)));
    }
    /// What only an event's args show is found after the event began to be read: it counts once.
    void eventsWithBadArgsCountOnce_data()
    {
        QTest::addColumn<int>("every");
        QTest::newRow("one in the middle") << 10'000;
        QTest::newRow("every second one") << 2; // also first in a block of bytes
        QTest::newRow("all") << 1;
    }
    void eventsWithBadArgsCountOnce()
    {
        QFETCH(int, every);
        const std::string counter = R"({"ph":"C","name":"c","ts":6,"pid":0,"args":{"v":05}})";
        constexpr std::uint64_t kernels = 20'000;
        std::string text = open;
        std::uint64_t bad = 0;
        for (std::uint64_t i = 0; i < kernels; ++i) {
            text += (i > 0 ? "," : "") + kernel("k", std::to_string(i), "1");
            if (i % static_cast<std::uint64_t>(every) == 1 % static_cast<std::uint64_t>(every)) {
                text += "," + counter;
                ++bad;
            }
        }
        const auto fragment = readKineto(text + close);
        QVERIFY(fragment.has_value());
        QCOMPARE(sliceCount(*fragment), kernels);
        QCOMPARE(fragment->source.eventsInFile, kernels + bad);
        QCOMPARE(fragment->source.eventsInFile, fragment->source.shown + fragment->source.excluded);
        QCOMPARE(fragment->source.excluded, bad);
    }
    void gzip()
    {
        std::string text = open;
        for (int i = 0; i < 5'000; ++i)
            text += (i > 0 ? "," : "") + kernel("k" + std::to_string(i), std::to_string(i), "1");
        const std::string packed = gzipped(text + close);
        const auto whole = readKineto(packed, "trace.json.gz");
        QVERIFY(whole.has_value());
        QCOMPARE(sliceCount(*whole), std::uint64_t{5'000});
        QVERIFY(whole->problems.isEmpty());

        const auto cut = readKineto(std::string_view(packed).substr(0, packed.size() / 2), "trace.json.gz");
        QVERIFY(cut.has_value());
        QVERIFY(sliceCount(*cut) > 0 && sliceCount(*cut) < 5'000);
        QVERIFY(findProblem(cut->problems, "truncated") != nullptr);
        QCOMPARE(cut->source.eventsInFile, cut->source.shown + cut->source.excluded);

        // Zeros fill a block; anything else was lost.
        const std::string padded = packed + std::string(1000, '\0');
        const auto filled = readKineto(padded, "trace.json.gz");
        QVERIFY(filled && filled->problems.isEmpty());
        std::string lost = gzipped(good + close);
        lost[0] = 'x';
        const std::string first = gzipped(text + ",");
        for (const std::string& between : {std::string(), std::string(1000, '\0')}) {
            const auto half = readKineto(first + between + lost, "trace.json.gz");
            QVERIFY(half.has_value());
            const Diagnostic* problem = findProblem(half->problems, "damaged_gzip");
            QVERIFY(problem && problem->explanation.starts_with(std::to_string(lost.size()) + " bytes"));
        }

        // Two members in one file are one text, as gzip defines it.
        const std::string two = gzipped(text + ",") + gzipped(good + close);
        const auto joined = readKineto(two, "trace.json.gz");
        QVERIFY(joined.has_value());
        QCOMPARE(sliceCount(*joined), std::uint64_t{5'001});
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestKinetoMalformed)
#include "tst_kineto_malformed.moc"
