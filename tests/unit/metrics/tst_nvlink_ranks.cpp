// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whose counters an NVLink file has, in runs of two nodes that number their GPUs alike: known only with
// evidence. The truth is in the counters: those of rank r are r + 1 times the planned ones.

#include "metrics/counters/nvlink_intervals.h"
#include "metrics/export/nvlink_report.h"
#include "metrics/hardware/hardware_view.h"
#include "tests/support/runs/two_nodes.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"

namespace collscope {

namespace {

std::uint64_t sentBytesOf(const NvlinkDevice& device)
{
    std::uint64_t bytes = 0;
    for (const LinkSeries& series : device.series) {
        for (const std::uint64_t one : series.bytes)
            bytes += series.direction == LinkDirection::Tx ? one : 0;
    }
    return bytes;
}

/// The rank whose counters a file has.
int trueRankOf(const TwoNodes& nodes, const NvlinkDevice& device)
{
    for (int rank = 0; rank < TwoNodes::ranks; ++rank) {
        if (nodes.sentBy(rank) == sentBytesOf(device))
            return rank;
    }
    return -1;
}

bool has(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

/// Each file has its true rank, known in this way.
void verifyAllKnown(const TwoNodes& nodes, const TraceModelPtr& model, RankEvidence evidence)
{
    QVERIFY(model);
    const NvlinkRanks ranks(*model);
    QCOMPARE(ranks.size(), std::size_t{TwoNodes::ranks});
    std::set<std::int32_t> seen;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        QVERIFY2(ranks.of(i).rank, ranks.of(i).why.c_str());
        QCOMPARE(*ranks.of(i).rank, trueRankOf(nodes, model->nvlink[i]));
        QCOMPARE(static_cast<int>(ranks.of(i).evidence), static_cast<int>(evidence));
        QVERIFY(!ranks.of(i).why.empty());
        seen.insert(*ranks.of(i).rank);
    }
    QCOMPARE(seen.size(), std::size_t{TwoNodes::ranks});
    QVERIFY(ranks.areAllKnown());
}

void verifyNoneKnown(const TraceModelPtr& model, const std::string& why)
{
    QVERIFY(model);
    const NvlinkRanks ranks(*model);
    QVERIFY(ranks.size() > 0);
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        QVERIFY2(!ranks.of(i).rank, ranks.of(i).why.c_str());
        QVERIFY2(has(ranks.of(i).why, why), ranks.of(i).why.c_str());
    }
}

/// What NCCL prints if the GPU of each rank has the rank `named` in its communicator.
std::string logOf(const TwoNodes& nodes, const std::array<int, TwoNodes::ranks>& named)
{
    std::string log;
    for (int rank = 0; rank < TwoNodes::ranks; ++rank) {
        const std::string number = std::to_string(nodes.numbers[static_cast<std::size_t>(rank)]);
        log += nodes.hosts[static_cast<std::size_t>(TwoNodes::nodeOf(rank))] + ":"
            + std::to_string(100 + rank) + ":" + std::to_string(200 + rank)
            + " [0] NCCL INFO ncclCommInitRank comm 0x55" + std::to_string(rank) + " rank "
            + std::to_string(named[static_cast<std::size_t>(rank)]) + " nranks 8 cudaDev "
            + std::to_string(rank % 4) + " nvmlDev " + number + " busId " + number
            + "b000 commId 0xfeed - Init COMPLETE\n";
    }
    return log;
}

/// Whether no file has a rank that is not its own; counts those without one.
int unknownOf(const TwoNodes& nodes, const TraceModelPtr& model)
{
    const NvlinkRanks ranks(*model);
    int unknown = 0;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        unknown += ranks.of(i).rank ? 0 : 1;
        if (ranks.of(i).rank && *ranks.of(i).rank != trueRankOf(nodes, model->nvlink[i]))
            return -1;
    }
    return unknown;
}

} // namespace

class TestNvlinkRanks : public QObject
{
    Q_OBJECT

private:
    TwoNodes m_nodes;

