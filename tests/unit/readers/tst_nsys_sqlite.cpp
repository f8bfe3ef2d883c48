// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Nsight Systems exports of several ages, made here table by table, and broken ones.

#include "model/readers/nsys/nsys_rep.h"
#include "model/readers/nsys/nsys_steps.h"
#include "model/readers/reader.h"
#include "tests/support/suite/stop_requests.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"

#include <QTemporaryDir>
#include <QTest>

#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace collscope {

extern const ReaderDescriptor nsysReader;

namespace {

constexpr std::int64_t epochNs = 1'700'000'000'000'000'000;

// Two processes, each with its GPU; globalPid = process << 24.
constexpr const char* newSchema = R"sql(
CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);
INSERT INTO StringIds VALUES (1,'ncclDevKernel_AllReduce_Sum_bf16_RING_LL'),(2,'ampere_gemm'),(3,'cudaLaunchKernel'),
  (4,'Train Step 2'),(5,'python'),(6,'main thread'),(7,'SMs Active [Throughput %]');
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER,
  correlationId INTEGER, globalPid INTEGER, shortName INTEGER, demangledName INTEGER, gridX INTEGER, gridY INTEGER,
  gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER, registersPerThread INTEGER,
  staticSharedMemory INTEGER, dynamicSharedMemory INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
  (1000,2000,0,7,11,100<<24,2,1,4,2,1,128,1,1,32,16,8), (2000,3500,0,7,12,100<<24,1,1,1,1,1,512,1,1,96,0,0),
  (1000,2500,1,7,11,101<<24,2,2,4,2,1,128,1,1,32,0,0), (NULL,9,1,7,12,101<<24,2,2,1,1,1,1,1,1,1,0,0);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER,
  correlationId INTEGER, globalPid INTEGER, bytes INTEGER, copyKind INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (3500,3600,0,9,13,100<<24,4096,1);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET(start INTEGER, end INTEGER, deviceId INTEGER, bytes INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (3700,3710,0,64);
CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE(start INTEGER, end INTEGER, deviceId INTEGER, graphId INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (5000,6000,1,3);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER,
  nameId INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (900,950,(100<<24)|100,11,3), (800,850,(101<<24)|101,11,3),
  (700,750,(55<<24)|55,11,3);
CREATE TABLE NVTX_EVENTS(start INTEGER, end INTEGER, eventType INTEGER, text TEXT, globalTid INTEGER, textId INTEGER);
INSERT INTO NVTX_EVENTS VALUES (0,2000,59,'Train Step 1',(100<<24)|100,NULL), (100,2100,59,'train step 1',(101<<24)|101,NULL),
  (2000,4000,59,NULL,(100<<24)|100,4), (10,NULL,34,'mark',(100<<24)|100,NULL), (3000,NULL,60,'open',(100<<24)|100,NULL),
  (0,NULL,75,'domain',(100<<24)|100,NULL);
CREATE TABLE GPU_METRICS(timestamp INTEGER, typeId INTEGER, metricId INTEGER, value INTEGER);
INSERT INTO GPU_METRICS VALUES (1000,256,4,50), (2000,256,4,70), (1000,257,4,10), (1000,256,99,1);
CREATE TABLE TARGET_INFO_GPU_METRICS(typeId INTEGER, metricId INTEGER, metricName TEXT);
INSERT INTO TARGET_INFO_GPU_METRICS VALUES (256,4,'SMs Active [Throughput %]'), (257,4,'SMs Active [Throughput %]');
CREATE TABLE TARGET_INFO_CUDA_DEVICE(gpuId INTEGER, cudaId INTEGER, pid INTEGER, numMultiprocessors INTEGER);
INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (0,0,100,108), (1,1,101,108);
CREATE TABLE TARGET_INFO_GPU(id INTEGER, name TEXT, smCount INTEGER);
INSERT INTO TARGET_INFO_GPU VALUES (0,'NVIDIA A100-SXM4-80GB',108), (1,'NVIDIA A100-SXM4-80GB',108);
CREATE TABLE TARGET_INFO_SESSION_START_TIME(utcEpochNs INTEGER);
INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1700000000000000000);
CREATE TABLE ThreadNames(nameId INTEGER, globalTid INTEGER);
INSERT INTO ThreadNames VALUES (6,(100<<24)|100);
CREATE TABLE SCHED_EVENTS(start INTEGER);
INSERT INTO SCHED_EVENTS VALUES (1);
)sql";

