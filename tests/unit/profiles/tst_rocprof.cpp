// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// AMD's rocprofv3: JSON and database of one recording are the same run; the sums of a real file; damage.

#include "model/readers/reader.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/run_lanes.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/kineto_text.h"
#include "tests/support/texts/rocprof_text.h"

#include <QTest>

#include <nlohmann/json.hpp>
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace collscope {

extern const ReaderDescriptor rocprofReader;
extern const ReaderDescriptor rocpdReader;

namespace {

constexpr const char* genericKernel = "ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)";
constexpr const char* product = "Cijk_Ailk_Bljk_BBS_BH_MT64x32";

/// Two steps: a copy in, a product, and an all-reduce that RCCL launches from its call; another GPU
/// multiplies as well.
RocprofRun twoSteps()
{
    RocprofRun run;
    for (int step = 0; step < 2; ++step) {
        const std::int64_t at = 5'000'000 + step * 1'000'000;
        const auto id = static_cast<std::uint64_t>(100 * (step + 1));
        run.calls.push_back(
            {"MARKER_CORE_API", "train step " + std::to_string(step + 3), 11, at, at + 900'000, id});
        run.calls.push_back({"HIP_RUNTIME_API", "hipLaunchKernel", 11, at + 10'000, at + 15'000, id + 1});
        run.calls.push_back({"RCCL_API",
                             "ncclAllReduce",
                             11,
                             at + 20'000,
                             at + 60'000,
                             id + 2,
                             {{"count", "1024"}, {"datatype", "9"}, {"comm", "0x7f00"}}});
        run.calls.push_back({"HIP_RUNTIME_API", "hipExtLaunchKernel", 11, at + 30'000, at + 50'000, id + 3});
        run.copies.push_back({"HOST_TO_DEVICE", 0, at + 20'000, at + 90'000, 4096, id + 4});
        run.kernels.push_back({product, 0, 1, 5, at + 100'000, at + 300'000, id + 1});
        run.kernels.push_back({genericKernel, 0, 2, 6, at + 310'000, at + 700'000, id + 3});
        run.kernels.push_back({product, 1, 1, 0, at + 100'000, at + 250'000, id + 9});
    }
    run.allocations = 3;
    return run;
}

/// All that a run says, to be equal for two forms of it.
QStringList sayingsOf(const TraceModel& run)
{
    QStringList sayings = lanesOf(run);
    for (const MetricDescriptor& metric : allMetrics()) {
        const MetricResult result = measure(run, metric.id);
        if (result.value)
            sayings << qText(metric.id) + QStringLiteral(" = %1").arg(*result.value, 0, 'g', 17);
    }
    return sayings;
}

const SliceColumns* slicesOf(const TraceModel& run, std::int32_t rank, std::string_view track)
{
    for (const Timeline& timeline : run.timelines) {
        for (const TrackId id : timeline.tracks) {
            if (timeline.rank == rank && run.text(run.track(id).name) == track)
                return &run.track(id).slices;
        }
    }
    return nullptr;
}

} // namespace

class TestRocprof : public QObject
{
    Q_OBJECT

private:
    RunFolder m_folder;

    TraceModelPtr database(const std::string& name, const RocprofRun& run, int schema)
    {
        writeRocpd(m_folder.path(name), run, schema);
        return m_folder.load(name);
    }
    Result<TraceFragment> readJson(const std::string& bytes)
    {
        SourceFile file;
        file.path = m_folder.write("x_results.json", bytes);
        file.bytes = bytes.size();
        return rocprofReader.read(file, ReadContext());
    }

private slots:
    void recordsBecomeTracks()
    {
        const TraceModelPtr run = m_folder.writeAndLoad("a/1_results.json", rocprofJson(twoSteps()));
        QVERIFY(run);
        QCOMPARE(run->ranks(), (std::vector<std::int32_t>{0, 1}));
        const SourceInfo& source = run->sources.front();
        QCOMPARE(source.eventsInFile, std::uint64_t{2 * 8 + 3});
        QCOMPARE(source.shown, std::uint64_t{2 * 8});
        QCOMPARE(source.excluded, std::uint64_t{3});
        const Timeline& gpu = run->timelines.front();
        QCOMPARE(qText(run->text(gpu.deviceName)), QStringLiteral("AMD Instinct MI300X"));
        QCOMPARE(gpu.multiprocessors, 304);
        QCOMPARE(qText(run->text(gpu.host)), QStringLiteral("node1"));
        QVERIFY(!run->hasWallClock);
        const SliceColumns* const compute = slicesOf(*run, 0, "queue 1");
        const SliceColumns* const communication = slicesOf(*run, 0, "queue 2");
        const SliceColumns* const copies = slicesOf(*run, 0, "copies");
        QVERIFY(compute && communication && copies);
        QCOMPARE(compute->size(), std::size_t{2});
        QVERIFY(compute->kernelClass[0] == KernelClass::Gemm);
        const KernelDetail& detail = gpu.kernelDetails[compute->detail[0]];
        QCOMPARE(detail.grid[0], 4u); // 1000 work-items in groups of 256
        QCOMPARE(detail.block[0], 256u);
        QCOMPARE(detail.registersPerThread, 128);
        QCOMPARE(detail.sharedMemoryBytes, 1024);
        QCOMPARE(detail.stream, 5);
        QCOMPARE(qText(run->text(copies->name[0])), QStringLiteral("Memcpy HtoD"));
        QCOMPARE(gpu.kernelDetails[copies->detail[0]].bytes, std::int64_t{4096});
    }
    void stepsAreTheMarked()
    {
        const TraceModelPtr run = m_folder.writeAndLoad("a/1_results.json", rocprofJson(twoSteps()));
        QVERIFY(run);
        for (const Timeline& timeline : run->timelines) {
            QVERIFY(timeline.stepSource == StepSource::NvtxStep);
            QCOMPARE(timeline.steps.size(), std::size_t{2});
            QCOMPARE(timeline.steps[0].number, std::int64_t{3});
            QCOMPARE(timeline.steps[0].range.lengthNs(), std::int64_t{900'000});
        }
        RocprofRun unmarked = twoSteps();
        std::erase_if(unmarked.calls,
                      [](const RocprofRun::Call& call) { return call.domain.starts_with("MARKER"); });
        const TraceModelPtr whole = m_folder.writeAndLoad("b/1_results.json", rocprofJson(unmarked));
        QVERIFY(whole && whole->timelines.front().stepSource == StepSource::WholeTrace);
    }
    void launchesAndCallsOfRccl()
    {
        const TraceModelPtr run = m_folder.writeAndLoad("a/1_results.json", rocprofJson(twoSteps()));
        QVERIFY(run);
        const Timeline& gpu = run->timelines.front();
        const SliceRef launch = gpu.launchOf(101);
        QVERIFY(launch);
        QCOMPARE(qText(run->nameOf(launch)), QStringLiteral("hipLaunchKernel"));
        // The kernel says nothing; the call that launched it says which collective it was.
        const SliceColumns* const communication = slicesOf(*run, 0, "queue 2");
        QVERIFY(communication && communication->kernelClass[0] == KernelClass::AllReduce);
        QVERIFY(!findProblem(run->problems, "collectives_unknown"));
    }
    void callsOfRcclAreFoundOnEachGpu_data()
    {
        QTest::addColumn<bool>("hasLaunches");
        QTest::newRow("launched by calls of HIP inside those of RCCL") << true;
        QTest::newRow("calls of HIP were not recorded") << false;
    }
    void callsOfRcclAreFoundOnEachGpu()
    {
        QFETCH(bool, hasLaunches);
        // One thread uses two GPUs: an all-reduce on the first and a broadcast on the second, which has less
        // work.
        RocprofRun run;
        const char* const functions[] = {"ncclAllReduce", "ncclBroadcast"};
        // Another thread, which comes first in the file, is in a call of RCCL meanwhile.
        run.calls.push_back({"HIP_RUNTIME_API", "hipMalloc", 12, 6'800'000, 6'810'000, 399});
        run.calls.push_back({"RCCL_API", "ncclReduce", 12, 6'900'000, 7'500'000, 400});
        for (int gpu = 0; gpu < 2; ++gpu) {
            const std::int64_t at = 5'000'000 + gpu * 100'000;
            const auto id = static_cast<std::uint64_t>(100 * (gpu + 1));
            run.calls.push_back({"RCCL_API", functions[gpu], 11, at, at + 50'000, id});
            if (hasLaunches)
                run.calls.push_back(
                    {"HIP_RUNTIME_API", "hipExtLaunchKernel", 11, at + 10'000, at + 20'000, id + 1});
            run.kernels.push_back(
                {genericKernel, gpu, 2, 6, at + 60'000, at + 90'000, hasLaunches ? id + 1 : id});
        }
        run.kernels.push_back({product, 0, 1, 5, 6'000'000, 6'100'000, 0});
        // Launched outside every call.
        run.calls.push_back({"HIP_RUNTIME_API", "hipExtLaunchKernel", 11, 7'000'000, 7'010'000, 301});
        run.kernels.push_back({genericKernel, 1, 2, 6, 7'020'000, 7'090'000, 301});
        const TraceModelPtr loaded = m_folder.writeAndLoad("a/1_results.json", rocprofJson(run));
        QVERIFY(loaded);
        const SliceColumns* const first = slicesOf(*loaded, 0, "queue 2");
        const SliceColumns* const second = slicesOf(*loaded, 1, "queue 2");
        QVERIFY(first && second);
        QVERIFY(first->kernelClass[0] == KernelClass::AllReduce);
        QVERIFY(second->kernelClass[0] == KernelClass::Broadcast);
        QVERIFY(second->kernelClass[1] == KernelClass::OtherCommunication);
        const Timeline& timeline = loaded->timelines.back();
        const CollectiveCall& call = timeline.collectives[second->collective[0]];
        QCOMPARE(qText(loaded->text(call.name)), QStringLiteral("ncclBroadcast"));
        QVERIFY(call.onGpu);
        const Diagnostic* const problem = findProblem(loaded->problems, "collectives_unknown");
        QVERIFY(problem && problem->explanation.find(" 1 kernels") != std::string::npos);
    }
    void kernelsOfRcclAloneAreUnknown()
    {
        RocprofRun run = twoSteps();
        run.calls.clear();
        const TraceModelPtr loaded = m_folder.writeAndLoad("a/1_results.json", rocprofJson(run));
        QVERIFY(loaded);
        const SliceColumns* const communication = slicesOf(*loaded, 0, "queue 2");
        QVERIFY(communication && communication->kernelClass[0] == KernelClass::OtherCommunication);
        const Diagnostic* const problem = findProblem(loaded->problems, "collectives_unknown");
        QVERIFY(problem && problem->explanation.find(" 2 kernels") != std::string::npos);
    }
    void theDatabaseSaysTheSame_data()
    {
        QTest::addColumn<int>("schema");
        QTest::newRow("times in the rows") << 3;
        QTest::newRow("times in a table") << 4;
    }
    void theDatabaseSaysTheSame()
    {
        QFETCH(int, schema);
        const TraceModelPtr json = m_folder.writeAndLoad("json/1_results.json", rocprofJson(twoSteps()));
        const TraceModelPtr rows = database("db/1_results.db", twoSteps(), schema);
        QVERIFY(json && rows);
        QCOMPARE(rows->sources.front().eventsInFile, json->sources.front().eventsInFile);
        QCOMPARE(rows->sources.front().shown, json->sources.front().shown);
        QCOMPARE(lanesOf(*rows), lanesOf(*json));
        const QStringList more = sayingsOf(*rows); // and sizes, which the JSON lacks
        for (const QString& saying : sayingsOf(*json))
            QVERIFY2(more.contains(saying), qPrintable(saying));
        QCOMPARE(rows->timelines.front().steps.size(), std::size_t{2});
    }
    void argumentsOfRcclAreSizes()
    {
        const TraceModelPtr run = database("db/1_results.db", twoSteps(), 3);
        QVERIFY(run);
        const auto& calls = run->timelines.front().collectives;
        const auto call
            = std::find_if(calls.begin(), calls.end(), [](const CollectiveCall& own) { return own.onGpu; });
        QVERIFY(call != calls.end());
        QCOMPARE(messageBytes(*call, run->text(call->elementType)), std::optional<std::uint64_t>(2048));
        QVERIFY(!call->groupSize && !call->group); // not in the arguments
    }
    void oneFormOfARecordingIsRead()
    {
        m_folder.write("both/1_results.json", rocprofJson(twoSteps()));
        writeRocpd(m_folder.path("both/1_results.db"), twoSteps(), 3);
        const TraceModelPtr run = m_folder.load("both");
        QVERIFY(run);
        QCOMPARE(run->sources.size(), std::size_t{1});
        QVERIFY(run->sources.front().path.ends_with(".db"));
        QVERIFY(findProblem(run->problems, "same_recording"));
    }
    void descriptionsMayFollow()
    {
        const TraceModelPtr usual = m_folder.writeAndLoad("a/1_results.json", rocprofJson(twoSteps()));
        const TraceModelPtr late = m_folder.writeAndLoad("b/1_results.json", rocprofJson(twoSteps(), true));
        QVERIFY(usual && late);
        QCOMPARE(lanesOf(*late), lanesOf(*usual));
        QCOMPARE(late->sources.front().eventsInFile, usual->sources.front().eventsInFile);
    }
    void kernelsBesideCallsOfRcclNeedNoAdvice()
    {
        RocprofRun run = twoSteps();
        std::erase_if(run.calls,
                      [](const RocprofRun::Call& call) { return !call.domain.starts_with("RCCL"); });
        QVERIFY(!run.calls.empty());
        const TraceModelPtr loaded = m_folder.writeAndLoad("a/1_results.json", rocprofJson(run));
        QVERIFY(loaded);
        const Diagnostic* const problem = findProblem(loaded->problems, "collectives_unknown");
        QVERIFY(problem);
        QVERIFY(problem->explanation.find("The file has calls of RCCL") != std::string::npos);
        QVERIFY(problem->explanation.find("rocprofv3 --runtime-trace") == std::string::npos);
    }
    void sumsOfARealFile()
    {
        if (tracesFolder().isEmpty())
            QSKIP("needs the shared traces");
        const auto run
            = loadPath((tracesFolder() + QStringLiteral("/rocprof/908_results.json.gz")).toStdString());
        QVERIFY(run);
        const TraceModel& model = **run;
        QCOMPARE(model.sources.front().eventsInFile, std::uint64_t{43'915});
        QCOMPARE(model.sources.front().shown, std::uint64_t{43'915});
        QCOMPARE(model.timelines.size(), std::size_t{1});
        std::int64_t kernels = 0, kernelNs = 0, generic = 0, genericNs = 0;
        for (const Track& track : model.tracks) {
            for (std::size_t row = 0; row < track.slices.size(); ++row) {
                ++kernels;
                kernelNs += track.slices.durationNs[row];
                if (track.slices.kernelClass[row] == KernelClass::OtherCommunication) {
                    ++generic;
                    genericNs += track.slices.durationNs[row];
                }
            }
        }
        // Counted and added with a script from the text of the file.
        QCOMPARE(kernels, 43'915);
        QCOMPARE(kernelNs, 4'441'741'378);
        QCOMPARE(generic, 1'310);
        QCOMPARE(genericNs, 4'158'756'678);
        QCOMPARE(model.timelines.front().range.lengthNs(), 63'873'104'615'494 - 63'857'982'592'000);
        QCOMPARE(qText(model.text(model.timelines.front().deviceName)),
                 QStringLiteral("AMD Instinct MI350X"));
        QVERIFY(model.timelines.front().stepSource == StepSource::WholeTrace); // nobody marked steps
        const Diagnostic* const problem = findProblem(model.problems, "collectives_unknown");
        QVERIFY(problem && problem->explanation.find(" 1310 kernels") != std::string::npos);
    }
    void everyCutIsSurvived()
    {
        const std::string bytes = rocprofJson(twoSteps());
        for (std::size_t size = 40; size < bytes.size(); size += 97) {
            const auto fragment = readJson(bytes.substr(0, size));
            if (!fragment)
                continue;
            QCOMPARE(fragment->source.shown + fragment->source.excluded, fragment->source.eventsInFile);
            QVERIFY(findProblem(fragment->problems, "truncated"));
        }
    }
    void damageCostsOneRecord_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QString>("problem");
        QTest::newRow("a quote is lost") << QByteArray("\"kernel_id\":1,") << QByteArray("kernel_id\":1,")
                                         << QStringLiteral("damaged_record");
        QTest::newRow("no time") << QByteArray("\"start_timestamp\":5100000")
                                 << QByteArray("\"start_timestamp\":-7")
                                 << QStringLiteral("row_without_time");
        QTest::newRow("a time beyond all")
            << QByteArray("\"start_timestamp\":5100000")
            << QByteArray("\"start_timestamp\":18446744073709551615") << QStringLiteral("row_without_time");
        QTest::newRow("a text as a time")
            << QByteArray("\"start_timestamp\":5100000") << QByteArray("\"start_timestamp\":\"soon\"")
            << QStringLiteral("row_without_time");
    }
    void damageCostsOneRecord()
    {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QString, problem);
        RocprofRun run = twoSteps();
        for (int i = 0; i < 1000; ++i) // enough text for the end of a record to be missed
            run.kernels.push_back({product, 0, 1, 5, 9'000'000 + i * 100, 9'000'050 + i * 100, 0});
        std::string bytes = rocprofJson(run);
        const std::size_t at = bytes.find(from.toStdString(), bytes.find("buffer_records\":{\"kernel"));
        QVERIFY(at != std::string::npos);
        bytes.replace(at, static_cast<std::size_t>(from.size()), to.toStdString());
        const auto fragment = readJson(bytes);
        QVERIFY(fragment);
        QVERIFY2(findProblem(fragment->problems, problem.toStdString()), "problem");
        QCOMPARE(fragment->source.shown + fragment->source.excluded, fragment->source.eventsInFile);
        QVERIFY(fragment->source.excluded - 3 <= 2); // three allocations are never shown
        QVERIFY(fragment->source.shown >= 1000 + 16 - 2);
    }
    void unknownKernelsAndGpusAreSaid()
    {
        nlohmann::json json = nlohmann::json::parse(rocprofJson(twoSteps()));
        json["rocprofiler-sdk-tool"][0]["kernel_symbols"] = {{{"kernel_id", 99}}};
        json["rocprofiler-sdk-tool"][0]["agents"] = {{{"id", 1}}};
        const auto fragment = readJson(json.dump());
        QVERIFY(fragment);
        QVERIFY(findProblem(fragment->problems, "missing_name"));
        QVERIFY(findProblem(fragment->problems, "unknown_agent"));
    }
    void filesWithoutEventsAreRefused()
    {
        QVERIFY(!readJson(rocprofJson(RocprofRun())));
        QVERIFY(!readJson("{\"rocprofiler-sdk-tool\":[]}"));
        QVERIFY(!readJson("{\"rocprofiler-sdk-tool\":" + std::string(100'000, '[')));
        QVERIFY(
            !readJson("{\"rocprofiler-sdk-tool\":[{\"metadata\":{\"pid\":\"" + std::string(5'000'000, 'x')));
    }
    void otherDatabasesAreRefused()
    {
        const std::string path = m_folder.path("rpd/old_results.db");
        std::filesystem::create_directories(std::filesystem::path(path).parent_path());
        sqlite3* handle = nullptr;
        sqlite3_open(path.c_str(), &handle);
        sqlite3_exec(handle, "CREATE TABLE rocpd_op(id INTEGER, start INTEGER, end INTEGER)", nullptr,
                     nullptr, nullptr);
        sqlite3_close(handle);
        const auto loaded = loadPath(path);
        QVERIFY(!loaded && loaded.error().message.find("rocprofv3") != std::string::npos);
    }
    void cutDatabasesAreSurvived()
    {
        const std::string path = m_folder.path("db/1_results.db");
        writeRocpd(path, twoSteps(), 4);
        std::ifstream file(path, std::ios::binary);
        const std::string bytes((std::istreambuf_iterator<char>(file)), {});
        for (std::size_t size = 1000; size < bytes.size(); size += 9'999) {
            SourceFile cut;
            cut.path = m_folder.write("cut_results.db", bytes.substr(0, size));
            cut.bytes = size;
            const auto fragment = rocpdReader.read(cut, ReadContext());
            if (fragment)
                QCOMPARE(fragment->source.shown + fragment->source.excluded, fragment->source.eventsInFile);
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestRocprof)
#include "tst_rocprof.moc"
