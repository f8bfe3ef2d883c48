// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Lines of NCCL, in the wordings of the public issues that are named at each of them, and files that contain
// them.

#include "metrics/network/node_connections.h"
#include "model/readers/reader.h"
#include "model/readers/run/load_trace.h"
#include "tests/support/suite/suite.h"
#include "tests/unit/network/nccl_record.h"

#include <QTemporaryDir>

#include <fstream>
#include <random>

namespace collscope {

class TestNcclLog : public QObject
{
    Q_OBJECT

    static std::string saidOfConnection(const std::string& line)
    {
        const NetworkRecord record = recordOf(line);
        if (record.connections.size() != 1)
            return "nothing";
        const NcclConnection& own = record.connections.begin()->first;
        constexpr const char* transports[] = {"P2P", "SHM", "NET"};
        return own.writer.host + " " + std::to_string(own.from) + "[" + own.fromDevice + "]>"
            + std::to_string(own.to) + "[" + own.toDevice + "] "
            + transports[static_cast<std::size_t>(own.transport)] + " " + own.network + " "
            + std::to_string(own.adapter) + (own.hasGpuDirect ? " GDR" : "")
            + (own.isReceiver ? " receives" : "") + own.communicator;
    }

private slots:
    void connections_data()
    {
        QTest::addColumn<std::string>("line");
        QTest::addColumn<std::string>("says");
        const auto row = [](const char* name, const char* line, const char* says) {
            QTest::newRow(name) << std::string(line) << std::string(says);
        };
        row("P2P", "g3094:44814:45294 [1] NCCL INFO Channel 00/0 : 1[1] -> 0[0] via P2P/CUMEM/read",
            "g3094 1[1]>0[0] P2P  -1");
        row("older", "A03-R28-I49-2:58077:58135 [0] NCCL INFO Channel 00 : 0[7000] -> 1[b000] via P2P/IPC",
            "A03-R28-I49-2 0[7000]>1[b000] P2P  -1");
        row("SHM", "n:195:1185 [3] NCCL INFO Channel 00 : 3[3] -> 2[2] via SHM/direct/direct",
            "n 3[3]>2[2] SHM  -1");
        row("IB", "n:1:2 [0] NCCL INFO Channel 00/0 : 8[0] -> 0[0] [receive] via NET/IB/3/GDRDMA",
            "n 8[0]>0[0] NET IB 3 GDR receives");
        row("Socket", "n:1:2 [0] NCCL INFO Channel 01/0 : 0[0] -> 4[0] [send] via NET/Socket/0",
            "n 0[0]>4[0] NET Socket 0");
        row("plugin",
            "n:1:2 [0] NCCL INFO Channel 01/0 : 0[0] -> 4[0] [send] via NET/AWS Libfabric/1/GDRDMA(PCI)",
            "n 0[0]>4[0] NET AWS Libfabric 1 GDR");
        row("communicator",
            "n:1:2 [0] NCCL INFO Channel 01/0 : 0[0] -> 4[0] [send] via NET/IB/0 comm 0x55 nRanks 08",
            "n 0[0]>4[0] NET IB 0"
            "0x55");
        row("launcher", "[1,3]<stdout>:n:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/IPC",
            "n 0[0]>1[1] P2P  -1");
        row("worker", "worker-0: worker-0:194:210 [4] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/IPC",
            "worker-0 0[0]>1[1] P2P  -1");
        row("time", "[2026-01-02 03:04:05] n:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/IPC",
            "n 0[0]>1[1] P2P  -1");
        row("ring", "n:1:2 [0] NCCL INFO Channel 22/24 :    0   1", "nothing");
        row("collnet", "n:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via COLLNET/SHARP/0", "nothing");
        row("cut", "n:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> ", "nothing");
        row("no process", "NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/IPC", "nothing");
        row("a rank that cannot be", "n:1:2 [0] NCCL INFO Channel 00/0 : 99999999999[0] -> 1[1] via P2P/IPC",
            "nothing");
        row("negative", "n:1:2 [0] NCCL INFO Channel 00/0 : -1[0] -> 1[1] via P2P/IPC", "nothing");
    }
    void connections()
    {
        QFETCH(const std::string, line);
        QFETCH(const std::string, says);
        QCOMPARE(saidOfConnection(line), says);
    }
    void cards()
    {
        const NetworkRecord record = recordOf("gcn6:1080060:1080060 [0] NCCL INFO NET/IB : Using "
                                              "[0]mlx5_0:1/IB [1]mlx5_1:1/IB [2]mlx5_2:1/RoCE [RO]; "
                                              "OOB eno1np0:172.18.62.6<0>");
        QCOMPARE(record.adapters.size(), std::size_t(3));
        QVERIFY(record.adapters.contains({"gcn6", "mlx5_2:1", "RoCE", 2}));
        const NetworkRecord sharp = recordOf(
            "n:1:2 [4] NCCL INFO NET/IB : Using [0]mlx5_9:1/IB/SHARP [RO]; OOB eth0:10.224.3.48<0>");
        QVERIFY(sharp.adapters.contains({"n", "mlx5_9:1", "IB", 0}));
        const NetworkRecord socket
            = recordOf("n:1:2 [4] NCCL INFO NET/Socket : Using [0]eth0:10.0.0.1<0> [1]ib0:10.1.0.1<0>");
        QVERIFY(socket.adapters.contains({"n", "ib0", "Socket", 1}));
    }
    void settingsAndAlgorithms()
    {
        QVERIFY(recordOf("n:1:2 [0] NCCL INFO NCCL_IB_TC set by environment to 106.")
                    .settings.contains({"n", "NCCL_IB_TC", "106"}));
        QVERIFY(recordOf("n:1:2 [0] NCCL INFO NCCL_IB_HCA set to mlx5_0")
                    .settings.contains({"n", "NCCL_IB_HCA", "mlx5_0"}));
        QVERIFY(recordOf("n:1:2 [0] NCCL INFO AllReduce: 4194304 Bytes -> Algo Tree proto Simple "
                         "channel{Lo..Hi}={0..7}")
                    .algorithms.contains({"AllReduce", 4194304, "Tree", "Simple"}));
        QVERIFY(recordOf("NCCL version 2.21.5+cuda12.4").versions.contains("2.21.5+cuda12.4"));
        QVERIFY(recordOf("n:1:2 [0] NCCL INFO RCCL version : 2.22.3-HEAD:9d5f4ec")
                    .versions.contains("2.22.3-HEAD:9d5f4ec"));
    }
    /// A sentence of PyTorch that mentions NCCL is not a line of NCCL: the watchdog reads it.
    void sentencesAboutNcclAreLeftToOthers()
    {
        NcclLogLines lines;
        QVERIFY(!lines.take(
            "[rank3]: torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:1331, "
            "internal error, NCCL version 2.17.1"));
        QVERIFY(!lines.take("Set NCCL_DEBUG=INFO to see NCCL INFO lines"));
        QCOMPARE(lines.understood() + lines.others(), std::uint64_t(0));
    }
    void ranksOfACommunicatorComeTogether()
    {
        NcclJob job;
        job.nodes = 2;
        const NetworkRecord record = recordOf(job.text());
        QCOMPARE(record.communicators.size(), std::size_t(3)); // all, and one for each node
        const auto& all = *std::find_if(record.communicators.begin(), record.communicators.end(),
                                        [](const NcclCommunicator& own) { return own.size == 16; });
        QCOMPARE(all.members.size(), std::size_t(16));
        QCOMPARE(all.members.at(11).process.host, std::string("node1"));
        QCOMPARE(all.members.at(11).device, std::optional<int>(3));
        QCOMPARE(all.channels.at(11), 16);
        const NodeConnections connections = nodeConnections(record);
        QCOMPARE(connections.unplaced, std::uint64_t(0));
        for (const NodeConnection& own : connections.all)
            QCOMPARE(own.transport == Transport::Network, own.isBetweenHosts());
    }
    void aFileIsReadAndAccountedFor()
    {
        QTemporaryDir folder;
        const NcclJob job;
        const std::string path = folder.filePath(QStringLiteral("job.out")).toStdString();
        std::ofstream(path) << "starting\n" << job.text() << "step: 3 loss: 2.5\n";
        LoadContext context;
        const auto plan = planLoad({path}, {});
        QVERIFY(plan);
        const auto model = loadTrace(*plan, context);
        QVERIFY2(model, model ? "" : model.error().message.c_str());
        QVERIFY((*model)->network);
        QCOMPARE((*model)->measurements.trainingLogs.size(), std::size_t(1));
        QCOMPARE((*model)->network->communicators.size(), std::size_t(5));
    }
    void linesThatAreNotReadAreCounted()
    {
        QTemporaryDir folder;
        const NcclJob job;
        const std::string path = folder.filePath(QStringLiteral("nccl.log")).toStdString();
        std::ofstream(path) << job.text();
        SourceFile file;
        file.path = path;
        const auto fragment = readerOf(SourceKind::NcclLog).read(file, {});
        QVERIFY(fragment);
        QCOMPARE(fragment->source.excluded,
                 std::uint64_t(64)); // "Bootstrap" and "cudaDriverVersion" of each GPU
        QCOMPARE(fragment->source.eventsInFile, fragment->source.shown + fragment->source.excluded);
        const std::string text = job.text();
        QCOMPARE(fragment->source.eventsInFile,
                 static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')));
    }
    void noByteDoesHarm()
    {
        std::mt19937 random(7);
        const NcclJob job;
        const std::string whole = job.logs().front();
        for (int i = 0; i < share(300, 30); ++i) {
            std::string text = whole.substr(0, random() % whole.size());
            for (int damage = 0; damage < 40 && !text.empty(); ++damage)
                text[random() % text.size()] = static_cast<char>(random() % 256);
            const NetworkRecord record = recordOf(text);
            QVERIFY(nodeConnections(record).all.size() <= record.connections.size());
            for (const NcclCommunicator& own : record.communicators)
                QVERIFY(own.members.size() <= static_cast<std::size_t>(own.size));
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestNcclLog)
#include "tst_nccl_log.moc"
