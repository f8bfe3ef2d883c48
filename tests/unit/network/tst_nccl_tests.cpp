// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The output of nccl-tests, as src/util.cu prints it, and what a run reaches of it.

#include "metrics/network/measured_ceiling.h"
#include "model/readers/reader.h"
#include "model/readers/run/load_trace.h"
#include "model/witnesses/network_record.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/suite.h"

#include <QTemporaryDir>

#include <fstream>

namespace collscope {

namespace {

const std::string table = R"(# nccl-tests version 2.17.6 nccl-headers=22602 nccl-library=22602
# Collective test starting: all_reduce_perf
# nThread 1 nGpus 2 minBytes 1048576 maxBytes 16777216 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0
#
# Using devices
#  Rank  0 Group  0 Pid 305376 on node-ao device  0 [0000:0f:00] NVIDIA A100-SXM4-40GB
#  Rank  1 Group  0 Pid 305377 on node-ao device  1 [0000:15:00] NVIDIA A100-SXM4-40GB
#
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  (GB/s)  (GB/s)
     1048576        262144     float     sum      -1    36.50   28.00   28.00       0    36.16   29.00   29.00       0
     4194304       1048576     float     sum      -1    60.00   70.00   70.00       0    60.00   69.00   69.00     N/A
    16777216       4194304     float     sum      -1    200.0   84.00   84.00       2    200.0   80.00   80.00       0
# Out of bounds values : 2 FAILED
# Avg bus bandwidth    : 60.0
)";

const std::string report
    = R"({"version":2,"start_time":"2026-11-29 10:00:00","args":["\/opt\/build\/all_gather_perf","-b","1M"],
"env":["HOME=\/root"],"nccl_version":22703,"config":{"nthreads":1},
"devices":[{"rank":0,"group":0,"pid":1,"hostname":"node-a","device":0,"device_hex":"0x07","device_info":"NVIDIA H100"},
{"rank":1,"group":0,"pid":2,"hostname":"node-b","device":0,"device_hex":"0x07","device_info":"NVIDIA H100"}],
"results":[{"size":1048576,"count":262144,"type":"float","redop":"none","root":"    -1",
"out_of_place":{"time":50.1,"alg_bw":20.9,"bus_bw":10.45,"nwrong":0.0},"in_place":{"time":50.0,"alg_bw":21.0,"bus_bw":10.5,"nwrong":null},
"actual_iterations":20,"experiment_name":"x"},{"size":2097152,"in_place":"nan"}],
"out_of_bounds":{"count":0,"okay":"true"},"average_bus_bandwidth":{"bandwidth":10.4,"okay":"unchecked"}})";

} // namespace

class TestNcclTests : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    Result<TraceFragment> read(const std::string& text, const char* name = "out.txt")
    {
        SourceFile file;
        file.path = m_folder.filePath(QLatin1String(name)).toStdString();
        std::ofstream(file.path) << text;
        return readerOf(SourceKind::NcclTests).read(file, {});
    }

