// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What NCCL says of its calls in exports of Nsight Systems: communicator, ranks and sizes of the kernels they
// became.

#include "metrics/analysis/analysis.h"
#include "metrics/core/statistics.h"
#include "model/readers/nsys/nsys_rep.h"
#include "model/readers/reader.h"
#include "tests/support/suite/close.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/texts/kineto_text.h"

#include <QFileInfo>
#include <QTemporaryDir>

#include <sqlite3.h>

#include <filesystem>
#include <fstream>

namespace collscope {

extern const ReaderDescriptor nsysReader;

namespace {

constexpr std::int64_t process = std::int64_t{100} << 24;

/// Builds an export of one process with one thread, call by call.
class NcclExport
{
public:
    NcclExport()
    {
        m_sql
            = "CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);"
              "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER, deviceId INTEGER, "
              "streamId "
              "INTEGER, correlationId INTEGER, globalPid INTEGER, shortName TEXT);"
              "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INTEGER, end INTEGER, globalTid INTEGER, "
              "correlationId INTEGER, name TEXT);"
              "CREATE TABLE NVTX_EVENTS(start INTEGER, end INTEGER, eventType INTEGER, text TEXT, globalTid "
              "INTEGER, domainId INTEGER, jsonText TEXT, binaryData TEXT);"
              "CREATE TABLE NVTX_PAYLOAD_SCHEMA_ENTRIES(domainId INTEGER, schemaId INTEGER, idx INTEGER, "
              "type "
              "INTEGER, name TEXT, offset INTEGER);"
              "INSERT INTO NVTX_PAYLOAD_SCHEMA_ENTRIES VALUES (1,7,0,18,'NCCL communicator ID',NULL),"
              "(1,7,1,22,'Message size [bytes]',8),(1,7,2,5,'Root',16),"
              "(1,8,0,18,'NCCL communicator ID',NULL),(1,8,1,5,'No. of ranks',8),(1,8,2,5,'Rank',12);";
    }
    /// A range of NCCL from now on; what follows until close() happens inside of it.
    void open(const std::string& name, const std::string& json = "NULL", const std::string& binary = "NULL")
    {
        m_open.push_back({name, json, binary, m_now});
        m_now += 10;
    }
    void close()
    {
        m_now += 10;
        const Open& range = m_open.back();
        m_sql += "INSERT INTO NVTX_EVENTS VALUES (" + std::to_string(range.begin) + ","
            + std::to_string(m_now) + ",59,'" + range.name + "'," + std::to_string(process | 5) + ",1,"
            + range.json + "," + range.binary + ");";
        m_open.pop_back();
        m_now += 10;
    }
    /// A launch now, and its kernel somewhat later.
    void launch(const std::string& kernel, int duration = 1000)
    {
        ++m_correlation;
        const std::string correlation = std::to_string(m_correlation);
        m_sql += "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (" + std::to_string(m_now) + ","
            + std::to_string(m_now + 5) + "," + std::to_string(process | 5) + "," + correlation
            + ",'cudaLaunchKernelExC');INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES ("
            + std::to_string(m_gpu) + "," + std::to_string(m_gpu + duration) + ",0,7," + correlation + ","
            + std::to_string(process) + ",'" + kernel + "');";
        m_gpu += 2 * duration;
        m_now += 10;
    }
    void call(const std::string& name, const std::string& json, const std::string& kernel,
              const std::string& binary = "NULL")
    {
        open(name, json, binary);
        launch(kernel);
        close();
    }
    void add(const std::string& sql) { m_sql += sql; }

    Result<TraceFragment> read() const
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("report.sqlite")).toStdString();
        sqlite3* database = nullptr;
        sqlite3_open(path.c_str(), &database);
        char* message = nullptr;
        if (sqlite3_exec(database, m_sql.c_str(), nullptr, nullptr, &message) != SQLITE_OK)
            qFatal("%s", message);
        sqlite3_close(database);
        return nsysReader.read({path, std::filesystem::file_size(path), -1, {}}, ReadContext());
    }

private:
    struct Open
    {
        std::string name, json, binary;
        std::int64_t begin = 0;
    };
    std::string m_sql;
    std::vector<Open> m_open;
    std::int64_t m_now = 1000;
    std::int64_t m_gpu = 1'000'000;
    int m_correlation = 0;
};

std::string sizeOf(std::uint64_t bytes, const std::string& more = {})
{
    // Above 2^63, as half of NCCL's numbers are.
    return "'{\"NCCL communicator ID\":13429301450432826988,\"Message size [bytes]\":" + std::to_string(bytes)
        + more + "}'";
}

