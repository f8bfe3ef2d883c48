// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Files of the NCCL Inspector: the records that its README shows for each version, damaged ones, and large
// files that threads share.

#include "app/runtime/thread_pool.h"
#include "metrics/history/communication_changes.h"
#include "model/readers/reader.h"
#include "model/witnesses/job_history.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"

#include <cmath>

namespace collscope {

namespace {

constexpr std::string_view headerOfV40
    = R"("header":{"id":"0x7f8c496ae9f661","rank":2,"n_ranks":8,"nnodes":1},)"
      R"("metadata":{"inspector_output_format_version":"v4.0","git_rev":"","rec_mechanism":"profiler_plugin",)"
      R"("dump_timestamp_us":1748030377748202,"hostname":"example-hostname","pid":1639453})";
constexpr std::string_view reduceOfV40
    = R"("coll":"AllReduce","coll_sn":1407,"coll_msg_size_bytes":17179869184,"coll_exec_time_us":61974,)"
      R"("coll_algobw_gbs":277.210914,"coll_busbw_gbs":485.119099)";
constexpr std::string_view markerOfV43
    = R"({"header":{"id":"0x7f8c496ae9f661","comm_name":"DP Group 0","rank":2,"n_ranks":8,"nnodes":1},)"
      R"("metadata":{"inspector_output_format_version":"v4.3","git_rev":"","rec_mechanism":"nccl_profiler_interface",)"
      R"("dump_timestamp_us":1748030377748202,"hostname":"example-hostname","pid":1639453},)"
      R"("dump_stats":{"coll_records":2,"coll_dropped_total":4096,"coll_dropped_since_last_dump":512,)"
      R"("p2p_records":1,"p2p_dropped_total":4,"p2p_dropped_since_last_dump":0,"proxy_records":1}})";
constexpr std::string_view verboseOfV42
    = R"("coll":"ReduceScatter","coll_algo":"RING","coll_proto":"SIMPLE","coll_sn":1231,)"
      R"("coll_msg_size_bytes":2147483648,"coll_exec_time_us":41057,"coll_timing_source":"kernel_gpu",)"
      R"("coll_algobw_gbs":418.439467,"coll_busbw_gbs":366.134533,"event_trace_sn":{"coll_start_sn":1,)"
      R"("coll_stop_sn":2,"kernel_events":[{"channel_id":0,"kernel_start_sn":3,"kernel_stop_sn":48,)"
      R"("kernel_record_sn":47}]},"event_trace_ts":{"coll_start_ts":1752867229235059,)"
      R"("coll_stop_ts":1752867229235064,"kernel_events":[{"channel_id":0,"kernel_start_ts":1752867229235181,)"
      R"("kernel_stop_ts":1752867229275811,"kernel_record_ts":1752867229275811}]})";

std::string object(std::string_view fields)
{
    return "{" + std::string(fields) + "}\n";
}

std::string recordOfV40(std::string_view figures = reduceOfV40)
{
    return object(std::string(headerOfV40) + R"(,"coll_perf":{)" + std::string(figures) + "}");
}

/// What the reader makes of a file; the numbers of its records add up.
struct Read
{
    explicit Read(std::string_view text, const std::string& name = "node-1-pid1.log")
    {
        const std::string path = folder.write(name, text);
        SourceFile file;
        file.path = path;
        file.bytes = text.size();
        const ReaderDescriptor& reader = readerOf(SourceKind::NcclInspector);
        isSniffed = reader.sniff(name, text) == Sniff::Yes;
        auto result = reader.read(file, ReadContext());
        if (result) {
            fragment = std::move(*result);
            addsUp = fragment.source.eventsInFile == fragment.source.shown + fragment.source.excluded
                && fragment.problems.excludedEvents() == fragment.source.excluded;
        } else {
            error = result.error().message;
        }
    }
    const JobHistory& history() const { return *fragment.history; }
    bool reports(std::string_view code) const { return findProblem(fragment.problems, code) != nullptr; }