private slots:
    void theTableIsRead()
    {
        const auto fragment = read(table);
        QVERIFY(fragment);
        QCOMPARE(fragment->network->benchmarks.size(), std::size_t(1));
        const NetworkBenchmark& own = fragment->network->benchmarks.front();
        QCOMPARE(own.collective, std::string("all_reduce"));
        QCOMPARE(own.type, std::string("float"));
        QCOMPARE(own.ranks, std::optional<int>(2));
        QCOMPARE(own.hosts, std::vector<std::string>{"node-ao"});
        QCOMPARE(own.devices, std::vector<std::string>{"NVIDIA A100-SXM4-40GB"});
        QCOMPARE(own.rows.size(), std::size_t(3));
        QCOMPARE(own.rows[1].bytes, std::uint64_t(4194304));
        QCOMPARE(own.rows[1].outOfPlace, std::optional<double>(70e9));
        QCOMPARE(own.rows[1].inPlace, std::optional<double>(69e9));
        QCOMPARE(own.rows[1].wrong, std::optional<std::uint64_t>(0));
        QCOMPARE(own.rows[2].wrong, std::optional<std::uint64_t>(2));
        QCOMPARE(fragment->source.shown, std::uint64_t(3));
    }
    void theReportIsRead()
    {
        const auto fragment = read(report, "report.json");
        QVERIFY2(fragment, fragment ? "" : fragment.error().message.c_str());
        const NetworkBenchmark& own = fragment->network->benchmarks.front();
        QCOMPARE(own.collective, std::string("all_gather"));
        QCOMPARE(own.ranks, std::optional<int>(2));
        QCOMPARE(own.hosts, (std::vector<std::string>{"node-a", "node-b"}));
        QCOMPARE(own.rows.size(), std::size_t(1));
        QCOMPARE(own.rows[0].best(), std::optional<double>(10.5e9));
        QCOMPARE(fragment->source.excluded, std::uint64_t(1)); // the size without a bandwidth
        QCOMPARE(fragment->source.eventsInFile, std::uint64_t(2));
    }
    /// Versions before 2.12 print no root for an all-reduce, and an error instead of a number of wrong
    /// elements.
    void columnsAreFoundByTheirTitles()
    {
        const auto fragment = read("#       size         count      type   redop     time   algbw   busbw  "
                                   "error     time   algbw   busbw  error\n"
                                   "#        (B)    (elements)                     (us)  (GB/s)  (GB/s)      "
                                   "      (us)  (GB/s)  (GB/s)\n"
                                   "     8388608       2097152     float     sum    300.0   27.96   48.93  "
                                   "1e-06    301.0   27.86   48.76  1e-06\n");
        QVERIFY(fragment);
        const auto& row = fragment->network->benchmarks.front().rows.front();
        QCOMPARE(row.outOfPlace, std::optional<double>(48.93e9));
        QVERIFY(!row.wrong);
        QVERIFY(!fragment->network->benchmarks.front().ranks);
    }
    void whatIsNoMeasurementIsRefused()
    {
        const auto sniff = readerOf(SourceKind::NcclTests).sniff;
        QVERIFY(sniff("a.txt", table) == Sniff::Yes);
        QVERIFY(sniff("a.json", report) == Sniff::Yes);
        QVERIFY(sniff("a.txt", "size count busbw") == Sniff::No);
        QVERIFY(sniff("a.json", R"({"results": [], "bus_bw": 3})") == Sniff::No);
        QVERIFY(!read(report.substr(0, 300), "cut.json"));
        QVERIFY(!read(table.substr(0, table.find("     1048576"))));
        for (const char* const number : {"nan", "-3.0", "1e300", "inf", "x"}) {
            std::string text = table;
            for (std::size_t at = text.find("28.00   28.00"); at != std::string::npos;
                 at = text.find("28.00   28.00"))
                text.replace(at, 13, std::string("28.00 ") + number);
            for (std::size_t at = text.find("29.00   29.00"); at != std::string::npos;
                 at = text.find("29.00   29.00"))
                text.replace(at, 13, std::string("29.00 ") + number);
            const auto fragment = read(text);
            QVERIFY(fragment);
            QCOMPARE(fragment->source.excluded, std::uint64_t(1));
        }
    }
    /// Calls of 4 MiB in 100 us on two ranks: 41.9 GB/s of 70 measured; at 8 MiB, halfway on the logarithm.
    void aRunIsComparedWithIt()
    {
        SmallRun run(2);
        for (int rank = 0; rank < 2; ++rank) {
            run.step(rank, 1, 0, 1000);
            run.step(rank, 2, 1000, 1000);
            run.step(rank, 3, 2000, 1000);
            SmallCall call;
            call.ranks = "[0, 1]";
            call.groupSize = 2;
            call.inElements = call.outElements = 1 << 20;
            call.sequence = 1;
            run.call(rank, 1100, 100, call);
            call.inElements = call.outElements = 1 << 21;
            call.sequence = 2;
            run.call(rank, 1400, 200, call);
            call.inElements = call.outElements = 1 << 24;
            call.sequence = 3;
            run.call(rank, 1700, 200, call);
        }
        QTemporaryDir folder;
        run.write(folder.path().toStdString());
        std::ofstream(folder.filePath(QStringLiteral("all_reduce.txt")).toStdString()) << table;
        const auto plan = planLoad({folder.path().toStdString()}, {});
        QVERIFY(plan);
        const auto model = loadTrace(*plan, {});
        QVERIFY2(model, model ? "" : model.error().message.c_str());
        Analysis analysis(**model, {});
        const MeasuredCeiling ceiling = measuredCeiling(analysis);
        QCOMPARE(ceiling.rows.size(),
                 std::size_t(2)); // the curve still rises at its end: 64 MiB are not known
        QCOMPARE(ceiling.notes,
                 (std::vector<std::string>{
                     "nccl-tests did not measure AllReduce of 67108864 bytes, nor sizes around it.",
                     "nccl-tests counted wrong results in its AllReduce: its bandwidths may not be those of "
                     "a sound "
                     "network."}));
        QCOMPARE(ceiling.rows[0].bytes, std::uint64_t(4) << 20);
        QCOMPARE(ceiling.rows[0].ceiling, 70e9);
        COLLSCOPE_CLOSE(ceiling.rows[0].reached, 41.94304e9);
        COLLSCOPE_CLOSE(ceiling.rows[1].ceiling, 77e9);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestNcclTests)
#include "tst_nccl_tests.moc"
