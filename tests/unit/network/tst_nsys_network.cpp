// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Network cards and switches that Nsight Systems sampled: read from exports of two ages, and from broken
// ones.

#include "metrics/counters/gpu_counters.h"
#include "model/readers/reader.h"
#include "model/witnesses/network_counters.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/network_export.h"

#include <QTest>

#include <cmath>

namespace collscope {

extern const ReaderDescriptor nsysReader;

namespace {

constexpr std::int64_t networkMs = 1'000'000;
constexpr std::int64_t firstCard = 281'474'976'710'656; // 1 << 48, as in exports
constexpr std::int64_t switchGuid = -5'142'999'000'000'001; // a GUID has its first bit set

TraceFragment readExport(const NetworkExport& file, const RunFolder& folder)
{
    const std::string path = folder.path("report.sqlite");
    file.write(path);
    auto read = nsysReader.read({path, std::filesystem::file_size(path), -1, {}}, ReadContext());
    if (!read)
        qFatal("%s", read.error().message.c_str());
    return std::move(*read);
}

/// "mlx5_0|IB: Bytes sent|GB/s" and its samples, of the first timeline.
std::map<std::string, const CounterSeries*> countersOf(const TraceFragment& fragment)
{
    std::map<std::string, const CounterSeries*> found;
    for (const CounterSeries& series : fragment.timelines.at(0).counters) {
        if (const auto counter = networkCounterOf(fragment.strings.view(series.name)))
            found[(counter->kind == NetworkCounter::Kind::Switch ? "switch " : "") + counter->device + "|"
                  + counter->quantity + "|" + counter->unit]
                = &series;
    }
    return found;
}

std::vector<std::string> namesOf(const std::map<std::string, const CounterSeries*>& counters)
{
    std::vector<std::string> names;
    for (const auto& [name, series] : counters)
        names.push_back(name);
    return names;
}

bool isAccountedFor(const TraceFragment& fragment)
{
    return fragment.source.shown + fragment.source.excluded == fragment.source.eventsInFile
        && fragment.problems.excludedEvents() == fragment.source.excluded;
}

} // namespace

class TestNsysNetwork : public QObject
{
    Q_OBJECT

private slots:
    void readsCardsAndSwitches()
    {
        NetworkExport file(NetworkSchema::Of2026);
        file.addKernel(0, 10 * networkMs);
        file.addCard(0, firstCard, "mlx5_0");
        file.addCard(1, firstCard + 1, "mlx5_1");
        file.addSwitch(switchGuid, "MF0;leaf-3:MQM9700/U1");
        file.addMetric(6, "IB: Bytes sent", "bytes/ms");
        file.addMetric(10, "IB: Send waits", "ticks/ms");
        file.addSample(1 * networkMs, 2 * networkMs, firstCard, 1, 6, "25000000");
        file.addSample(2 * networkMs, 3 * networkMs, firstCard, 1, 6, "0");
        file.addSample(1 * networkMs, 2 * networkMs, firstCard, 1, 10, "1234");
        // Two ports, in no order of time.
        file.addSample(5 * networkMs, 6 * networkMs, firstCard + 1, 2, 6, "7");
        file.addSample(1 * networkMs, 2 * networkMs, firstCard + 1, 1, 6, "1000000");
        file.addSample(4 * networkMs, 5 * networkMs, firstCard + 1, 2, 6, "8000000");
        // The first sample of a counter reaches back to an unknown time.
        file.addSample(-1'000 * networkMs, 1 * networkMs, firstCard, 1, 6, "0");
        file.addSample(1 * networkMs, 2 * networkMs, switchGuid, 3, 10, "5", "NET_IB_SWITCH_METRIC");
        file.addSample(1 * networkMs, 2 * networkMs, 0xABC, 0, 6, "2000000", "NET_IB_SWITCH_METRIC");

        const TraceFragment fragment = readExport(file, m_folder);
        const auto counters = countersOf(fragment);
        QCOMPARE(
            namesOf(counters),
            (std::vector<std::string>{"mlx5_0|IB: Bytes sent|GB/s", "mlx5_0|IB: Send waits|ticks/ms",
                                      "mlx5_1 port 1|IB: Bytes sent|GB/s",
                                      "mlx5_1 port 2|IB: Bytes sent|GB/s", "switch 0xabc|IB: Bytes sent|GB/s",
                                      "switch MF0;leaf-3:MQM9700/U1|IB: Send waits|ticks/ms"}));
        // 25,000,000 bytes in a ms are 25 GB/s; a sample is stamped with its end.
        const CounterSeries& sent = *counters.at("mlx5_0|IB: Bytes sent|GB/s");
        QCOMPARE(sent.value, (std::vector<double>{25, 0}));
        QCOMPARE(sent.timeNs, (std::vector<std::int64_t>{2 * networkMs, 3 * networkMs}));
        QCOMPARE(sent.device, -1);
        QCOMPARE(counters.at("mlx5_1 port 2|IB: Bytes sent|GB/s")->value, (std::vector<double>{8, 7e-6}));
        QCOMPARE(counters.at("mlx5_0|IB: Send waits|ticks/ms")->value, (std::vector<double>{1234}));
        QCOMPARE(fragment.source.eventsInFile, std::uint64_t{10});
        QCOMPARE(fragment.source.excluded, std::uint64_t{1});
        QVERIFY(isAccountedFor(fragment));
        const Diagnostic* const early = findProblem(fragment.problems, "network_sample_before_start");
        QVERIFY(early && early->severity == Severity::Info);
        const Diagnostic* const unnamed = findProblem(fragment.problems, "unnamed_network_device");
        QVERIFY(unnamed && unnamed->explanation.find("NET_IB_SWITCH_METRIC") != std::string::npos);
        QVERIFY(!findProblem(fragment.problems, "tables_not_read"));
    }

    /// Of 2023: no ports, and names of cards beside the id of the host.
    void readsAnOldExport()
    {
        NetworkExport file(NetworkSchema::Of2023);
        file.addKernel(0, 10 * networkMs);
        file.addCard(4, firstCard, "mlx5_bond_0");
        file.addMetric(2, "RoCE: Bytes received", "bytes/ms");
        file.addMetric(3, "IB: Average sent packet size", "bytes");
        file.addSample(1 * networkMs, 2 * networkMs, firstCard, 0, 2, "500000");
        file.addSample(1 * networkMs, 2 * networkMs, firstCard, 0, 3, "4096");
        const TraceFragment fragment = readExport(file, m_folder);
        const auto counters = countersOf(fragment);
        QCOMPARE(namesOf(counters),
                 (std::vector<std::string>{"mlx5_bond_0|IB: Average sent packet size|bytes",
                                           "mlx5_bond_0|RoCE: Bytes received|GB/s"}));
        QCOMPARE(counters.at("mlx5_bond_0|RoCE: Bytes received|GB/s")->value, (std::vector<double>{0.5}));
        QCOMPARE(counters.at("mlx5_bond_0|IB: Average sent packet size|bytes")->value,
                 (std::vector<double>{4096}));
        QVERIFY(isAccountedFor(fragment));
    }

    /// `nsys profile --trace=none --nic-metrics=lf`: no GPU work at all.
    void readsAnExportOfTheNetworkAlone()
    {
        NetworkExport file(NetworkSchema::Of2026);
        file.addCard(0, firstCard, "mlx5_0");
        file.addMetric(6, "IB: Bytes sent", "bytes/ms");
        file.addSample(1 * networkMs, 2 * networkMs, firstCard, 0, 6, "1000000");
        file.addSample(2 * networkMs, 3 * networkMs, firstCard, 0, 6, "3000000");
        file.write(m_folder.path("alone/nic.sqlite"));
        const TraceModelPtr model = m_folder.load("alone");
        QVERIFY(model);
        const auto shown = sampledGpus(model, 8, [] { return false; });
        QVERIFY(shown && shown->size() == 1);
        QCOMPARE(shown->front().label, std::string("Network card mlx5_0"));
        QVERIFY(!shown->front().isOfRank);
    }

    void namesNobodyFalsely()
    {
        NetworkExport file(NetworkSchema::Of2026);
        file.addKernel(0, 10 * networkMs);
        file.addMetric(6, "IB: Bytes sent", "bytes/ms");
        file.addCard(0, 16, "mlx5_0"); // two machines in one report have the same names,
        file.addCard(1, 17, "mlx5_0");
        file.addCard(2, 18, "mlx5_2"); // or the same numbers
        file.addCard(2, 19, "mlx5_3");
        for (const int id : {16, 17, 18, 19, 20})
            file.addSample(1 * networkMs, 2 * networkMs, id, 0, 6, std::to_string(1'000'000 * id));
        const auto fragment = readExport(file, m_folder);
        QCOMPARE(namesOf(countersOf(fragment)),
                 (std::vector<std::string>{"0x12|IB: Bytes sent|GB/s", "0x13|IB: Bytes sent|GB/s",
                                           "0x14|IB: Bytes sent|GB/s", "mlx5_0 (0x10)|IB: Bytes sent|GB/s",
                                           "mlx5_0 (0x11)|IB: Bytes sent|GB/s"}));
        QCOMPARE(countersOf(fragment).at("mlx5_0 (0x11)|IB: Bytes sent|GB/s")->value,
                 (std::vector<double>{17}));
    }

    void leavesOutWhatIsDamaged()
    {
        NetworkExport file(NetworkSchema::Of2026);
        file.addKernel(0, 10 * networkMs);
        file.add("DROP TABLE NET_NIC_METRIC; CREATE TABLE NET_NIC_METRIC(start, end, globalId, portId, "
                 "metricsListId, "
                 "metricsIdx, value);");
        file.addCard(0, 1, "mlx5_0");
        file.addMetric(6, "IB: Bytes sent", "bytes/ms");
        file.addMetric(7, "IB: Send waits", "ticks/ms");
        const std::string insert = "INSERT INTO NET_NIC_METRIC VALUES ";
        file.add(insert
                 + "(1000,2000,1,1,0,6,5000000),('3000','4000','1','1','0','6','1e6');"); // 2 sound ones
        file.add(insert
                 + "(1000,2000,1,1,0,99,5),(1000,2000,1,1,'none',6,5),(1000,2000,NULL,1,0,6,5);"); // no name
        file.add(
            insert
            + "(2000,1000,1,1,0,6,5),(2000,2000,1,1,0,6,5),(NULL,2000,1,1,0,6,5),(1000,'late',1,1,0,6,5),"
              "(9223372036854775807,9223372036854775807,1,1,0,6,5);"); // no time
        file.add(insert
                 + "(1000,2000,1,1,0,6,-5),(1000,2000,1,1,0,6,NULL),(1000,2000,1,1,0,6,'fast'),"
                   "(1000,2000,1,1,0,7,1e999),(1000,2000,1,1,0,6,9223372036854775807),(1000,2000,1,1,0,7,x'"
                   "01');"); // no value
        const auto fragment = readExport(file, m_folder);
        QCOMPARE(fragment.source.eventsInFile, std::uint64_t{1 + 2 + 3 + 5 + 6});
        QVERIFY(isAccountedFor(fragment));
        for (const auto& [code, count] :
             {std::pair("unnamed_network_metric", 3u), std::pair("network_sample_without_time", 5u),
              std::pair("network_sample_without_value", 6u)}) {
            const Diagnostic* const problem = findProblem(fragment.problems, code);
            QVERIFY2(problem, code);
            QCOMPARE(problem->excludedEvents, std::uint64_t{count});
            QVERIFY(problem->explanation.find("NET_NIC_METRIC") != std::string::npos);
        }
        const auto counters = countersOf(fragment);
        QCOMPARE(counters.size(), std::size_t{1});
        QCOMPARE(counters.begin()->second->value, (std::vector<double>{5, 1}));
    }

    void needsNoOtherTable()
    {
        NetworkExport file(NetworkSchema::Of2026);
        file.addKernel(0, 10 * networkMs);
        file.addSample(1 * networkMs, 2 * networkMs, 1, 0, 6, "5");
        for (const char* table :
             {"TARGET_INFO_NETWORK_METRICS", "NIC_ID_MAP", "TARGET_INFO_NIC_INFO", "NET_IB_DEVICE_INFO"})
            file.add(std::string("DROP TABLE ") + table + ";");
        const auto fragment = readExport(file, m_folder);
        QVERIFY(countersOf(fragment).empty());
        QVERIFY(findProblem(fragment.problems, "unnamed_network_metric"));
        QVERIFY(isAccountedFor(fragment));
        // Nothing in a file is executed, whatever name it has.
        NetworkExport program(NetworkSchema::Of2026);
        program.addKernel(0, 10 * networkMs);
        program.add("DROP TABLE NET_NIC_METRIC; CREATE VIEW NET_NIC_METRIC AS WITH RECURSIVE c(x) AS (SELECT "
                    "1 UNION ALL "
                    "SELECT x+1 FROM c) SELECT x AS start, x+1 AS end, 1 AS globalId, 0 AS portId, 0 AS "
                    "metricsListId, "
                    "0 AS metricsIdx, x AS value FROM c;");
        QVERIFY(findProblem(readExport(program, m_folder).problems, "views_not_read"));
    }

    void staysBounded()
    {
        // As many cards as rows, each with a long name.
        NetworkExport file(NetworkSchema::Of2026);
        file.addKernel(0, 10 * networkMs);
        file.addMetric(6, "IB: Bytes sent", "bytes/ms");
        const std::string numbers
            = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c WHERE x < 20000) ";
        file.add(numbers + "INSERT INTO NIC_ID_MAP SELECT x, x FROM c;");
        file.add(
            numbers
            + "INSERT INTO TARGET_INFO_NIC_INFO SELECT 1, 's', x, hex(zeroblob(200)) || x, 1, 1, 1 FROM c;");
        file.add(numbers + "INSERT INTO NET_NIC_METRIC SELECT 1000, 2000, x, x, 0, 6, 1 FROM c;");
        const auto fragment = readExport(file, m_folder);
        QCOMPARE(fragment.timelines.at(0).counters.size(), std::size_t{4096});
        const Diagnostic* const many = findProblem(fragment.problems, "many_network_counters");
        QVERIFY(many);
        QCOMPARE(many->excludedEvents, std::uint64_t{20000 - 4096});
        QVERIFY(isAccountedFor(fragment));
        for (const CounterSeries& series : fragment.timelines.at(0).counters)
            QVERIFY(fragment.strings.view(series.name).size() < 400);
    }