const Track* trackNamed(const TraceFragment& fragment, const Timeline& timeline, std::string_view name)
{
    for (const TrackId id : timeline.tracks) {
        if (fragment.strings.view(fragment.tracks[id.value].name).find(name) != std::string_view::npos)
            return &fragment.tracks[id.value];
    }
    return nullptr;
}

} // namespace

class TestNsysSqlite : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void readsBothSidesOfTwoGpus();
    void countsEveryRow();
    void everyShownRowIsInTheModel();
    void oneFilePerRankKeepsItsRank();
    void findsSteps();
    void readsAnOldExportWithoutSessionStart();
    void separatesProcessesThatCallTheirGpuZero();
    void keepsCorrelationsOfSharedGpusApart();
    void readsWhatIsWaitedFor();
    void reportsBrokenFiles();
    void recognisesExports();
    void matchesStepNames_data();
    void matchesStepNames();
    void makesWindowsOfOptimizerSteps();
    void findsTheExportOfAReport();

private:
    std::string pathOf(const char* name) { return m_folder->filePath(QString::fromUtf8(name)).toStdString(); }
    std::string create(const char* sql, const char* name = "report.sqlite")
    {
        std::string path = pathOf(name);
        sqlite3* database = nullptr;
        sqlite3_open(path.c_str(), &database);
        char* message = nullptr;
        if (sqlite3_exec(database, sql, nullptr, nullptr, &message) != SQLITE_OK)
            qFatal("%s", message);
        sqlite3_close(database);
        return path;
    }
    static Result<TraceFragment> read(const std::string& path)
    {
        SourceFile file;
        file.path = path;
        std::error_code ignored;
        file.bytes = std::filesystem::file_size(path, ignored);
        return nsysReader.read(file, ReadContext());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestNsysSqlite::readsBothSidesOfTwoGpus()
{
    const auto result = read(create(newSchema));
    QVERIFY(result);
    const TraceFragment& fragment = result.value();
    QVERIFY(fragment.hasWallClock);
    QCOMPARE(fragment.clockOffsetNs, epochNs);
    QCOMPARE(fragment.timelines.size(), std::size_t{2});
    const Timeline& first = fragment.timelines[0];
    QCOMPARE(first.device, 0);
    QCOMPARE(first.multiprocessors, 108);
    QCOMPARE(fragment.strings.view(first.deviceName), std::string_view("NVIDIA A100-SXM4-80GB"));

    const Track* const stream = trackNamed(fragment, first, "stream 7");
    QVERIFY(stream);
    QCOMPARE(stream->slices.size(), std::size_t{2});
    QCOMPARE(stream->slices.kernelClass[0], KernelClass::Gemm);
    QCOMPARE(stream->slices.kernelClass[1], KernelClass::AllReduce);
    const KernelDetail& detail = first.kernelDetails[stream->slices.detail[0]];
    QCOMPARE(detail.grid[0], 4u);
    QCOMPARE(detail.block[0], 128u);
    QCOMPARE(detail.sharedMemoryBytes, 24);
    const Track* const copies = trackNamed(fragment, first, "stream 9");
    QVERIFY(copies);
    QCOMPARE(fragment.strings.view(copies->slices.name[0]), std::string_view("Memcpy HtoD"));
    QCOMPARE(first.kernelDetails[copies->slices.detail[0]].bytes, std::int64_t{4096});

    const Track* const thread = trackNamed(fragment, first, "main thread");
    QVERIFY(thread);
    QCOMPARE(thread->instants.size(), std::size_t{1});
    const SliceRef launch = first.launchOf(11);
    QVERIFY(launch);
    QCOMPARE(fragment.tracks[launch.track.value].slices.startNs[launch.row], std::int64_t{900});
    // Process 55 has no GPU work: its thread is shown with the first GPU but launches nothing there.
    QVERIFY(trackNamed(fragment, first, "thread 55"));

    const Timeline& second = fragment.timelines[1];
    QCOMPARE(second.graphTraceSpans, std::uint64_t{1});
    QVERIFY(findProblem(fragment.problems, "graph_trace"));
    QCOMPARE(second.counters.size(), std::size_t{1});
    QCOMPARE(first.counters.at(0).value, (std::vector<double>{50, 70}));
    QCOMPARE(first.counters.at(0).unit, CounterUnit::Percent);
}

void TestNsysSqlite::countsEveryRow()
{
    const auto result = read(create(newSchema));
    QVERIFY(result);
    QCOMPARE(result->source.eventsInFile, std::uint64_t{4 + 1 + 1 + 1 + 3 + 6 + 4});
    QCOMPARE(result->source.shown + result->source.excluded, result->source.eventsInFile);
    QCOMPARE(result->source.excluded, std::uint64_t{3});
    QCOMPARE(result->problems.excludedEvents(), std::uint64_t{3});
    QVERIFY(findProblem(result->problems, "row_without_time"));
    QVERIFY(findProblem(result->problems, "nvtx_definitions"));
    QVERIFY(findProblem(result->problems, "unnamed_metric"));
    QVERIFY(findProblem(result->problems, "tables_not_read")->explanation.find("SCHED_EVENTS")
            != std::string::npos);
}

void TestNsysSqlite::everyShownRowIsInTheModel()
{
    const auto result = read(create(newSchema));
    QVERIFY(result);
    std::uint64_t entered = 0;
    for (const Track& track : result->tracks)
        entered += track.slices.size() + track.instants.size();
    for (const Timeline& timeline : result->timelines) {
        for (const CounterSeries& counter : timeline.counters)
            entered += counter.timeNs.size();
    }
    // Both GPUs were used by threads of their own, so no CPU row is on two timelines.
    QCOMPARE(entered, result->source.shown);
}

void TestNsysSqlite::oneFilePerRankKeepsItsRank()
{
    // torchrun gives rank r the GPU r, and each process is profiled into a file of its own.
    std::string oneGpu(newSchema);
    for (const int rank : {0, 1, 3}) {
        const std::string device = std::to_string(rank);
        const std::string name = "rank" + device + ".sqlite";
        create((oneGpu + "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET deviceId=" + device
                + ", globalPid=100<<24;UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET deviceId=" + device
                + ";UPDATE CUPTI_ACTIVITY_KIND_MEMSET SET deviceId=" + device
                + ";UPDATE CUPTI_ACTIVITY_KIND_GRAPH_TRACE SET deviceId=" + device
                + ";DELETE FROM TARGET_INFO_CUDA_DEVICE; DELETE FROM GPU_METRICS;")
                   .c_str(),
               name.c_str());
    }
    const auto model = loadPath(m_folder->path().toStdString());
    QVERIFY(model);
    QCOMPARE((*model)->ranks(), (std::vector<std::int32_t>{0, 1, 3}));
    for (const Timeline& timeline : (*model)->timelines)
        QCOMPARE((*model)->sources[timeline.source.value].rank, std::optional(timeline.rank));
}

void TestNsysSqlite::findsSteps()
{
    const auto result = read(create(newSchema));
    QVERIFY(result);
    for (const Timeline& timeline : result->timelines) {
        QCOMPARE(timeline.stepSource, StepSource::NvtxStep);
        QCOMPARE(timeline.steps.size(), std::size_t{2});
        QCOMPARE(timeline.steps[0].range, (TimeRange{0, 2100}));
        QCOMPARE(timeline.steps[1].number, std::int64_t{2});
        QCOMPARE(timeline.steps[1].range, (TimeRange{2000, 4000}));
    }
    QVERIFY(findProblem(result->problems, "open_range"));
    QVERIFY(!findProblem(result->problems, "repeated_step"));
}

void TestNsysSqlite::readsAnOldExportWithoutSessionStart()
{
    // Names as literal text, no StringIds, no globalPid, no session start.
    const auto result = read(create(R"sql(
        CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER, deviceId INTEGER, name TEXT);
        INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1,2,0,'ncclKernel_AllReduce_RING_LL_Sum_float(...)'), (5,4,0,NULL);
        CREATE TABLE ANALYSIS_DETAILS(startTime INTEGER);
        INSERT INTO ANALYSIS_DETAILS VALUES (35255823190);)sql"));
    QVERIFY(result);
    QVERIFY(!result->hasWallClock);
    QVERIFY(findProblem(result->problems, "no_session_start"));
    QVERIFY(findProblem(result->problems, "missing_name"));
    QVERIFY(findProblem(result->problems, "negative_duration"));
    QCOMPARE(result->tracks.at(0).slices.kernelClass[0], KernelClass::AllReduce);
    QVERIFY(result->timelines.at(0).steps.empty());

    const auto epoch = read(create(R"sql(
        CREATE TABLE GPU_METRICS(timestamp INTEGER, typeId INTEGER, metricId INTEGER, value INTEGER);
        INSERT INTO GPU_METRICS VALUES (1,0,0,1);
        CREATE TABLE ANALYSIS_DETAILS(startTime INTEGER);
        INSERT INTO ANALYSIS_DETAILS VALUES (1700000000000000000);)sql",
                                   "epoch.sqlite"));
    QVERIFY(epoch);
    QCOMPARE(epoch->clockOffsetNs, epochNs);
    QVERIFY(findProblem(epoch->problems, "session_start_guessed"));
}

