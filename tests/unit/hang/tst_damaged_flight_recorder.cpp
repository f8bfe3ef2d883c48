// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Dumps of PyTorch's Flight Recorder that are cut off, damaged or hostile: nothing crashes, every call is
// shown or excluded, and the other files of the folder are read.

#include "model/readers/hang/flight_builder.h"
#include "tests/support/runs/hung_job.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"

#include <QDir>
#include <QFile>

namespace collscope {

namespace {

/// Rank 1 of three that wait: a finished call, and one under way.
HungJob smallJob()
{
    HungJob job;
    const auto a = job.group("A", {0, 1, 2}, "17");
    job.finishAll(a, 4);
    job.callAll(a, 5);
    return job;
}

std::string replaced(std::string text, std::string_view from, std::string_view to)
{
    const std::size_t at = text.rfind(from);
    return at == std::string::npos ? "not found: " + std::string(from) : text.replace(at, from.size(), to);
}

const SourceInfo* sourceOf(const TraceModel& run, std::string_view name)
{
    const auto found = std::find_if(run.sources.begin(), run.sources.end(),
                                    [&](const SourceInfo& own) { return own.path.ends_with(name); });
    return found == run.sources.end() ? nullptr : &*found;
}

const FlightRecord* recordOf(const TraceModel& run, std::int32_t rank)
{
    for (const FlightRecord& own : run.hang->records) {
        if (own.rank == rank)
            return &own;
    }
    return nullptr;
}

void checkAccounts(const TraceModel& run)
{
    std::uint64_t excluded = 0;
    for (const SourceInfo& own : run.sources) {
        QCOMPARE(own.eventsInFile, own.shown + own.excluded);
        excluded += own.excluded;
    }
    QCOMPARE(run.problems.excludedEvents(), excluded);
}

/// What a dump with something odd in it leaves.
struct OddDump
{
    const char* name;
    std::string bytes;
    std::uint64_t events, shown;
    const char* problem; ///< "": none
};

std::vector<OddDump> oddJsonDumps()
{
    HungJob job = smallJob();
    const std::string sound = flightJson(job.dumpOf(1));
    const auto with = [&](const char* from, const char* to) { return replaced(sound, from, to); };
    const char* const created = "\"time_created_ns\": 1763900001020000000";
    const char* const number = "\"collective_seq_id\": 5";
    const char* const ranks = "\"[0, 1, 2]\"";
    const char* const operation = "nccl:all_reduce";
    return {
        {"sound", sound, 2, 2, ""},
        {"a time that is not a number", with(created, "\"time_created_ns\": NaN"), 2, 1, "bad_call"},
        {"a time as text", with(created, "\"time_created_ns\": \"noon\""), 2, 1, "bad_call"},
        {"a time before the epoch", with(created, "\"time_created_ns\": -5"), 2, 1, "bad_call"},
        {"no time", with(created, "\"time\": 5"), 2, 1, "bad_call"},
        {"a number as text", with(number, "\"collective_seq_id\": \"five\""), 2, 1, "bad_call"},
        {"a number too large", with(number, "\"collective_seq_id\": 9223372036854775807"), 2, 1, "bad_call"},
        {"a negative number", with(number, "\"collective_seq_id\": -5"), 2, 1, "bad_call"},
        {"no state", with("\"state\": \"scheduled\"", "\"state\": 7"), 2, 1, "bad_call"},
        {"no name", with("\"profiling_name\": \"nccl:all_reduce\"", "\"name\": 1"), 2, 1, "bad_call"},
        {"a peer beyond the group", with(operation, "nccl:send 1->3"), 2, 1, "bad_call"},
        {"a peer beyond int32", with(operation, "nccl:recv 1<-99999999999"), 2, 1, "bad_call"},
        {"a negative peer", with(operation, "nccl:send 1->-1"), 2, 1, "bad_call"},
        {"an entry that is a number", with("\"entries\": [{", "\"entries\": [7, {"), 3, 2, "bad_call"},
        {"an entry without members", with("\"entries\": [{", "\"entries\": [{}, {"), 3, 2, "bad_call"},
        {"entries that are a text", "{\"version\": \"2.9\", \"pg_config\": {}, \"entries\": \"none\"}", 0, 0,
         ""},
        {"a rank beyond a million", with(ranks, "\"[0, 1, 1000001]\""), 2, 2, "bad_group"},
        {"a negative rank", with(ranks, "\"[0, 1, -2]\""), 2, 2, "bad_group"},
        {"ranks that are not a list", with(ranks, "\"all of them\""), 2, 2, "bad_group"},
        {"ranks that are cut off", with(ranks, "\"[0, 1, 2\""), 2, 2, "bad_group"},
        {"ranks with holes", with(ranks, "\"[0,, 2]\""), 2, 2, "bad_group"},
        {"ranks that are a number", with(ranks, "3"), 2, 2, "bad_group"},
    };
}

} // namespace

class TestDamagedFlightRecorder : public QObject
{
    Q_OBJECT

private:
    RunFolder m_folder;

private slots:
    void refusedOpcodes_data()
    {
        QTest::addColumn<QByteArray>("opcode");
        QTest::addColumn<QString>("name");
        const auto row = [](const char* opcode, const char* name) {
            QTest::newRow(name) << QByteArray(opcode) << QString::fromLatin1(name);
        };
        row("cos\nsystem\n", "GLOBAL");
        row("R", "REDUCE");
        row("b", "BUILD");
        row("ios\nsystem\n", "INST");
        row("\x93", "STACK_GLOBAL");
        row("\x81", "NEWOBJ");
    }
    /// A dump that would run something is refused, with the opcode and its place.
    void refusedOpcodes()
    {
        QFETCH(const QByteArray, opcode);
        QFETCH(const QString, name);
        HungJob job = smallJob();
        const std::string sound = flightPickle(job.dumpOf(1));
        for (const char* before : {"version", "pg_status", "entries"}) {
            const std::size_t at = sound.find(before) - 5; // the opcode and the length of the text
            const RunFolder folder;
            job.write(folder);
            std::string bytes = sound;
            folder.write("job/" + HungJob::fileOf(1, false), bytes.insert(at, opcode.toStdString()));
            const TraceModelPtr run = folder.load("job");
            QVERIFY(run && run->hang && recordOf(*run, 0) && recordOf(*run, 2));
            const FlightRecord* const own = recordOf(*run, 1);
            QVERIFY(
                !own
                || (own->isCutOff && own->calls.size() == 0)); // its rank is not known, at most its groups
            const Diagnostic* problem = findProblem(run->problems, "unreadable");
            problem = problem ? problem : findProblem(run->problems, "damaged_pickle");
            QVERIFY(problem);
            QVERIFY2(holds(problem->explanation, name.toStdString()), problem->explanation.c_str());
            QCOMPARE(problem->firstOffset, std::uint64_t{at});
            QVERIFY(problem->file.ends_with("_rank_1"));
            CHECKED(checkAccounts(*run));
        }
    }
    void realDumpsWithAnOpcode()
    {
        const QString real = tracesFolder() + QStringLiteral("/flight_recorder/gpu_error_1st");
        if (!QFile::exists(real))
            QSKIP("needs the real traces (COLLSCOPE_TRACES)");
        for (const QString& name : QDir(real).entryList(QDir::Files)) {
            QFile file(real + u'/' + name);
            QVERIFY(file.open(QIODevice::ReadOnly));
            std::string bytes = file.readAll().toStdString();
            const std::size_t at = bytes.size() - 1; // in front of STOP
            const TraceModelPtr run
                = m_folder.writeAndLoad("real/" + name.toStdString(), bytes.insert(at, "R"));
            QVERIFY(!run || !run->hang || run->hang->records.front().isCutOff);
            std::filesystem::remove_all(m_folder.path("real"));
        }
    }