    void namesAreReadBack()
    {
        const NetworkCounter counter{NetworkCounter::Kind::Switch, "leaf\t3", "IB: Send waits [x]",
                                     "ticks/ms"};
        const auto back = networkCounterOf(networkCounterName(counter));
        QVERIFY(back);
        QVERIFY(back->kind == counter.kind);
        QCOMPARE(back->device, std::string("leaf 3"));
        QCOMPARE(back->quantity, counter.quantity);
        QCOMPARE(back->unit, counter.unit);
        for (const char* name :
             {"", "SMs Active [Throughput %]", "network card", "network card\tmlx5_0\tIB: Bytes sent",
              "network card\ta\tb\tc\td", "card\ta\tb\tc"})
            QVERIFY2(!networkCounterOf(name), name);
    }

    void chartsCardsBesideGpus()
    {
        NetworkExport file(NetworkSchema::Of2026);
        file.addKernel(0, 10 * networkMs);
        file.add(
            "CREATE TABLE GPU_METRICS(timestamp INTEGER, typeId INTEGER, metricId INTEGER, value INTEGER);"
            "INSERT INTO GPU_METRICS VALUES "
            "(1000000,256,1,1755000000),(2000000,256,1,345),(1000000,256,2,90),"
            "(2000000,256,2,30);"
            "CREATE TABLE TARGET_INFO_GPU_METRICS(typeId INTEGER, metricId INTEGER, metricName TEXT);"
            "INSERT INTO TARGET_INFO_GPU_METRICS VALUES (256,1,'GPC Clock Frequency [MHz]'),"
            "(256,2,'NVLink RX Requests User Data [Throughput %]');");
        file.addCard(0, 1, "mlx5_0");
        file.addMetric(5, "IB: Bytes received", "bytes/ms");
        file.addMetric(6, "IB: Bytes sent", "bytes/ms");
        file.addMetric(7, "Eth: Bytes sent", "bytes/ms");
        file.addMetric(10, "IB: Send waits", "ticks/ms");
        for (int at = 1; at < 4; ++at) {
            for (const auto& [metric, value] :
                 {std::pair(5, 3), std::pair(6, 2), std::pair(7, 0), std::pair(10, 9)})
                file.addSample(at * networkMs, (at + 1) * networkMs, 1, 0, metric,
                               std::to_string(value * 1'000'000));
        }
        file.write(m_folder.path("charted/rank0.sqlite"));
        const TraceModelPtr model = m_folder.load("charted");
        QVERIFY(model && hasGpuCounters(*model) && hasNvlinkCounters(*model));
        const auto shown = sampledGpus(model, 8, [] { return false; });
        QVERIFY(shown && shown->size() == 2);
        const SampledGpu& gpu = shown->at(0);
        QVERIFY(gpu.isOfRank && gpu.label.empty());
        // Exports have clocks in Hz, whatever their names say.
        QCOMPARE(gpu.counters.at(0).name, std::string("GPC Clock Frequency"));
        QCOMPARE(gpu.counters.at(0).samples.value(0), 1755.0);
        QCOMPARE(gpu.counters.at(0).samples.value(1), 345.0);
        const SampledGpu& card = shown->at(1);
        QCOMPARE(card.label, std::string("Network card mlx5_0"));
        QVERIFY(!card.isOfRank);
        std::vector<std::string> groups;
        for (const CounterGroup& group : card.groups) {
            groups.push_back(group.name + " " + group.unit + " " + std::to_string(group.counters.size()));
            QVERIFY(group.peaks.empty());
        }
        // What never moved a byte is not in the chart of the traffic, and has its own.
        QCOMPARE(
            groups,
            (std::vector<std::string>{"Traffic GB/s 2", "Eth: Bytes sent GB/s 1", "IB: Bytes received GB/s 1",
                                      "IB: Bytes sent GB/s 1", "IB: Send waits ticks/ms 1"}));
        QCOMPARE(card.counters.at(1).samples.range(1),
                 (TimeRange{model->timelines[0].fileToAxisNs + 2 * networkMs,
                            model->timelines[0].fileToAxisNs + 3 * networkMs}));
        QCOMPARE(card.counters.at(1).samples.value(1), 3.0);
    }

private:
    RunFolder m_folder;
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestNsysNetwork)
#include "tst_nsys_network.moc"