std::string made(int ranks, int rank)
{
    return "'{\"NCCL communicator ID\":13429301450432826988,\"No. of ranks\":" + std::to_string(ranks)
        + ",\"Rank\":" + std::to_string(rank) + ",\"CUDA device\":0}'";
}

/// The digits of a payload as nsys lays it out: a header of 32 bytes, then the fields.
std::string blob(std::uint32_t schema, std::initializer_list<std::pair<std::uint64_t, int>> fields)
{
    std::string payload;
    const auto put = [](std::string& to, std::uint64_t value, int bytes) {
        static constexpr char digits[] = "0123456789abcdef";
        for (int i = 0; i < bytes; ++i) {
            const auto byte = static_cast<unsigned>(value >> (8 * i) & 0xFF);
            to.push_back(digits[byte >> 4]);
            to.push_back(digits[byte & 15]);
        }
    };
    for (const auto& [value, bytes] : fields)
        put(payload, value, bytes);
    std::string whole;
    put(whole, 1, 4);
    put(whole, 0, 4);
    put(whole, schema, 4);
    put(whole, 0, 4);
    put(whole, payload.size() / 2, 8);
    put(whole, 32 + payload.size() / 2, 8);
    return whole + payload;
}

/// The metadata of the communication kernels, in the order of the GPU.
std::vector<CollectiveCall> kernelsOf(const TraceFragment& fragment)
{
    std::vector<CollectiveCall> calls;
    for (const Timeline& timeline : fragment.timelines) {
        for (const CollectiveCall& call : timeline.collectives) {
            if (call.onGpu)
                calls.push_back(call);
        }
    }
    std::sort(calls.begin(), calls.end(), [&](const CollectiveCall& a, const CollectiveCall& b) {
        const auto startOf = [&](const CollectiveCall& call) {
            return fragment.tracks[call.slice.track.value].slices.startNs[call.slice.row];
        };
        return startOf(a) < startOf(b);
    });
    return calls;
}

constexpr const char* anyKernel = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(x)";

} // namespace