    void cutPickles()
    {
        HungJob job = smallJob();
        const std::string whole = flightPickle(job.dumpOf(1));
        for (std::size_t bytes = 0; bytes < whole.size(); bytes += 50) {
            const RunFolder folder;
            job.write(folder);
            folder.write("job/" + HungJob::fileOf(1, false), whole.substr(0, bytes));
            const TraceModelPtr run = folder.load("job");
            QVERIFY(run && run->hang && recordOf(*run, 0) && recordOf(*run, 2));
            CHECKED(checkAccounts(*run));
            const FlightRecord* const own = recordOf(*run, 1);
            const SourceInfo* const source = sourceOf(*run, "_rank_1");
            if (!own || !source)
                continue; // not even its keys are there
            QVERIFY(own->isCutOff);
            QVERIFY(own->calls.size() <= 2 && source->shown == own->calls.size());
            for (std::size_t row = 0; row < own->calls.size(); ++row)
                QCOMPARE(own->calls.collective[row], static_cast<std::int64_t>(row) + 4);
        }
        QVERIFY(whole.size() > 1000);
    }
    void cutJson()
    {
        HungJob job = smallJob();
        job.isJson = true;
        const std::string whole = flightJson(job.dumpOf(1));
        for (std::size_t bytes = 0; bytes < whole.size(); bytes += 50) {
            const RunFolder folder;
            job.write(folder);
            folder.write("job/" + HungJob::fileOf(1, true), whole.substr(0, bytes));
            const TraceModelPtr run = folder.load("job");
            QVERIFY(run && run->hang && recordOf(*run, 0) && recordOf(*run, 2));
            QVERIFY(!recordOf(*run, 1)); // nothing of it is known, not half of it
            CHECKED(checkAccounts(*run));
        }
    }