void TestNsysSqlite::separatesProcessesThatCallTheirGpuZero()
{
    const auto result = read(create(R"sql(
        CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER, deviceId INTEGER, globalPid INTEGER, shortName TEXT);
        INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1,2,0,100<<24,'a'), (1,2,0,101<<24,'b');
        CREATE TABLE TARGET_INFO_CUDA_DEVICE(gpuId INTEGER, cudaId INTEGER, pid INTEGER, numMultiprocessors INTEGER);
        INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (2,0,100,108), (3,0,101,132);)sql"));
    QVERIFY(result);
    QCOMPARE(result->timelines.size(), std::size_t{2});
    QCOMPARE(result->timelines[0].device, 2);
    QCOMPARE(result->timelines[1].device, 3);
    QCOMPARE(result->timelines[1].multiprocessors, 132);
    QVERIFY(findProblem(result->problems, "gpu_numbers"));
}

void TestNsysSqlite::keepsCorrelationsOfSharedGpusApart()
{
    const auto result = read(create(R"sql(
        CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER,
            correlationId INTEGER, globalPid INTEGER, shortName TEXT);
        INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10,20,0,7,5,100<<24,'a'), (11,21,0,7,5,101<<24,'b');
        CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER, nameId TEXT);
        INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1,2,(100<<24)|1,5,'launch a'), (3,4,(101<<24)|1,5,'launch b');)sql"));
    QVERIFY(result);
    QCOMPARE(result->timelines.size(), std::size_t{1});
    int kernels = 0;
    for (const Track& track : result->tracks) {
        if (track.kind != TrackKind::GpuStream)
            continue;
        QCOMPARE(track.slices.size(), std::size_t{1});
        const SliceRef launch = result->timelines[0].launchOf(track.slices.correlation[0]);
        QVERIFY(launch);
        const std::string kernel(result->strings.view(track.slices.name[0]));
        const StringId call = result->tracks[launch.track.value].slices.name[launch.row];
        QCOMPARE(std::string(result->strings.view(call)), "launch " + kernel);
        ++kernels;
    }
    QCOMPARE(kernels, 2);
}