class TestNcclPayloads : public QObject
{
    Q_OBJECT

private slots:
    void sizesByTheConventionOfEachCall_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("kernel");
        QTest::addColumn<qint64>("bytes"); // of 4 ranks that each say 1000
        QTest::newRow("all-reduce") << QByteArray("ncclAllReduce") << QByteArray("ncclDevKernel_AllReduce")
                                    << qint64{1000};
        QTest::newRow("all-gather") << QByteArray("ncclAllGather") << QByteArray("ncclDevKernel_AllGather")
                                    << qint64{4000};
        QTest::newRow("reduce-scatter")
            << QByteArray("ncclReduceScatter") << QByteArray("ncclDevKernel_ReduceScatter") << qint64{4000};
        QTest::newRow("all-to-all") << QByteArray("ncclAlltoAll") << QByteArray("ncclDevKernel_SendRecv")
                                    << qint64{4000};
        QTest::newRow("broadcast") << QByteArray("ncclBroadcast") << QByteArray("ncclDevKernel_Broadcast")
                                   << qint64{1000};
        QTest::newRow("reduce") << QByteArray("ncclReduce") << QByteArray("ncclDevKernel_Reduce")
                                << qint64{1000};
    }
    void sizesByTheConventionOfEachCall()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, kernel);
        QFETCH(qint64, bytes);
        NcclExport file;
        file.open("ncclCommInitRankConfig", made(4, 2));
        file.close();
        file.call(name.toStdString(), sizeOf(1000, ",\"Root\":3"), kernel.toStdString());
        const auto fragment = file.read();
        QVERIFY(fragment);
        const std::vector<CollectiveCall> calls = kernelsOf(*fragment);
        QCOMPARE(calls.size(), std::size_t{1});
        QCOMPARE(fragment->strings.view(calls[0].name), std::string_view(name.constData()));
        QCOMPARE(fragment->strings.view(calls[0].group), std::string_view("0xba5e768486afce6c"));
        QCOMPARE(calls[0].groupSize, std::optional<std::int32_t>(4));
        QCOMPARE(calls[0].sourceRank, std::optional<std::int64_t>(3));
        QCOMPARE(messageBytes(calls[0], ""), std::optional<std::uint64_t>(bytes));
    }
    void withoutTheNumberOfRanksNoGatheredSize()
    {
        NcclExport file;
        file.call("ncclAllGather", sizeOf(1000), "ncclDevKernel_AllGather");
        file.call("ncclAllReduce", sizeOf(1000), anyKernel);
        const auto fragment = file.read();
        QVERIFY(fragment);
        const std::vector<CollectiveCall> calls = kernelsOf(*fragment);
        QCOMPARE(calls.size(), std::size_t{2});
        QVERIFY(!messageBytes(calls[0], "") && !calls[0].groupSize);
        QCOMPARE(messageBytes(calls[1], ""), std::optional<std::uint64_t>(1000));
        QVERIFY(!calls[1].sequence); // made before the capture: how many calls there were is unknown
    }
    void numbersCallsFromTheMakingOfTheCommunicator()
    {
        NcclExport file;
        file.open("ncclCommInitRank", made(2, 1));
        file.close();
        for (int i = 0; i < 3; ++i)
            file.call("ncclAllReduce", sizeOf(8), anyKernel);
        const auto fragment = file.read();
        QVERIFY(fragment);
        const std::vector<CollectiveCall> calls = kernelsOf(*fragment);
        QCOMPARE(calls.size(), std::size_t{3});
        for (std::size_t i = 0; i < calls.size(); ++i)
            QCOMPARE(calls[i].sequence, std::optional<std::int64_t>(static_cast<std::int64_t>(i)));
        QCOMPARE(fragment->source.eventsInFile, std::uint64_t{10});
        QCOMPARE(fragment->source.shown, std::uint64_t{10});
    }
    void readsBinaryPayloads()
    {
        constexpr std::uint64_t communicator = 0x8000000000000001u;
        const std::string init = blob(8, {{communicator, 8}, {3, 4}, {1, 4}});
        const std::string call = blob(7, {{communicator, 8}, {4096, 8}, {2, 4}, {0, 4}});
        for (const bool asDigits : {false, true}) {
            const auto written = [&](const std::string& digits) {
                return asDigits ? "'" + digits + "'" : "x'" + digits + "'";
            };
            NcclExport file;
            file.open("ncclCommInitRank", "NULL", written(init));
            file.close();
            file.call("ncclBroadcast", "NULL", "ncclDevKernel_Broadcast", written(call));
            const auto fragment = file.read();
            QVERIFY(fragment);
            const std::vector<CollectiveCall> calls = kernelsOf(*fragment);
            QCOMPARE(calls.size(), std::size_t{1});
            QCOMPARE(fragment->strings.view(calls[0].group), std::string_view("0x8000000000000001"));
            QCOMPARE(calls[0].groupSize, std::optional<std::int32_t>(3));
            QCOMPARE(calls[0].payloadBytes, std::optional<std::int64_t>(4096));
            QCOMPARE(calls[0].sourceRank, std::optional<std::int64_t>(2));
        }
    }
    void joinsTheCallsOfAGroup()
    {
        const auto peer = [](int rank) { return ",\"Peer rank\":" + std::to_string(rank); };
        NcclExport file;
        file.open("ncclCommInitRank", made(2, 0));
        file.close();
        const auto group = [&](const std::vector<std::pair<std::string, std::string>>& calls,
                               const std::vector<std::string>& kernels) {
            file.open("ncclGroupStart");
            file.close();
            for (const auto& [name, json] : calls) {
                file.open(name, json);
                file.close();
            }
            file.open("ncclGroupEnd");
            for (const std::string& kernel : kernels)
                file.launch(kernel);
            file.close();
        };
        const std::string exchange = "ncclDevKernel_SendRecv";
        // To everybody and from everybody: an all-to-all of 2 x 100 bytes.
        group({{"ncclSend", sizeOf(100, peer(0))},
               {"ncclRecv", sizeOf(100, peer(0))},
               {"ncclSend", sizeOf(100, peer(1))},
               {"ncclRecv", sizeOf(100, peer(1))}},
              {exchange});
        group({{"ncclSend", sizeOf(300, peer(1))}}, {exchange});
        group({{"ncclSend", sizeOf(40, peer(1))}, {"ncclRecv", sizeOf(60, peer(1))}}, {exchange});
        group({{"ncclAllReduce", sizeOf(10)}, {"ncclAllReduce", sizeOf(20)}}, {anyKernel});
        group({{"ncclAllReduce", sizeOf(10)}, {"ncclAllReduce", sizeOf(10)}}, {anyKernel, anyKernel});
        group({{"ncclAllReduce", sizeOf(10)}, {"ncclAllReduce", sizeOf(20)}}, {anyKernel, anyKernel});
        const auto fragment = file.read();
        QVERIFY(fragment);
        const std::vector<CollectiveCall> calls = kernelsOf(*fragment);
        QCOMPARE(calls.size(), std::size_t{8});
        const auto check
            = [&](std::size_t i, KernelClass kind, std::string_view name, std::optional<std::int64_t> bytes) {
                  QCOMPARE(calls[i].kind, kind);
                  QCOMPARE(fragment->strings.view(calls[i].name), name);
                  QCOMPARE(calls[i].payloadBytes, bytes);
              };
        check(0, KernelClass::AllToAll, "all_to_all", 200);
        check(1, KernelClass::SendRecv, "ncclSend", 300);
        QCOMPARE(calls[1].sourceRank, std::optional<std::int64_t>(0));
        QCOMPARE(calls[1].destinationRank, std::optional<std::int64_t>(1));
        check(2, KernelClass::SendRecv, "ncclSend+ncclRecv", 40);
        check(3, KernelClass::AllReduce, "ncclAllReduce", 30);
        check(4, KernelClass::AllReduce, "ncclAllReduce", 10);
        check(5, KernelClass::AllReduce, "ncclAllReduce", 10);
        check(6, KernelClass::AllReduce, "", std::nullopt); // two kernels of 10 and 20 bytes: which is which?
        check(7, KernelClass::AllReduce, "", std::nullopt);
        const Diagnostic* const told = findProblem(fragment->problems, "nccl_groups");
        QVERIFY(told && told->explanation.find("2 kernels") != std::string::npos);
    }
    void saysWhatAnExportWithoutBlobsLacks()
    {
        NcclExport file;
        file.call("ncclAllReduce", "NULL", anyKernel);
        const auto fragment = file.read();
        QVERIFY(fragment);
        const Diagnostic* const told = findProblem(fragment->problems, "nccl_without_payloads");
        QVERIFY(told && told->explanation.find("--include-blobs=true") != std::string::npos);
        QVERIFY(!kernelsOf(*fragment).front().payloadBytes);
    }
    void survivesWhateverAPayloadSays_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QByteArray>("binary");
        const auto json = [](const char* name, const QByteArray& text) {
            QTest::newRow(name) << QByteArray("'" + text + "'") << QByteArray("NULL");
        };
        json("no JSON", "{\"NCCL communicator ID\":");
        json("a list", "[\"NCCL communicator ID\"]");
        json("text for a number", "{\"NCCL communicator ID\":\"12\",\"Message size [bytes]\":\"x\"}");
        json("negative", "{\"NCCL communicator ID\":-1,\"Message size [bytes]\":-5}");
        json("absurd",
             "{\"NCCL communicator ID\":1,\"Message size [bytes]\":18446744073709551615,\"No. of "
             "ranks\":18446744073709551615}");
        json("a double", "{\"NCCL communicator ID\":1e300,\"Message size [bytes]\":1.5}");
        json("deep", QByteArray("{\"NCCL communicator ID\":").append(QByteArray(30000, '[')));
        json("long",
             QByteArray("{\"NCCL communicator ID\":1,\"x\":\"").append(QByteArray(1 << 20, 'x')) + "\"}");
        const auto binary = [](const char* name, const QByteArray& digits) {
            QTest::newRow(name) << QByteArray("NULL") << QByteArray("x'" + digits + "'");
        };
        binary("empty", "");
        binary("a header alone", QByteArray(64, '0'));
        binary("a size beyond the blob",
               QByteArray::fromStdString(blob(7, {{1, 8}, {4096, 8}, {2, 4}}))
                   .replace(32, 16, "ffffffffffffffff"));
        binary("an unknown schema", QByteArray::fromStdString(blob(99, {{1, 8}, {4096, 8}})));
        binary("shorter than its schema", QByteArray::fromStdString(blob(7, {{1, 4}})));
        QTest::newRow("a number") << QByteArray("7") << QByteArray("1.5");
    }
    void survivesWhateverAPayloadSays()
    {
        QFETCH(QByteArray, json);
        QFETCH(QByteArray, binary);
        NcclExport file;
        file.add("INSERT INTO NVTX_PAYLOAD_SCHEMA_ENTRIES VALUES (1,7,3,18,'Peer rank',9223372036854775807),"
                 "(-1,7,3,18,'Peer rank',-5),('x','y','z','w',NULL,'v'),(1,1e300,0,5,'Rank',x'00');");
        file.call("ncclAllReduce", json.toStdString(), anyKernel, binary.toStdString());
        const auto fragment = file.read();
        QVERIFY(fragment);
        QCOMPARE(fragment->source.eventsInFile, std::uint64_t{3});
        QCOMPARE(fragment->source.shown, std::uint64_t{3});
        const std::vector<CollectiveCall> calls = kernelsOf(*fragment);
        QCOMPARE(calls.size(), std::size_t{1});
        QVERIFY(!calls[0].payloadBytes && !calls[0].groupSize);
    }
    void exportsReportsWithTheirBlobs()
    {
        const QTemporaryDir folder;
        const auto pathOf
            = [&](const char* name) { return folder.filePath(QString::fromLatin1(name)).toStdString(); };
        std::ofstream(pathOf("run.nsys-rep")) << "report";
        // A stand-in for nsys that writes its --output and keeps its arguments.
        const std::string head = "#!/bin/sh\necho \"$@\" >> '" + pathOf("calls") + "'\n";
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", folder.path().toUtf8());
        const auto exportWith = [&](const std::string& body) {
            std::ofstream(pathOf("nsys")) << head << body;
            std::filesystem::permissions(pathOf("nsys"), std::filesystem::perms::owner_all);
            std::filesystem::remove_all(pathOf("cache"));
            ReadContext context;
            context.cacheFolder = pathOf("cache");
            context.exportsReports = true;
            return sqliteForNsysReport(pathOf("run.nsys-rep"), context);
        };
        const auto made = exportWith("echo made > \"$5\"\n");
        // One that does not know the option is asked again without it.
        const auto old = exportWith("case \"$*\" in *include-blobs*) exit 1;; esac\necho made > \"$5\"\n");
        qputenv("PATH", path);
        QVERIFY(made);
        QVERIFY(old);
        std::ifstream calls(pathOf("calls"));
        std::vector<bool> withBlobs;
        for (std::string line; std::getline(calls, line);)
            withBlobs.push_back(line.find("--include-blobs=true") != std::string::npos);
        QCOMPARE(withBlobs, (std::vector<bool>{true, true, false}));
    }
    void realExport()
    {
        const QString path = tracesFolder() + QStringLiteral("/nsys_sqlite/ddp_2gpu_nccl_payloads.sqlite");
        if (tracesFolder().isEmpty() || !QFileInfo::exists(path))
            QSKIP("no real traces: set COLLSCOPE_TRACES");
        const auto loaded = loadPath(path.toStdString());
        QVERIFY(loaded);
        const TraceModel& model = **loaded;
        QCOMPARE(model.timelines.size(), std::size_t{2});
        // Worked out from the tables with Python: 230 kernels a rank, 111 of them all-reduces of bf16.
        std::vector<std::vector<std::pair<std::uint64_t, std::int64_t>>> reductions(2);
        for (std::size_t rank = 0; rank < 2; ++rank) {
            std::size_t kernels = 0;
            std::uint64_t bytes = 0;
            std::vector<std::pair<std::int64_t, std::pair<std::uint64_t, std::int64_t>>> bySequence;
            for (const CollectiveCall& call : model.timelines[rank].collectives) {
                if (!call.onGpu)
                    continue;
                ++kernels;
                QCOMPARE(call.groupSize, std::optional<std::int32_t>(2));
                QVERIFY(call.payloadBytes && call.sequence);
                if (model.nameOf(call.slice).find("AllReduce_Sum_bf16") == std::string_view::npos)
                    continue;
                bytes += *messageBytes(call, {});
                bySequence.push_back(
                    {*call.sequence, {*messageBytes(call, {}), model.rangeOf(call.slice).lengthNs()}});
            }
            QCOMPARE(kernels, std::size_t{230});
            QCOMPARE(bySequence.size(), std::size_t{111});
            QCOMPARE(bytes, std::uint64_t{257'250'816});
            std::sort(bySequence.begin(), bySequence.end());
            for (const auto& [sequence, call] : bySequence)
                reductions[rank].push_back(call);
        }
        std::vector<double> busBandwidth;
        for (std::size_t i = 0; i < reductions[0].size(); ++i) {
            QCOMPARE(reductions[0][i].first, reductions[1][i].first);
            const std::int64_t ns = std::min(reductions[0][i].second, reductions[1][i].second);
            busBandwidth.push_back(static_cast<double>(reductions[0][i].first) / static_cast<double>(ns));
        }
        QVERIFY(areClose(medianOf(busBandwidth), 8.928002179688033));
        QVERIFY(areClose(*std::max_element(busBandwidth.begin(), busBandwidth.end()), 10.09339605084996));
        // The metric counts the 8 small ones too.
        const MetricResult result = measure(model, "bandwidth_utilization_allreduce");
        QVERIFY2(areClose(result.value, 8.867866942304078), result.reason.c_str());
        QVERIFY(areClose(numberOf(result, "max"), 10.09339605084996));
        QCOMPARE(numberOf(result, "calls"), 119.0);
        const MetricResult volume = measure(model, "collective_vol_allreduce_gb");
        QVERIFY2(areClose(volume.value, 0.257250948), volume.reason.c_str());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestNcclPayloads)
#include "tst_nccl_payloads.moc"