    void oddValues_data()
    {
        QTest::addColumn<int>("row");
        int row = 0;
        for (const OddDump& odd : oddJsonDumps())
            QTest::newRow(odd.name) << row++;
    }
    void oddValues()
    {
        QFETCH(const int, row);
        const OddDump odd = oddJsonDumps()[static_cast<std::size_t>(row)];
        const RunFolder folder;
        folder.write("odd/_dump_1.json", odd.bytes);
        const TraceModelPtr run = folder.load("odd");
        QVERIFY(run);
        CHECKED(checkAccounts(*run));
        QCOMPARE(run->sources.front().shown, odd.shown);
        QCOMPARE(run->sources.front().eventsInFile, odd.events);
        const bool isReported = !*odd.problem || findProblem(run->problems, odd.problem);
        QVERIFY(isReported);
    }
    /// One number beyond int64 costs one call.
    void aNumberBeyondInt64()
    {
        HungJob job = smallJob();
        const std::string json = replaced(flightJson(job.dumpOf(1)), "\"collective_seq_id\": 5",
                                          "\"collective_seq_id\": 99999999999999999999");
        TraceModelPtr run = m_folder.writeAndLoad("long/_dump_1.json", json);
        QVERIFY(run && run->sources.front().shown == 1);
        const std::string ten("\x8A\x0A"
                              "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F",
                              12);
        const std::string pickle
            = replaced(flightPickle(job.dumpOf(1)), py::text("collective_seq_id") + py::integer(5),
                       py::text("collective_seq_id") + ten);
        run = m_folder.writeAndLoad("longer/_dump_1", pickle);
        QVERIFY(run);
        CHECKED(checkAccounts(*run));
        QCOMPARE(run->sources.front().eventsInFile, std::uint64_t{2});
        QCOMPARE(run->sources.front().shown, std::uint64_t{1});
    }
    /// A status that lacks a counter says nothing: not that none was enqueued, or finished.
    void aStatusWithoutACounter()
    {
        const HungJob job = smallJob();
        for (const char* const counter : {"last_enqueued_collective", "last_completed_collective"}) {
            const std::string other(std::string(counter).size(), 'x');
            for (const std::string& dump : {flightJson(job.dumpOf(1)), flightPickle(job.dumpOf(1))}) {
                const TraceModelPtr whole = m_folder.writeAndLoad("status/_dump_1", dump);
                QVERIFY(whole && recordOf(*whole, 1));
                QCOMPARE(recordOf(*whole, 1)->statuses.size(), std::size_t{1});
                const TraceModelPtr run
                    = m_folder.writeAndLoad("status/_dump_1", replaced(dump, counter, other));
                QVERIFY(run && recordOf(*run, 1));
                QVERIFY(recordOf(*run, 1)->statuses.empty());
            }
        }
    }
    /// A call with an impossible number cannot be compared with those of the others.
    void anImpossibleNumberAccusesNobody()
    {
        HungJob job = smallJob();
        job.isJson = true;
        for (auto& [number, rank] : job.ranks())
            rank.version = {2, 2}; // without counters
        const RunFolder folder;
        job.write(folder);
        folder.write(
            "job/" + HungJob::fileOf(1, true),
            replaced(flightJson(job.dumpOf(1)), "\"collective_seq_id\": 5", "\"collective_seq_id\": -5"));
        const TraceModelPtr run = folder.load("job");
        QVERIFY(run && run->hang);
        const HangVerdict verdict = judgeHang(*run->hang, run->strings, {true});
        QVERIFY(verdict.findings.empty() || verdict.findings.front().ranks.empty());
    }
    void aTimeThatIsNotANumberInAPickle()
    {
        HungJob job = smallJob();
        const std::string nan = "G" + std::string("\x7F\xF8\0\0\0\0\0\0", 8);
        const std::string own = py::text("time_created_ns") + py::integer(flightEpochNs + 1'020'000'000);
        const TraceModelPtr run = m_folder.writeAndLoad(
            "nan/_dump_1", replaced(flightPickle(job.dumpOf(1)), own, py::text("time_created_ns") + nan));
        QVERIFY(run);
        CHECKED(checkAccounts(*run));
        QCOMPARE(run->sources.front().shown, std::uint64_t{1});
    }

    /// Sizes as the dump states them; their product is not known where it cannot be.
    void sizes_data()
    {
        QTest::addColumn<QString>("sizes");
        QTest::addColumn<qint64>("elements");
        const auto row = [](const char* sizes, qint64 elements) {
            QTest::newRow(sizes) << QString::fromLatin1(sizes) << elements;
        };
        row("[[64, 8]]", 512);
        row("[[64, 8], [3]]", 515);
        row("[[]]", 1); // a scalar
        row("[]", 0);
        row("[[0, 5]]", 0);
        row("[[-64, 8]]", FlightSignature::unknown);
        row("[[4611686018427387904, 4]]", FlightSignature::unknown);
        row("[[65536, 65536, 65536, 65536]]", FlightSignature::unknown);
        row("[[72057594037927936], [1]]", 72057594037927937);
    }
    void sizes()
    {
        QFETCH(const QString, sizes);
        QFETCH(const qint64, elements);
        HungJob job = smallJob();
        const TraceModelPtr run
            = m_folder.writeAndLoad("sizes/_dump_1.json",
                                    replaced(flightJson(job.dumpOf(1)), "\"input_sizes\": [[64, 8]]",
                                             "\"input_sizes\": " + sizes.toStdString()));
        QVERIFY(run && run->hang);
        const FlightSignature& own = run->hang->records.front().signatureOf(1);
        QCOMPARE(qint64{own.inputElements}, elements);
        QCOMPARE(QString::fromStdString(std::string(run->text(own.inputSizes))), sizes);
    }
    /// Texts are cut, and what a file claims takes no memory.
    void longTexts()
    {
        HungJob job = smallJob();
        const std::string longName(100'000, 'x');
        const TraceModelPtr run = m_folder.writeAndLoad(
            "texts/_dump_1.json", replaced(flightJson(job.dumpOf(1)), "nccl:all_reduce", "nccl:" + longName));
        QVERIFY(run && run->hang);
        const FlightRecord& own = run->hang->records.front();
        QCOMPARE(run->text(own.signatureOf(1).operation).size(), FlightBuilder::longestText);
    }
    void manyGroups()
    {
        std::string groups, separator;
        for (int i = 0; i < 100'000; ++i) {
            const std::string name = '"' + std::to_string(i) + '"';
            groups += separator + name + ": {\"name\": " + name + ", \"desc\": \"\", \"ranks\": \"[0, 1]\"}";
            separator = ", ";
        }
        std::string dump = flightJson({{2, 9}, {}, {}, {}});
        dump = replaced(dump, "\"pg_config\": {}", "\"pg_config\": {" + groups + "}");
        FlightText calls = HungJob(smallJob()).dumpOf(1);
        calls.groups.front().name = "99999"; // left out of the list
        const std::string entries = flightJson(calls);
        dump = replaced(dump, "\"entries\": []}", entries.substr(entries.find("\"entries\"")));
        const TraceModelPtr run = m_folder.writeAndLoad("groups/_dump_1.json", dump);
        QVERIFY(run && run->hang);
        CHECKED(checkAccounts(*run));
        QCOMPARE(run->hang->records.front().groups.size(), std::size_t{FlightRecord::mostGroups});
        const Diagnostic* const problem = findProblem(run->problems, "too_many_groups");
        QVERIFY(problem);
        QCOMPARE(problem->count, std::uint64_t{100'000 - FlightRecord::mostGroups});
        QCOMPARE(run->sources.front().eventsInFile, std::uint64_t{2});
        QCOMPARE(run->sources.front().shown, std::uint64_t{0});
        judgeHang(*run->hang, run->strings, {});
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestDamagedFlightRecorder)
#include "tst_damaged_flight_recorder.moc"