/// A stream that waits for a recorded event, one that waits for an event of another process (there is none),
/// a synchronised stream, and a synchronised event; a wait of a GPU without work belongs to nobody.
void TestNsysSqlite::readsWhatIsWaitedFor()
{
    const std::string waits = R"sql(
CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT(timestamp INTEGER, deviceId INTEGER, streamId INTEGER,
  correlationId INTEGER, globalPid INTEGER, eventId INTEGER, eventSyncId INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES (0,0,7,21,100<<24,4,1), (0,0,9,22,100<<24,4,2), (0,1,7,23,101<<24,4,9);
CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION(start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER,
  correlationId INTEGER, globalPid INTEGER, syncType INTEGER, eventId INTEGER, eventSyncId INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES
  (10,11,0,7,31,100<<24,2,4,2), (12,13,0,9,32,100<<24,2,4,9), (14,15,0,7,33,100<<24,3,4294967295,4294967295),
  (16,17,0,4294967295,34,100<<24,1,4,1), (18,19,0,4294967295,35,100<<24,4,4294967295,4294967295),
  (20,21,5,7,36,100<<24,3,4294967295,4294967295);
)sql";
    const auto fragment = read(create((std::string(newSchema) + waits).c_str()));
    QVERIFY(fragment);
    const std::vector<SyncDetail> expected{{31, 7, 9, 22}, {32, 9, -1, 0}, {33, 7, -1, 0}, {34, -1, 7, 21}};
    QVERIFY(fragment->timelines.front().syncs == expected);
    QVERIFY(fragment->timelines.back().syncs.empty());
    QCOMPARE(fragment->timelines.size(), std::size_t(2));
    const std::string& unread = findProblem(fragment->problems, "tables_not_read")->explanation;
    QVERIFY2(unread.find("CUPTI") == std::string::npos, unread.c_str());
}

void TestNsysSqlite::reportsBrokenFiles()
{
    QVERIFY(!read(pathOf("absent.sqlite")));

    std::ofstream(pathOf("text.sqlite")) << "this is no database, but long enough to be looked at as one";
    QVERIFY(!read(pathOf("text.sqlite")));

    const auto foreign = read(create("CREATE TABLE bookmarks(id INTEGER);", "places.sqlite"));
    QVERIFY(!foreign);
    QVERIFY(foreign.error().message.find("Nsight") != std::string::npos);
    const auto nothing = read(create("CREATE TABLE NVTX_EVENTS(start INTEGER);", "empty.sqlite"));
    QVERIFY(!nothing);
    QVERIFY(nothing.error().message.find("--trace=cuda,nvtx") != std::string::npos);

    // A copy cut at every fourth page: an Error or a fragment with consistent counts, never a crash.
    const std::string whole = create(newSchema, "whole.sqlite");
    const auto size = std::filesystem::file_size(whole);
    for (std::uintmax_t cut = 0; cut < size; cut += 4 * 4096) {
        const std::string part = pathOf("part.sqlite");
        std::filesystem::copy_file(whole, part, std::filesystem::copy_options::overwrite_existing);
        std::filesystem::resize_file(part, cut);
        const auto result = read(part);
        if (result)
            QCOMPARE(result->source.shown + result->source.excluded, result->source.eventsInFile);
        else
            QVERIFY(!result.error().message.empty());
    }
}

void TestNsysSqlite::recognisesExports()
{
    const std::string head = std::string("SQLite format 3\0", 16) + "CREATE TABLE NVTX_EVENTS";
    QCOMPARE(nsysReader.sniff("anything", head), Sniff::Yes);
    QCOMPARE(nsysReader.sniff("places.db", "SQLite format 3 CREATE TABLE bookmarks"), Sniff::No);
    QCOMPARE(nsysReader.sniff("x.sqlite", "{\"traceEvents\": []}"), Sniff::No);
}

void TestNsysSqlite::matchesStepNames_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<int>("number");
    QTest::newRow("train") << QByteArray("Train Step 12") << 12;
    QTest::newRow("training") << QByteArray("rank0 training step   3 (warm)") << 3;
    QTest::newRow("iteration") << QByteArray("ITERATION 7") << 7;
    QTest::newRow("step") << QByteArray(" step 5 ").trimmed() << 5;
    QTest::newRow("step inside") << QByteArray("substep 5") << -1;
    QTest::newRow("forward_step") << QByteArray("forward_step") << -1;
    QTest::newRow("no number") << QByteArray("iteration end") << -1;
    QTest::newRow("overflow") << QByteArray("step 99999999999999999999999") << -1;
}