    static MetricResult metric(const TraceModel& model, const char* id, std::optional<std::int32_t> rank)
    {
        MetricOptions options;
        options.rank = rank;
        return evaluate(model, *findMetric(id), options);
    }

private slots:
    void plansDiffer()
    {
        std::set<std::uint64_t> sent;
        for (int rank = 0; rank < TwoNodes::ranks; ++rank)
            sent.insert(m_nodes.sentBy(rank));
        QCOMPARE(sent.size(), std::size_t{TwoNodes::ranks});
        QVERIFY(*sent.begin() > 0);
    }
    /// The folders are named and ordered so that neither tells.
    void theSamplersNoteTellsTheHost()
    {
        const RunFolder folder;
        m_nodes.writeTraces(folder, "run", true);
        m_nodes.writeNode(folder, 1, "run/counters1");
        m_nodes.writeNode(folder, 0, "run/counters2");
        const TraceModelPtr model = folder.load("run");
        CHECKED(verifyAllKnown(m_nodes, model, RankEvidence::Host));
        const NvlinkRanks ranks(*model);
        QCOMPARE(ranks.textOf(ranks.devicesOf(6).at(0)), std::string("GPU 2 of nodeb (rank 6)"));
        // Metrics and the report use the file of the rank, not the first one of that number.
        for (int rank = 0; rank < TwoNodes::ranks; ++rank) {
            const MetricResult sent = metric(*model, "total_communication", rank);
            QCOMPARE(sent.state, MetricState::Value);
            const auto* tx = std::find_if(sent.details.begin(), sent.details.end(), [](const auto& own) {
                                 return own.first == "tx_bytes";
                             })->second.as<std::int64_t>();
            QVERIFY(tx && static_cast<std::uint64_t>(*tx) == m_nodes.sentBy(rank));
            const MetricResult kernels = metric(*model, "peak_kernels", rank);
            QCOMPARE(kernels.state, MetricState::Value);
            QCOMPARE(kernels.rows.at(0).rank.value_or(-1), rank);
        }
        Analysis analysis(*model, MetricOptions());
        const auto report = nvlinkReport(analysis, 1);
        QVERIFY(report);
        QVERIFY2(has(*report, "GPU 3 of nodeb (rank 7): the intervals"), report->c_str());
        const auto lineOf = [&](const std::string& start) {
            const std::size_t at = report->find(start);
            return report->substr(at, report->find('\n', at) - at);
        };
        QVERIFY(lineOf("GPU 1 of nodea") != lineOf("GPU 1 of nodeb"));
    }
    void withoutEvidenceNoRankIsClaimed()
    {
        for (const bool stateHosts : {true, false}) {
            const RunFolder folder;
            m_nodes.writeTraces(folder, "run", stateHosts);
            m_nodes.writeCounters(folder, 0, "run/counters1");
            m_nodes.writeCounters(folder, 1, "run/counters2");
            const TraceModelPtr model = folder.load("run");
            CHECKED(verifyNoneKnown(model, "nothing says of which node the file is"));
            QCOMPARE(NvlinkRanks(*model).nameOf(0), std::string("GPU 0 of counters1"));
            for (const char* id : {"max_throughput", "peak_kernels"}) {
                const MetricResult result = metric(*model, id, 1);
                QCOMPARE(result.state, MetricState::MissingInput);
                QVERIFY2(has(result.reason, "No NVLink file is known to be of rank 1")
                             && has(result.reason, "GPU 1 of counters2")
                             && has(result.reason, "nothing says of which node"),
                         result.reason.c_str());
            }
            Analysis analysis(*model, MetricOptions());
            const auto report = nvlinkReport(analysis, 1);
            QVERIFY(report && has(*report, "and 7 others: rank not known: nothing says of which node"));
            QVERIFY2(has(*report, "Kernels: not available: the rank of this GPU cannot be told"),
                     report->c_str());
        }
    }
    void namesOfFoldersTellTheHost()
    {
        const RunFolder folder;
        m_nodes.writeTraces(folder, "run", true);
        m_nodes.writeCounters(folder, 0, "run/job_nodea");
        m_nodes.writeCounters(folder, 1, "run/job_nodeb");
        CHECKED(verifyAllKnown(m_nodes, folder.load("run"), RankEvidence::Host));
    }
    void tracesInTheSameFolderTell()
    {
        for (const bool stateHosts : {true, false}) {
            const RunFolder folder;
            for (int rank = 0; rank < TwoNodes::ranks; ++rank) {
                // The second half of the ranks has the folder that comes first.
                const std::string into = TwoNodes::nodeOf(rank) == 0 ? "run/part2" : "run/part1";
                folder.write(into + "/rank" + std::to_string(rank) + "_trace.json",
                             m_nodes.trace(rank, stateHosts));
            }
            m_nodes.writeCounters(folder, 0, "run/part2");
            m_nodes.writeCounters(folder, 1, "run/part1");
            CHECKED(verifyAllKnown(m_nodes, folder.load("run"), RankEvidence::Folder));
        }
    }
    /// Node 0 samples into the folder of the run, node k into its folder "nodek".
    void theFoldersOfTheKitAreNumbered()
    {
        for (const bool hasCard : {true, false}) {
            const RunFolder folder;
            m_nodes.writeTraces(folder, "run", false);
            m_nodes.writeCounters(folder, 0, "run");
            m_nodes.writeCounters(folder, 1, "run/node1");
            if (hasCard)
                folder.write("run/workload_card.yaml", workloadCardYaml(m_nodes.plan, RunFiles()));
            CHECKED(verifyAllKnown(m_nodes, folder.load("run"), RankEvidence::NodeNumber));
        }
    }
    void otherNumbersOfFoldersDoNotTell()
    {
        // Numbered from 1, or with a node missing, the first folder may be of any node.
        for (const auto& [first, second] :
             {std::pair<const char*, const char*>("run/node1", "run/node2"), {"run/node1", ""}}) {
            const RunFolder folder;
            m_nodes.writeTraces(folder, "run", false);
            m_nodes.writeCounters(folder, 0, first);
            if (*second)
                m_nodes.writeCounters(folder, 1, second);
            CHECKED(verifyNoneKnown(folder.load("run"), "nothing says of which node"));
        }
        // A card of other nodes contradicts the folders.
        const RunFolder folder;
        m_nodes.writeTraces(folder, "run", false);
        m_nodes.writeCounters(folder, 0, "run/node0");
        m_nodes.writeCounters(folder, 1, "run/node1");
        std::string card = workloadCardYaml(m_nodes.plan, RunFiles());
        const std::string count = "count_per_node: 4";
        card.replace(card.find(count), count.size(), "count_per_node: 2");
        folder.write("run/workload_card.yaml", card);
        CHECKED(verifyNoneKnown(folder.load("run"), "nothing says of which node"));
    }
    /// CUDA_VISIBLE_DEVICES shuffles the numbers of CUDA; NCCL prints those of the driver.
    void ncclsLogTellsShuffledGpus()
    {
        TwoNodes shuffled;
        shuffled.numbers = {2, 0, 3, 1, 1, 3, 0, 2};
        const RunFolder folder;
        shuffled.writeTraces(folder, "run", false);
        shuffled.writeNode(folder, 1, "run/counters1");
        shuffled.writeNode(folder, 0, "run/counters2");
        std::string log = logOf(shuffled, {0, 1, 2, 3, 4, 5, 6, 7});
        folder.write("run/nccl.log", log);
        CHECKED(verifyAllKnown(shuffled, folder.load("run"), RankEvidence::LogAlone));
        QVERIFY(isGuess(RankEvidence::LogAlone));
        // A smaller communicator says nothing of the ranks of the job.
        std::string::size_type at = 0;
        while ((at = log.find("nranks 8")) != std::string::npos)
            log.replace(at, 8, "nranks 9");
        folder.write("run/nccl.log", log);
        CHECKED(verifyNoneKnown(folder.load("run"), "no open trace is known to be of host"));
    }
    /// A log of an earlier attempt, whose ranks were others; and one that is of other GPUs only.
    void theTracesBeatNcclsLog()
    {
        const RunFolder folder;
        m_nodes.writeTraces(folder, "run", true);
        m_nodes.writeNode(folder, 1, "run/counters1");
        m_nodes.writeNode(folder, 0, "run/counters2");
        folder.write("run/nccl.log", logOf(m_nodes, {7, 6, 5, 4, 3, 2, 1, 0}));
        CHECKED(verifyAllKnown(m_nodes, folder.load("run"), RankEvidence::Host));
        folder.write("run/nccl.log", logOf(m_nodes, {1, 0, 3, 2, 5, 4, 7, 6}));
        CHECKED(verifyNoneKnown(folder.load("run"), "NCCL's log says rank"));
        folder.write("run/nccl.log", logOf(m_nodes, {0, 1, 2, 3, 4, 5, 6, 7}));
        CHECKED(verifyAllKnown(m_nodes, folder.load("run"), RankEvidence::NcclLog));
    }
    void hostsInNamesOfFilesBeatTheNote()
    {
        const RunFolder folder;
        m_nodes.writeTraces(folder, "run", true);
        for (int rank = 0; rank < TwoNodes::ranks; ++rank)
            folder.write("run/nvlink_" + m_nodes.hosts[static_cast<std::size_t>(TwoNodes::nodeOf(rank))]
                             + "_gpu" + std::to_string(rank % 4) + ".bin",
                         m_nodes.counters(rank));
        folder.write("run/nvlink_sampler.txt", m_nodes.note(0));
        CHECKED(verifyAllKnown(m_nodes, folder.load("run"), RankEvidence::Host));
        // Without hosts in the names, one of two files with a number is not of the note's host.
        const RunFolder unnamed;
        m_nodes.writeTraces(unnamed, "run", true);
        for (int rank = 0; rank < TwoNodes::ranks; ++rank)
            unnamed.write("run/nvlink_" + std::to_string(TwoNodes::nodeOf(rank) + 1) + "st_gpu"
                              + std::to_string(rank % 4) + ".bin",
                          m_nodes.counters(rank));
        unnamed.write("run/nvlink_sampler.txt", m_nodes.note(0));
        CHECKED(verifyNoneKnown(unnamed.load("run"), ""));
    }
    void localRanksAreNumbersOfGpus()
    {
        for (const bool areLocal : {true, false}) {
            for (const bool stateHosts : {true, false}) {
                const RunFolder folder;
                m_nodes.writeTraces(folder, "run", stateHosts);
                for (int rank = 0; rank < TwoNodes::ranks; ++rank)
                    folder.write("run/" + m_nodes.hosts[static_cast<std::size_t>(TwoNodes::nodeOf(rank))]
                                     + (areLocal ? "/nvlink_local_rank" : "/nvlink_rank")
                                     + std::to_string(rank % 4) + ".bin",
                                 m_nodes.counters(rank));
                const TraceModelPtr model = folder.load("run");
                QVERIFY(model);
                if (areLocal && stateHosts)
                    CHECKED(verifyAllKnown(m_nodes, model, RankEvidence::Host));
                QCOMPARE(unknownOf(m_nodes, model), !stateHosts ? 8 : areLocal ? 0 : 4);
            }
        }
    }
    void notesBeatTheNamesOfFolders()
    {
        const RunFolder folder;
        m_nodes.writeTraces(folder, "run", true);
        m_nodes.writeNode(folder, 0, "run/nodeb");
        m_nodes.writeNode(folder, 1, "run/nodea");
        CHECKED(verifyAllKnown(m_nodes, folder.load("run"), RankEvidence::Host));
    }
    void contradictoryNotesAreNoEvidence()
    {
        const RunFolder folder;
        m_nodes.writeTraces(folder, "run", true);
        m_nodes.writeNode(folder, 0, "run/counters1");
        folder.write("run/counters1/nvlink_sampler_b.txt", m_nodes.note(1));
        CHECKED(verifyNoneKnown(folder.load("run"), "of several hosts"));
    }
    /// The longest name counts; a word that is the number of a GPU, and names that contradict, do not.
    void hostsAreFoundAsWholeNames()
    {
        const std::set<std::string> hosts{"node-1", "node-1-2", "gpu0"};
        using Names = std::set<std::string>;
        QCOMPARE(hostsNamedIn("nvlink_NODE-1-2_gpu0", hosts, 0), Names{"node-1-2"});
        QCOMPARE(hostsNamedIn("node-1-3", hosts, {}), Names{"node-1"});
        QCOMPARE(hostsNamedIn("node-12", hosts, {}), Names());
        QCOMPARE(hostsNamedIn("nvlink_gpu0.bin", hosts, {}), Names{"gpu0"});
        QCOMPARE(hostsNamedIn("node-1_gpu0", hosts, 1), (Names{"node-1", "gpu0"}));
        const RunFolder folder;
        m_nodes.writeTraces(folder, "run", true);
        for (int rank = 4; rank < TwoNodes::ranks; ++rank)
            folder.write("run/nodea/nvlink_nodeb_gpu" + std::to_string(rank % 4) + ".bin",
                         m_nodes.counters(rank));
        CHECKED(verifyNoneKnown(folder.load("run"), "of several hosts"));
    }
    /// Samples of nvidia-smi state no host, but the UUIDs that the sampler's note has with one.
    void uuidsPlaceTheHardwareRecord()
    {
        const RunFolder folder;
        m_nodes.writeTraces(folder, "run", true);
        m_nodes.writeNode(folder, 0, "run/counters1");
        m_nodes.writeNode(folder, 1, "run/counters2");
        for (int node = 0; node < 2; ++node) {
            std::string csv = "timestamp, index, uuid, clocks.current.sm [MHz], utilization.gpu [%]\n";
            for (int second = 0; second < 3; ++second) {
                for (int gpu = 0; gpu < TwoNodes::gpusPerNode; ++gpu)
                    csv += "2025/10/09 00:00:0" + std::to_string(second) + ".000, " + std::to_string(gpu)
                        + ", " + TwoNodes::uuidOf(TwoNodes::gpusPerNode * node + gpu) + ", 1980 MHz, 100 %\n";
            }
            folder.write("run/smi_" + std::to_string(node) + ".csv", csv);
        }
        const TraceModelPtr model = folder.load("run");
        QVERIFY(model && model->hardware);
        QCOMPARE(model->hardware->devices.size(), std::size_t{TwoNodes::ranks});
        const HardwareView view = hardwareViewOf(*model);
        QCOMPARE(view.units.size(), std::size_t{TwoNodes::ranks});
        for (int rank = 0; rank < TwoNodes::ranks; ++rank) {
            const HardwareUnit* const unit = view.unitOfRank(rank);
            QVERIFY(unit);
            QCOMPARE(unit->records.front().device->uuid, TwoNodes::uuidOf(rank));
        }
    }
    void aNodeWithoutANoteIsNotGuessed()
    {
        const RunFolder folder;
        m_nodes.writeTraces(folder, "run", true);
        m_nodes.writeNode(folder, 0, "run/counters1");
        m_nodes.writeCounters(folder, 1, "run/counters2");
        const TraceModelPtr model = folder.load("run");
        QVERIFY(model);
        const NvlinkRanks ranks(*model);
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            const int truth = trueRankOf(m_nodes, model->nvlink[i]);
            if (TwoNodes::nodeOf(truth) == 0)
                QCOMPARE(ranks.of(i).rank.value_or(-1), truth);
            else
                QVERIFY2(!ranks.of(i).rank, "the other node is a guess");
        }
        QVERIFY(!ranks.areAllKnown());
    }
    void aDamagedFileLeavesTheOthers()
    {
        const RunFolder folder;
        m_nodes.writeTraces(folder, "run", true);
        m_nodes.writeNode(folder, 0, "run/counters1");
        m_nodes.writeNode(folder, 1, "run/counters2");
        folder.write("run/counters2/nvlink_gpu2.bin", m_nodes.counters(6).substr(0, 20));
        folder.write("run/counters1/nvlink_gpu0.bin", m_nodes.counters(0).substr(0, 12 + 48 * 64 + 7));
        const TraceModelPtr model = folder.load("run");
        QVERIFY(model);
        const NvlinkRanks ranks(*model);
        QCOMPARE(ranks.size(), std::size_t{TwoNodes::ranks - 1});
        for (int rank = 0; rank < TwoNodes::ranks; ++rank) {
            const auto devices = ranks.devicesOf(rank);
            QCOMPARE(devices.size(), std::size_t{rank == 6 ? 0u : 1u});
            if (rank != 6 && rank != 0)
                QCOMPARE(trueRankOf(m_nodes, model->nvlink[devices.front()]), rank);
        }
        QCOMPARE(metric(*model, "max_throughput", 6).state, MetricState::MissingInput);
        // A note that is cut off says nothing false.
        folder.write("run/counters2/nvlink_sampler.txt", m_nodes.note(1).substr(0, 90));
        const TraceModelPtr cut = folder.load("run");
        QVERIFY(cut);
        const NvlinkRanks left(*cut);
        for (std::size_t i = 0; i < left.size(); ++i) {
            if (left.of(i).rank && *left.of(i).rank != 0)
                QCOMPARE(*left.of(i).rank, trueRankOf(m_nodes, cut->nvlink[i]));
        }
    }
    void filesOfDifferentGpusAreNotOfOneRank()
    {
        TwoNodes copied;
        copied.hosts = {"nodea", "nodea"}; // a note that was copied from the other node, but for its UUIDs
        const RunFolder folder;
        m_nodes.writeTraces(folder, "run", true);
        copied.writeNode(folder, 0, "run/counters1");
        copied.writeNode(folder, 1, "run/counters2");
        CHECKED(verifyNoneKnown(folder.load("run"), ""));
    }
    void theSameGpuMayBeSampledTwice()
    {
        const RunFolder folder;
        m_nodes.writeTraces(folder, "run", true);
        m_nodes.writeNode(folder, 0, "run/pass1");
        m_nodes.writeNode(folder, 0, "run/pass2");
        const TraceModelPtr model = folder.load("run");
        QVERIFY(model);
        QCOMPARE(NvlinkRanks(*model).devicesOf(2).size(), std::size_t{2});
        const NvlinkChoice choice = chooseNvlink(*model, 2);
        QVERIFY(choice.device);
        QVERIFY2(has(choice.warning, "2 NVLink files are of GPU 2"), choice.warning.c_str());
    }
    /// As before there was more than one node.
    void oneNodeIsGuessedByNumber()
    {
        const RunFolder folder;
        WorkloadDescription described;
        described.steps = 3;
        writeRun(planRun(described), folder.path("run"), RunFiles());
        const TraceModelPtr model = folder.load("run");
        QVERIFY(model);
        const NvlinkRanks ranks(*model);
        QCOMPARE(ranks.size(), std::size_t{4});
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            QCOMPARE(ranks.of(i).rank.value_or(-1), *model->nvlink[i].gpu);
            QCOMPARE(static_cast<int>(ranks.of(i).evidence), static_cast<int>(RankEvidence::OnlyNode));
            QVERIFY(isGuess(ranks.of(i).evidence) && has(ranks.of(i).why, "guessed"));
            QCOMPARE(ranks.textOf(i), "GPU " + std::to_string(i));
        }
        QVERIFY(chooseNvlink(*model, 3).warning.empty());
    }
    /// Half of a job, opened as the folder of its second node.
    void theOtherNodeAlone()
    {
        const RunFolder folder;
        for (int rank = TwoNodes::gpusPerNode; rank < TwoNodes::ranks; ++rank)
            folder.write("run/rank" + std::to_string(rank) + "_trace.json", m_nodes.trace(rank, false));
        m_nodes.writeCounters(folder, 1, "run");
        const TraceModelPtr model = folder.load("run");
        QVERIFY(model);
        // The other ranks may be on a second node, and the counters of that one.
        CHECKED(verifyNoneKnown(model, ""));
        // Ranks of both nodes with counters of one: their numbers say nothing.
        folder.write("run/rank1_trace.json", m_nodes.trace(1, false));
        std::filesystem::remove(folder.path("run/rank5_trace.json"));
        CHECKED(verifyNoneKnown(folder.load("run"), ""));
    }
    void numbersThatNoNodeHasAreThoseOfRanks()
    {
        const RunFolder folder;
        m_nodes.writeTraces(folder, "run", false);
        for (int rank = 0; rank < TwoNodes::ranks; ++rank)
            folder.write("run/nvlink_gpu" + std::to_string(rank) + ".bin", m_nodes.counters(rank));
        CHECKED(verifyAllKnown(m_nodes, folder.load("run"), RankEvidence::JobNumber));
        const RunFolder named;
        m_nodes.writeTraces(named, "run", false);
        for (int rank = 0; rank < TwoNodes::ranks; ++rank)
            named.write("run/nvlink_rank" + std::to_string(rank) + ".bin", m_nodes.counters(rank));
        CHECKED(verifyAllKnown(m_nodes, named.load("run"), RankEvidence::FileName));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestNvlinkRanks)
#include "tst_nvlink_ranks.moc"
