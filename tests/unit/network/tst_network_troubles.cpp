// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What is wrong with a network is named, with its nodes, and nothing is named where nothing is wrong: planted
// jobs in the wordings of three generations of NCCL.

#include "metrics/network/network_troubles.h"
#include "tests/support/runs/nccl_job.h"
#include "tests/support/suite/suite.h"
#include "tests/unit/network/nccl_record.h"

#include <algorithm>
#include <sstream>

namespace collscope {

namespace {

std::vector<NetworkTrouble> troublesOf(const NcclJob& job)
{
    const NetworkRecord record = recordOf(job);
    return networkTroubles(record, nodeConnections(record));
}

QByteArray textOf(const std::vector<NetworkTrouble>& troubles)
{
    QByteArray text;
    for (const NetworkTrouble& trouble : troubles)
        text += QByteArray::fromStdString(trouble.text) + '\n';
    return text;
}

constexpr NcclJob::Version versions[]
    = {NcclJob::Version::NoCommId, NcclJob::Version::CommId, NcclJob::Version::TimeStamps};

} // namespace

class TestNetworkTroubles : public QObject
{
    Q_OBJECT

    struct Planted
    {
        NcclJob job;
        NetworkTroubleKind kind = NetworkTroubleKind::Sockets;
        std::vector<std::string> hosts;
        bool isConditional = false;
    };
    /// Every fault at several places, in all wordings.
    static std::vector<Planted> faults()
    {
        using Kind = NetworkTroubleKind;
        std::vector<Planted> all;
        for (const NcclJob::Version version : versions) {
            const auto plant
                = [&](Kind kind, std::vector<std::string> hosts, bool isConditional = false) -> NcclJob& {
                all.push_back({{}, kind, std::move(hosts), isConditional});
                all.back().job.version = version;
                return all.back().job;
            };
            plant(Kind::Sockets, {"node2", "node3"}).socketsBetween = {{2, 3}};
            plant(Kind::Sockets, {"node0", "node1", "node3"}).socketsBetween = {{0, 1}, {0, 3}};
            NcclJob& ethernet = plant(Kind::Sockets, {"node0", "node1", "node2", "node3"}, true);
            ethernet.socketsBetween = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
            ethernet.cards = 0;
            plant(Kind::Sockets, {"node0", "node1", "node2", "node3"}).socketsBetween
                = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
            plant(Kind::FewerAdapters, {"node1"}).cardsOf = {{1, 7}};
            plant(Kind::FewerAdapters, {"node2"}).usedCardsOf = {{2, 1}};
            NcclJob& one = plant(Kind::FewerAdapters, {"node0", "node1", "node2", "node3"}, true);
            one.usedCardsOf = {{0, 1}, {1, 1}, {2, 1}, {3, 1}};
            plant(Kind::NoGpuDirect, {"node3"}).noGpuDirectOn = {3};
            plant(Kind::NoGpuDirect, {"node0", "node1", "node2", "node3"}, true).noGpuDirectOn = {0, 1, 2, 3};
            plant(Kind::DifferentSettings, {"node2"}).settings
                = {{"NCCL_IB_HCA", {{0, "mlx5"}, {1, "mlx5"}, {2, "mlx5_0"}, {3, "mlx5"}}}};
            plant(Kind::LimitingSetting, {"node0", "node1", "node2", "node3"}, true).settings
                = {{"NCCL_P2P_DISABLE", {{0, "1"}, {1, "1"}, {2, "1"}, {3, "1"}}}};
            if (version == NcclJob::Version::NoCommId)
                continue; // which of several communicators of a size a rank belongs to is not known
            plant(Kind::FewerChannels, {"node1"}).fewChannelsOn = 1;
            plant(Kind::SharedMemory, {"node1"}).sharedMemoryOn = {1};
            plant(Kind::SharedMemory, {"node0", "node1", "node2", "node3"}, true).sharedMemoryOn
                = {0, 1, 2, 3};
        }
        return all;
    }

private slots:
    void eachFaultIsNamed()
    {
        const std::vector<Planted> all = faults();
        QVERIFY(all.size() >= 30);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Planted& planted = all[i];
            const std::vector<NetworkTrouble> found = troublesOf(planted.job);
            const auto right = std::find_if(found.begin(), found.end(), [&](const NetworkTrouble& trouble) {
                return trouble.kind == planted.kind && trouble.hosts == planted.hosts
                    && trouble.isConditional == planted.isConditional;
            });
            QVERIFY2(right != found.end(), QByteArray::number(int(i)) + ": " + textOf(found));
            for (const NetworkTrouble& trouble : found)
                QVERIFY2(trouble.kind == planted.kind, QByteArray::number(int(i)) + ": " + textOf(found));
        }
    }
    void aSoundNetworkIsNot()
    {
        for (const NcclJob::Version version : versions) {
            for (int nodes = 1; nodes <= 5; ++nodes) {
                for (const int gpus : {2, 4, 8}) {
                    NcclJob job;
                    job.version = version;
                    job.nodes = nodes;
                    job.gpus = gpus;
                    job.cards = gpus;
                    job.settings = {{"NCCL_SOCKET_IFNAME", {{0, "eth0"}, {nodes - 1, "eth0"}}}};
                    const auto found = troublesOf(job);
                    QVERIFY2(found.empty(), textOf(found));
                }
            }
        }
    }
    /// A host whose log is missing is not accused, and not excused.
    void whatIsMissingIsNotGuessed()
    {
        NcclJob job;
        job.socketsBetween = {{0, 3}};
        Diagnostics problems;
        const NetworkRecord record = recordOf(std::vector<std::string>{job.logs()[0]}, problems);
        const NodeConnections connections = nodeConnections(record);
        QVERIFY(connections.unplaced > 0);
        QVERIFY2(networkTroubles(record, connections).empty(), textOf(networkTroubles(record, connections)));
        QCOMPARE(problems.entries().front().code, std::string("nccl_ranks_missing"));
    }
    /// Versions without a commId: the communicators of the nodes have the same size, and are not mixed up.
    void communicatorsThatCannotBeToldApartAreLeftOut()
    {
        NcclJob job;
        job.version = NcclJob::Version::NoCommId;
        job.fewChannelsOn = 1;
        const NetworkRecord record = recordOf(job);
        QCOMPARE(record.communicators.size(), std::size_t(2));
        for (const NcclCommunicator& own : record.communicators)
            QCOMPARE(own.isAmbiguous, own.size == 8);
        QVERIFY2(troublesOf(job).empty(), textOf(troublesOf(job)));
    }
    /// What fits no better than "several jobs", or lacks logs, accuses nobody.
    void whatCannotBeToldIsNotSaid()
    {
        using Kind = NetworkTroubleKind;
        const auto certain = [](const NetworkRecord& record) {
            std::vector<NetworkTrouble> troubles = networkTroubles(record, nodeConnections(record));
            std::erase_if(troubles, [](const NetworkTrouble& own) { return own.isConditional; });
            return troubles;
        };
        // A setting of each rank.
        NcclJob job;
        std::string text = job.text();
        for (int node = 0; node < job.nodes; ++node) {
            for (int gpu = 0; gpu < job.gpus; ++gpu)
                text += "node" + std::to_string(node) + ":" + std::to_string(1000 + gpu)
                    + ":1 [0] NCCL INFO NCCL_IB_HCA set by environment to mlx5_" + std::to_string(gpu)
                    + ".\n";
        }
        QVERIFY2(certain(recordOf(text)).empty(), textOf(certain(recordOf(text))));
        // Two jobs on the same nodes, one of them on sockets.
        NcclJob slow;
        slow.socketsBetween = {{0, 1}, {0, 3}, {1, 2}, {2, 3}, {0, 2}, {1, 3}};
        slow.firstPid = 9000;
        slow.idPrefix = "0x9";
        const NetworkRecord both = recordOf(job.text() + slow.text());
        QVERIFY2(certain(both).empty(), textOf(certain(both)));
        // Two GPUs share a card. The logs of two that do are here, and six of the node are not.
        NcclJob shared;
        shared.usedCardsOf = {{0, 4}, {1, 4}, {2, 4}, {3, 4}};
        QVERIFY2(certain(recordOf(shared)).empty(), textOf(certain(recordOf(shared))));
        std::string part;
        std::istringstream lines(shared.logs()[0]);
        for (std::string line; std::getline(lines, line);)
            part += line.find(":1000:") != std::string::npos || line.find(":1004:") != std::string::npos
                ? line + "\n"
                : std::string();
        for (int node = 1; node < 4; ++node)
            part += shared.logs()[static_cast<std::size_t>(node)];
        const auto said = networkTroubles(recordOf(part), nodeConnections(recordOf(part)));
        QVERIFY2(std::none_of(said.begin(), said.end(),
                              [](const NetworkTrouble& own) { return own.kind == Kind::FewerAdapters; }),
                 textOf(said));
        // All GPUs have the number 0 where each process sees one.
        NcclJob one;
        one.sharedMemoryOn = {1};
        std::string zero = one.text();
        for (int gpu = 1; gpu < 8; ++gpu) {
            const std::string number = std::to_string(gpu);
            for (const std::string& word :
                 {" cudaDev " + number + " nvmlDev " + number, "[" + number + "] ->"}) {
                for (std::size_t at = zero.find(word); at != std::string::npos; at = zero.find(word, at + 1))
                    zero.replace(at, word.size(), word[0] == ' ' ? " cudaDev 0" : "[0] ->");
            }
        }
        for (const NetworkTrouble& trouble : certain(recordOf(zero)))
            QVERIFY2(trouble.kind != Kind::SharedMemory, trouble.text.c_str());
    }
    /// Nodes that no communicator connects may belong to several jobs: no difference between them is a fact.
    void nodesOfSeveralJobsAreNotCompared()
    {
        const NcclJob sound;
        NcclJob other;
        other.nodes = 2;
        other.noGpuDirectOn = {0, 1};
        other.cards = 4;
        other.idPrefix = "0x9";
        std::string text = other.text();
        for (std::size_t at = text.find("node"); at != std::string::npos; at = text.find("node", at))
            text.replace(at, 4, "rack");
        const NetworkRecord record = recordOf(sound.text() + text);
        const auto troubles = networkTroubles(record, nodeConnections(record));
        QVERIFY(!troubles.empty());
        for (const NetworkTrouble& own : troubles)
            QVERIFY2(own.isConditional && own.text.find("of several jobs") != std::string::npos,
                     own.text.c_str());
    }
    /// NCCL says which network it chose before the first connection.
    void aJobThatDiesAtItsStartIsRead()
    {
        const NetworkRecord record = recordOf("n1:1:2 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [RO]\n"
                                              "n1:1:2 [0] NCCL INFO Using network IB\n"
                                              "n2:1:2 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [RO]\n"
                                              "n2:1:2 [0] NCCL INFO Using network IB\n"
                                              "n3:1:2 [0] NCCL INFO NET/IB : No device found.\n"
                                              "n3:1:2 [0] NCCL INFO Using network Socket\n");
        const auto troubles = networkTroubles(record, nodeConnections(record));
        QCOMPARE(troubles.size(), std::size_t(2));
        const std::string doubt
            = " No communicator in the logs connects all nodes: if they are of several jobs, open "
              "the logs of one.";
        QCOMPARE(troubles[0].text, "NCCL chose sockets (TCP) on n3, and IB on 2 other nodes." + doubt);
        QCOMPARE(troubles[1].text, "NCCL found 0 network cards on n3, and 1 on 2 other nodes." + doubt);
        QVERIFY(troubles[0].isConditional && troubles[1].isConditional);
    }
    /// The memory of a communicator is used again for another one.
    void aPointerThatIsUsedAgainNamesNothing()
    {
        const auto ready = [](const char* host, int rank, const char* id) {
            return std::string(host) + ":1:2 [0] NCCL INFO ncclCommInitRank comm 0x1 rank "
                + std::to_string(rank) + " nranks 2 cudaDev 0 nvmlDev 0 busId 1000 commId " + id
                + " - Init COMPLETE\n";
        };
        const NetworkRecord record = recordOf(
            ready("n0", 0, "0xa") + ready("n1", 1, "0xa")
            + "n0:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/Socket/0 comm 0x1 nRanks 02\n"
            + ready("n0", 0, "0xb") + ready("n2", 1, "0xb")
            + "n0:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/0/GDRDMA comm 0x1 nRanks "
              "02\n");
        QCOMPARE(nodeConnections(record).unplaced, std::uint64_t(2));
    }
    void sentencesNameTheNodes()
    {
        NcclJob job;
        job.socketsBetween = {{2, 3}};
        QCOMPARE(troublesOf(job).front().text,
                 std::string(
                     "NCCL uses sockets (TCP) between node2 and node3, and a faster network between 3 other "
                     "pairs."));
        NcclJob fewer;
        fewer.cardsOf = {{1, 1}};
        QCOMPARE(troublesOf(fewer).front().text,
                 std::string("NCCL found 1 network card on node1, and 8 on 3 other nodes."));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestNetworkTroubles)
#include "tst_network_troubles.moc"