void TestNsysSqlite::matchesStepNames()
{
    QFETCH(QByteArray, name);
    QFETCH(int, number);
    NvtxSteps steps;
    steps.add(StringId{1}, name.toStdString(), {1, 2}, 1);
    StepSource source = StepSource::WholeTrace;
    const std::vector<Step> found = steps.steps(source);
    QCOMPARE(found.empty(), number < 0);
    if (number >= 0)
        QCOMPARE(found[0].number, std::int64_t{number});
}

void TestNsysSqlite::makesWindowsOfOptimizerSteps()
{
    NvtxSteps steps;
    for (const std::int64_t begin : {100, 300, 600}) {
        steps.add(StringId{1}, "Optimizer.step#AdamW.step", {begin, begin + 50}, 1);
        steps.add(StringId{2}, "optimizer_step inner", {begin + 10, begin + 20},
                  1); // inside the first: the same step
    }
    steps.add(StringId{1}, "Optimizer.step#AdamW.step", {0, 50}, 2);
    StepSource source = StepSource::WholeTrace;
    const std::vector<Step> found = steps.steps(source);
    QCOMPARE(source, StepSource::OptimizerMarker);
    QCOMPARE(found.size(), std::size_t{2});
    QCOMPARE(found[0].range, (TimeRange{100, 300}));
    QCOMPARE(found[1].range, (TimeRange{300, 600}));

    // Numbered ranges win, and a number used twice on one thread is noticed.
    steps.add(StringId{3}, "iteration 1", {0, 10}, 1);
    steps.add(StringId{3}, "iteration 1", {20, 30}, 1);
    QCOMPARE(steps.steps(source).size(), std::size_t{1});
    QCOMPARE(source, StepSource::NvtxStep);
    QVERIFY(steps.hasRepeatedNumbers());
}