    RunFolder folder;
    TraceFragment fragment;
    std::string error;
    bool isSniffed = false, addsUp = false;
};

} // namespace

class TestNcclInspector : public QObject
{
    Q_OBJECT

private slots:
    void readsVersion40()
    {
        const Read read(recordOfV40());
        QVERIFY(read.isSniffed && read.addsUp);
        const JobHistory& history = read.history();
        QCOMPARE(history.members.size(), std::size_t{1});
        const HistoryMember& member = history.members[0];
        QCOMPARE(member.rank, 2);
        QCOMPARE(member.host, std::string("example-hostname"));
        QCOMPARE(member.pid, std::int64_t{1'639'453});
        QCOMPARE(history.communicators[0].hash, std::string("0x7f8c496ae9f661"));
        QCOMPARE(history.communicators[0].ranks, 8);
        QCOMPARE(history.communicators[0].nodes, 1);
        QVERIFY(history.communicators[0].name.empty());
        QCOMPARE(member.operations.size(), std::size_t{1});
        QCOMPARE(member.operations.number[0], 1407u);
        QCOMPARE(member.operations.timeUs[0], std::int64_t{1'748'030'377'748'202});
        QCOMPARE(member.operations.durationUs[0], 61974.0f);
        QVERIFY(std::abs(member.operations.busGbPerSecond[0] - 485.119f) < 0.001f);
        const OperationClass& own = history.classes[member.operations.operationClass[0]];
        QCOMPARE(own.operation, std::string("AllReduce"));
        QCOMPARE(own.bytes, std::uint64_t{17'179'869'184});
        QVERIFY(!own.startIsStated && !own.isPointToPoint);
        QVERIFY(!member.dropped.has_value());
    }

    void readsStartsOfVersion42()
    {
        const Read read(recordOfV40(verboseOfV42));
        QVERIFY(read.addsUp);
        const HistoryMember& member = read.history().members[0];
        QCOMPARE(member.operations.timeUs[0],
                 std::int64_t{1'752'867'229'235'181}); // of the kernel, not of the host
        const OperationClass& own = read.history().classes[0];
        QVERIFY(own.startIsStated);
        QVERIFY(own.timing == OperationClass::Timing::KernelGpu);
    }

    void readsVersion43ByItsMarkers()
    {
        const std::string p2p
            = R"({"p2p_perf":{"p2p":"Send","p2p_sn":3,"p2p_peer":5,"p2p_msg_size_bytes":65536,)"
              R"("p2p_exec_time_us":42,"p2p_timing_source":"kernel_cpu"}})";
        const std::string reduce = R"({"coll_perf":{)" + std::string(reduceOfV40) + "}}\n";
        const Read read(std::string(markerOfV43) + "\n" + reduce + R"({"coll_perf":{)"
                        + std::string(verboseOfV42) + "}}\n" + p2p + "\n"
                        + R"({"proxy_trace":{"record_type":"proxy_op","rank":7}})" + "\n" + reduce);
        QVERIFY(read.isSniffed && read.addsUp);
        QCOMPARE(read.fragment.source.eventsInFile, std::uint64_t{6});
        QCOMPARE(read.fragment.source.shown, std::uint64_t{4}); // the marker, too
        QVERIFY(read.reports("record_without_header")); // the last one is not counted by any marker
        QVERIFY(read.reports("proxy_records"));
        QCOMPARE(read.history().members.size(), std::size_t{1});
        const HistoryMember& member = read.history().members[0];
        QCOMPARE(member.operations.size(), std::size_t{3});
        QCOMPARE(member.dropped.value_or(0), std::uint64_t{4100});
        QCOMPARE(read.history().communicators[0].name, std::string("DP Group 0"));
        const OperationClass& send = read.history().classes[member.operations.operationClass[2]];
        QVERIFY(send.isPointToPoint);
        QCOMPARE(send.peer, 5);
    }

    void laterVersionsHaveMarkers_data()
    {
        QTest::addColumn<QString>("version");
        QTest::addColumn<bool>("hasMarkers");
        for (const char* version : {"v4.3", "v4.10", "v5.0", "v10.0"})
            QTest::newRow(version) << QString::fromLatin1(version) << true;
        for (const char* version : {"v4.2", "v3.9", "v4", "vx.3"})
            QTest::newRow(version) << QString::fromLatin1(version) << false;
    }
    /// Lines without a header belong to the marker before them.
    void laterVersionsHaveMarkers()
    {
        QFETCH(const QString, version);
        QFETCH(const bool, hasMarkers);
        std::string marker(markerOfV43);
        const std::size_t place = marker.find("v4.3");
        marker.replace(place, 4, version.toStdString());
        const std::string reduce = R"({"coll_perf":{)" + std::string(reduceOfV40) + "}}\n";
        const Read read(marker + "\n" + reduce);
        QCOMPARE(read.reports("record_without_header"), !hasMarkers);
        QVERIFY(read.addsUp);
    }

    void saysThatADumpIsCutOff()
    {
        const Read read(std::string(markerOfV43) + "\n" + R"({"coll_perf":{)" + std::string(reduceOfV40)
                        + "}}\n");
        QVERIFY(read.addsUp && read.reports("unfinished_dump"));
        QCOMPARE(read.fragment.source.shown, std::uint64_t{2});
    }

    void readsTheFlatForm()
    {
        const Read read(object(R"("id":"0xabc","rank":0,"n_ranks":4,"nnodes":2,"hostname":"h","pid":7,)"
                               R"("dump_timestamp_us":1748030377748202,"coll":"AllGather","coll_sn":1,)"
                               R"("coll_msg_size_bytes":8192,"coll_exec_time_us":12)"));
        QVERIFY(read.isSniffed && read.addsUp);
        const HistoryMember& member = read.history().members[0];
        QCOMPARE(member.host, std::string("h"));
        QCOMPARE(member.operations.size(), std::size_t{1});
        QVERIFY(std::isnan(member.operations.busGbPerSecond[0]));
    }

    void busBandwidthIsTheInspectors()
    {
        // 16 GiB in 61974 us on 8 ranks are 277.21 GB/s, and 485.12 on the bus; a part of 2 GiB in 41057 us
        // 366.13.
        QVERIFY(std::abs(17179869184.0 / 61974 / 1000 * *busFactor("AllReduce", 8) - 485.119099) < 0.001);
        QVERIFY(std::abs(2147483648.0 / 41057 / 1000 * *busFactor("ReduceScatter", 8) - 366.134533) < 0.001);
        QVERIFY(!busFactor("AllReduce", 0) && !busFactor("Unheard", 8));
    }

    void readsPrometheusText()
    {
        const std::string labels
            = R"({version="v5.1",slurm_job_id="unknown",node="nvl72004-T01",gpu="GPU0",comm_name="DP Group 0",)"
              R"(n_nodes="1",nranks="4",collective="AllReduce",message_size="4-5GB",algo_proto="Ring_ll"})";
        const std::string stats = R"({version="v5.1",slurm_job_id="unknown",node="nvl72004-T01",gpu="GPU0"})";
        const Read read("# HELP nccl_bus_bandwidth_gbs x\nnccl_bus_bandwidth_gbs" + labels
                            + " 678.263\nnccl_collective_exec_time_microseconds" + labels
                            + " 9498.47\nnccl_collectives_dropped_total" + stats
                            + " 17\nnccl_p2p_bus_bandwidth_gbs{x",
                        "nccl_inspector_metrics_GPU-1.prom");
        QVERIFY(read.isSniffed && read.addsUp);
        QCOMPARE(read.fragment.source.excluded, std::uint64_t{1});
        const JobHistory& history = read.history();
        QCOMPARE(history.samples.size(), std::size_t{1});
        QCOMPARE(history.samples[0].busGbPerSecond.value_or(0), 678.263);
        QCOMPARE(history.samples[0].durationUs.value_or(0), 9498.47);
        QCOMPARE(history.samples[0].sizes, std::string("4-5GB"));
        QCOMPARE(history.members[history.samples[0].member].host, std::string("nvl72004-T01"));
        QVERIFY(!history.samples[0].timeNs);
    }

    void damagedRecordsCostThemselvesOnly_data()
    {
        QTest::addColumn<std::string>("bad");
        QTest::addColumn<bool>("isRecord");
        const std::string good = recordOfV40();
        const auto with = [](const char* figures) { return recordOfV40(figures); };
        QTest::newRow("cut off") << good.substr(0, good.size() / 2) + "\n" << true;
        QTest::newRow("two mixed") << good.substr(0, good.size() - 1) + good << true;
        QTest::newRow("no figures") << object(headerOfV40) << true;
        QTest::newRow("negative time")
            << with(R"("coll":"AllReduce","coll_sn":1,"coll_msg_size_bytes":1,"coll_exec_time_us":-5)")
            << true;
        QTest::newRow("time as text")
            << with(R"("coll":"AllReduce","coll_sn":1,"coll_msg_size_bytes":1,"coll_exec_time_us":"5")")
            << true;
        QTest::newRow("endless time")
            << with(R"("coll":"AllReduce","coll_sn":1,"coll_msg_size_bytes":1,"coll_exec_time_us":1e300)")
            << true;
        QTest::newRow("huge number") << with(
            R"("coll":"AllReduce","coll_sn":99999999999,"coll_msg_size_bytes":1,"coll_exec_time_us":5)")
                                     << true;
        QTest::newRow("huge size") << with(
            R"("coll":"AllReduce","coll_sn":1,"coll_msg_size_bytes":18446744073709551615,"coll_exec_time_us":5)")
                                   << true;
        QTest::newRow("NaN") << with(
            R"("coll":"AllReduce","coll_sn":1,"coll_msg_size_bytes":1,"coll_exec_time_us":NaN)")
                             << true;
        QTest::newRow("no operation")
            << with(R"("coll":"","coll_sn":1,"coll_msg_size_bytes":1,"coll_exec_time_us":5)") << true;
        QTest::newRow("deep") << "{\"a\":" + std::string(5000, '[') + std::string(5000, ']') + "}\n" << true;
        QTest::newRow("zero bytes") << "{" + std::string(100, '\0') + "}\n" << true;
        QTest::newRow("orphan") << object(R"("coll_perf":{)" + std::string(reduceOfV40) + "}") << true;
        QTest::newRow("log line") << std::string("NCCL INFO something\n") << false;
        QTest::newRow("long line") << std::string(5u << 20, 'x') + "\n" << false;
    }

    void damagedRecordsCostThemselvesOnly()
    {
        QFETCH(const std::string, bad);
        QFETCH(const bool, isRecord);
        const Read read(recordOfV40() + bad + recordOfV40(verboseOfV42));
        QVERIFY2(read.addsUp, read.error.c_str());
        QCOMPARE(read.history().operationCount(), std::uint64_t{2});
        QCOMPARE(read.fragment.source.excluded, std::uint64_t{isRecord ? 1u : 0u});
        QVERIFY(!read.fragment.problems.isEmpty());
    }

    void nothingReadableIsAnError()
    {
        QVERIFY(!Read("{\"coll_perf\": 3}\n").error.empty());
        QVERIFY(!Read("").error.empty());
        QVERIFY(!Read("{\"x\":1}\n").isSniffed);
    }

    void threadsReadTheSame()
    {
        // Markers and their records are in different blocks; every version in one file.
        std::string text;
        std::uint64_t operations = 0;
        for (int i = 0; text.size() < (6u << 20); ++i) {
            std::string marker(markerOfV43);
            marker.replace(marker.find("\"coll_records\":2"), 16, "\"coll_records\":900");
            marker.replace(marker.find("\"rank\":2"), 8, "\"rank\":" + std::to_string(i % 8));
            marker.replace(marker.find("\"p2p_records\":1"), 15, "\"p2p_records\":0");
            text += marker + "\n";
            for (int k = 0; k < 900; ++k) {
                text += R"({"coll_perf":{"coll":"AllReduce","coll_sn":)" + std::to_string(900 * i + k)
                    + R"(,"coll_msg_size_bytes":)" + std::to_string(8192 << (k % 5))
                    + R"(,"coll_exec_time_us":)" + std::to_string(k) + "}}\n";
                ++operations;
            }
            text += recordOfV40();
            ++operations;
        }
        const Read serial(text);
        QVERIFY(serial.addsUp);
        QCOMPARE(serial.history().operationCount(), operations);
        ReadContext context;
        context.parallel = threadPool(3);
        SourceFile file;
        file.path = serial.folder.path("node-1-pid1.log");
        file.bytes = text.size();
        const auto parallel = readerOf(SourceKind::NcclInspector).read(file, context);
        QVERIFY(parallel);
        const JobHistory& a = serial.history();
        const JobHistory& b = *parallel->history;
        QCOMPARE(b.members.size(), a.members.size());
        QCOMPARE(b.classes.size(), a.classes.size());
        for (std::size_t i = 0; i < a.members.size(); ++i) {
            QCOMPARE(b.members[i].rank, a.members[i].rank);
            QVERIFY(b.members[i].operations.number == a.members[i].operations.number);
            QVERIFY(b.members[i].operations.timeUs == a.members[i].operations.timeUs);
            QVERIFY(b.members[i].operations.durationUs == a.members[i].operations.durationUs);
            QVERIFY(b.members[i].operations.operationClass == a.members[i].operations.operationClass);
        }
        QVERIFY(!findProblem(parallel->problems, "record_without_header"));
    }

    void copiesCountOnce()
    {
        RunFolder folder;
        folder.write("a.log", recordOfV40());
        folder.write("copy/a.jsonl", recordOfV40());
        const TraceModelPtr model = folder.load("");
        QVERIFY(model && model->history);
        QCOMPARE(model->history->operationCount(), std::uint64_t{1});
        QVERIFY(findProblem(model->problems, "repeated_operations"));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestNcclInspector)
#include "tst_nccl_inspector.moc"