void TestNsysSqlite::findsTheExportOfAReport()
{
    QVERIFY(looksLikeNsysReport("x.nsys-rep", ""));
    QVERIFY(looksLikeNsysReport("x", "NVIDIA Tegra Profiler Report 2025"));
    QVERIFY(!looksLikeNsysReport("x.json", "{"));

    ReadContext unasking;
    unasking.cacheFolder = pathOf("cache");
    ReadContext asking = unasking;
    asking.exportsReports = true;
    ReadContext uncached;
    uncached.exportsReports = true;
    ReadContext stopping = asking;
    stopping.stop = stopRequested();
    std::ofstream(pathOf("run.nsys-rep")) << "report";
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", m_folder->path().toUtf8());
    const auto nowhere = sqliteForNsysReport(pathOf("run.nsys-rep"), asking);
    QVERIFY(!nowhere && !isNsysInstalled());
    QVERIFY(nowhere.error().message.find("nsys export --type sqlite") != std::string::npos);

    // A stand-in for nsys that writes its --output and counts its runs.
    const std::string tool = pathOf("nsys");
    std::ofstream(tool) << "#!/bin/sh\necho run >> '" << pathOf("runs")
                        << "'\necho noise\necho made > \"$5\"\n";
    std::filesystem::permissions(tool, std::filesystem::perms::owner_all);
    const bool isInstalled = isNsysInstalled();
    const auto unasked = sqliteForNsysReport(pathOf("run.nsys-rep"), unasking);
    const bool hasRun = std::filesystem::exists(pathOf("runs"));
    const auto made = sqliteForNsysReport(pathOf("run.nsys-rep"), asking);
    const auto again = sqliteForNsysReport(pathOf("run.nsys-rep"), unasking);
    const auto unwanted = sqliteForNsysReport(pathOf("run.nsys-rep"), uncached);
    std::ofstream(tool) << "#!/bin/sh\nexit 3\n";
    std::ofstream(pathOf("other.nsys-rep")) << "report";
    const auto failing = sqliteForNsysReport(pathOf("other.nsys-rep"), asking);
    std::ofstream(tool) << "#!/bin/sh\nexec /bin/sleep 60\n";
    const auto cancelled = sqliteForNsysReport(pathOf("other.nsys-rep"), stopping);
    qputenv("PATH", path);

    QVERIFY(isInstalled && !unasked && !hasRun);
    QVERIFY(unasked.error().message.find("--export-nsys") != std::string::npos);
    QVERIFY(made);
    QVERIFY(made->starts_with(pathOf("cache")));
    QVERIFY(again);
    QCOMPARE(made.value(), again.value());
    QCOMPARE(std::filesystem::file_size(pathOf("runs")), std::uintmax_t{4});
    QVERIFY(!unwanted);
    QVERIFY(!failing);
    QVERIFY(failing.error().message.find("status 3") != std::string::npos);
    QVERIFY(!cancelled);
    QCOMPARE(cancelled.error().kind, Error::Kind::Cancelled);

    std::ofstream(pathOf("run.sqlite")) << "export";
    const auto sibling = sqliteForNsysReport(pathOf("run.nsys-rep"), ReadContext());
    QVERIFY(sibling);
    QCOMPARE(sibling.value(), pathOf("run.sqlite"));
}

COLLSCOPE_TEST(TestNsysSqlite)

} // namespace collscope

#include "tst_nsys_sqlite.moc"
