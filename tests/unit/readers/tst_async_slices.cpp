// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Nestable async events (ph b and e): slices of any category that may overlap, and the output of NCCL's
// example profiler, which is made of them.

#include "app/runtime/thread_pool.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/workloads/run_writer.h"

#include <QFileInfo>
#include <QTemporaryDir>

#include <filesystem>
#include <set>

namespace collscope {

namespace {

std::string asyncEvent(char phase, const char* category, const char* name, int id, double ts,
                       const std::string& args = {}, int pid = 1)
{
    return std::string("{\"ph\":\"") + phase + "\",\"cat\":\"" + category + "\",\"name\":\"" + name
        + "\",\"id\":" + std::to_string(id) + ",\"pid\":" + std::to_string(pid)
        + ",\"tid\":1,\"ts\":" + std::to_string(ts) + (args.empty() ? "" : ",\"args\":{" + args + "}") + "},";
}

std::string document(std::string events)
{
    events.pop_back();
    return "{\"traceEvents\": [" + events + "]}";
}

bool isBalanced(const TraceFragment& fragment)
{
    return fragment.source.eventsInFile == fragment.source.shown + fragment.source.excluded;
}

/// "name begin+length [lane]" of all slices, in order of tracks and time.
std::vector<std::string> slicesOf(const TraceFragment& fragment)
{
    std::vector<std::string> lines;
    for (const Track& track : fragment.tracks) {
        for (std::size_t row = 0; row < track.slices.size(); ++row)
            lines.push_back(std::string(fragment.strings.view(track.slices.name[row])) + " "
                            + std::to_string(track.slices.startNs[row]) + "+"
                            + std::to_string(track.slices.durationNs[row]) + " ["
                            + std::string(fragment.strings.view(track.tid)) + "]");
    }
    return lines;
}

std::string callArgs(int rank, int peer)
{
    return "\"CommHash\": 12715772615376301750, \"Rank\": " + std::to_string(rank) + ", \"Peer\": "
        + std::to_string(peer) + ", \"Count\": 1000, \"Datatype\": \"ncclFloat32\", \"nChannels\": 2";
}

} // namespace

class TestAsyncSlices : public QObject
{
    Q_OBJECT

private slots:
    void pairsByCategoryIdAndName()
    {
        // Two ids that cross, a pair inside of a pair of its own id, and the same id in another process.
        const auto fragment = readKineto(
            document(asyncEvent('b', "io", "read", 1, 10) + asyncEvent('b', "io", "read", 2, 12)
                     + asyncEvent('b', "io", "block", 1, 13) + asyncEvent('b', "io", "read", 1, 14, {}, 9)
                     + asyncEvent('e', "io", "block", 1, 15) + asyncEvent('e', "io", "read", 1, 20)
                     + asyncEvent('n', "io", "half way", 2, 21) + asyncEvent('e', "io", "read", 2, 30)
                     + asyncEvent('e', "io", "read", 1, 40, {}, 9)));
        QVERIFY(fragment);
        const std::vector<std::string> slices = slicesOf(*fragment);
        QCOMPARE(std::set<std::string>(slices.begin(), slices.end()),
                 (std::set<std::string>{"read 10000+10000 [async io]", "read 12000+18000 [async io]",
                                        "block 13000+2000 [async io]", "read 14000+26000 [async io]"}));
        QCOMPARE(fragment->source.eventsInFile, std::uint64_t{9});
        QCOMPARE(fragment->source.shown, std::uint64_t{9});
    }
    void keepsTheLedger()
    {
        const auto fragment = readKineto(
            document(asyncEvent('e', "io", "read", 1, 5) + asyncEvent('b', "io", "read", 1, 10)
                     + asyncEvent('e', "io", "other", 1, 12) + asyncEvent('b', "io", "write", 2, 20)
                     + asyncEvent('e', "io", "write", 2, 15) + asyncEvent('S', "io", "old", 3, 1)
                     + asyncEvent('b', "io", "read", 7, 1e300)));
        QVERIFY(fragment);
        QCOMPARE(fragment->source.eventsInFile, std::uint64_t{7});
        QVERIFY(isBalanced(*fragment));
        QCOMPARE(fragment->source.shown, std::uint64_t{0});
        const auto excluded = [&](const char* code) {
            const Diagnostic* const problem = findProblem(fragment->problems, code);
            return problem ? problem->excludedEvents : 0;
        };
        QCOMPARE(excluded("unbalanced_end"), std::uint64_t{2});
        QCOMPARE(excluded("unbalanced_begin"), std::uint64_t{1});
        QCOMPARE(excluded("negative_duration"), std::uint64_t{2});
        QCOMPARE(excluded("unsupported_phase"), std::uint64_t{1});
        QCOMPARE(excluded("absurd_time"), std::uint64_t{1});
    }
    void sameForAnyNumberOfThreads()
    {
        // Pairs that reach over the borders of blocks: each ends 1000 pairs after its begin.
        std::string events;
        constexpr int pairs = 60'000;
        constexpr int open = 1000;
        for (int i = 0; i < pairs + open; ++i) {
            if (i < pairs)
                events += asyncEvent('b', "io", i % 3 == 0 ? "read" : "write", i, i);
            if (i >= open)
                events += asyncEvent('e', "io", (i - open) % 3 == 0 ? "read" : "write", i - open, i + 0.5);
        }
        const QTemporaryDir folder;
        const std::filesystem::path file = std::filesystem::path(folder.path().toStdString()) / "trace.json";
        writeFile(file, document(std::move(events)));
        std::vector<std::vector<std::string>> found;
        for (const int threads : {1, 4}) {
            LoadContext context;
            context.parallel = threadPool(threads);
            const auto plan = planLoad({file.string()}, {});
            const auto model = loadTrace(*plan, context);
            QVERIFY(model);
            std::vector<std::string>& lines = found.emplace_back();
            for (const Track& track : (*model)->tracks) {
                for (std::size_t row = 0; row < track.slices.size(); ++row)
                    lines.push_back(std::string((*model)->text(track.slices.name[row])) + " "
                                    + std::to_string(track.slices.startNs[row]) + "+"
                                    + std::to_string(track.slices.durationNs[row]));
            }
            QCOMPARE(lines.size(), static_cast<std::size_t>(pairs));
            QCOMPARE((*model)->sources.front().shown, std::uint64_t{2 * pairs});
        }
        QVERIFY(found[0] == found[1]);
    }
    void communicationOfNccl()
    {
        // The channels of call 0 move data from 200 to 290 us; those of call 1 have no end.
        const auto fragment = readKineto(
            document(asyncEvent('b', "P2P", "Send", 0, 100, callArgs(0, 1))
                     + asyncEvent('b', "GPU", "KernelCh", 0, 200, "\"Channel\": 4")
                     + asyncEvent('e', "GPU", "KernelCh", 0, 280)
                     + asyncEvent('b', "GPU", "KernelCh", 0, 205, "\"Channel\": 5")
                     + asyncEvent('e', "GPU", "KernelCh", 0, 290) + asyncEvent('e', "P2P", "Send", 0, 130)
                     + asyncEvent('b', "P2P", "Recv", 1, 110, callArgs(0, 3))
                     + asyncEvent('b', "GPU", "KernelCh", 1, 210, "\"Channel\": 4")
                     + asyncEvent('e', "GPU", "KernelCh", 1, 0) + asyncEvent('e', "P2P", "Recv", 1, 140)));
        QVERIFY(fragment);
        QVERIFY(isBalanced(*fragment));
        QCOMPARE(fragment->source.shown, std::uint64_t{10});
        QCOMPARE(fragment->timelines.size(), std::size_t{1});
        const std::vector<CollectiveCall>& calls = fragment->timelines.front().collectives;
        QCOMPARE(calls.size(), std::size_t{2});
        for (const CollectiveCall& call : calls) {
            const SliceColumns& slices = fragment->tracks[call.slice.track.value].slices;
            const bool sends = fragment->strings.view(call.name) == "Send";
            QCOMPARE(call.onGpu, sends); // of the other one nobody knows when data moved
            QCOMPARE(slices.startNs[call.slice.row], sends ? 200'000 : 110'000);
            QCOMPARE(slices.durationNs[call.slice.row], sends ? 90'000 : 30'000);
            QVERIFY(call.kind == KernelClass::SendRecv);
            QCOMPARE(call.payloadBytes, std::optional<std::int64_t>(4000));
            QCOMPARE(fragment->strings.view(call.group), std::string_view("0xb0777fd29824eeb6"));
            QCOMPARE(call.sourceRank, std::optional<std::int64_t>(sends ? 0 : 3));
            QCOMPARE(call.destinationRank, std::optional<std::int64_t>(sends ? 1 : 0));
        }
        QVERIFY(findProblem(fragment->problems, "time_not_recorded"));
    }
    void aProcessOfSeveralGpusIsSeveralRanks()
    {
        std::string events;
        for (int rank = 0; rank < 4; ++rank)
            events += asyncEvent('b', "P2P", "Send", rank, 100 + rank, callArgs(rank, (rank + 1) % 4))
                + asyncEvent('e', "P2P", "Send", rank, 150 + rank);
        const auto fragment = readKineto(document(events));
        QVERIFY(fragment);
        QCOMPARE(fragment->timelines.size(), std::size_t{4});
        for (std::size_t rank = 0; rank < 4; ++rank) {
            QCOMPARE(fragment->timelines[rank].rank, static_cast<std::int32_t>(rank));
            QCOMPARE(fragment->timelines[rank].collectives.size(), std::size_t{1});
        }
    }
    void realOutputOfNccl()
    {
        const QString path = tracesFolder() + QStringLiteral("/nccl_profiler/ncclprof_2.json");
        if (tracesFolder().isEmpty() || !QFileInfo::exists(path))
            QSKIP("no real traces: set COLLSCOPE_TRACES");
        const auto model = loadPath(path.toStdString());
        QVERIFY(model);
        const SourceInfo& source = (*model)->sources.front();
        QCOMPARE(source.eventsInFile, source.shown + source.excluded);
        QVERIFY2(source.shown > 300, std::to_string(source.shown).c_str());
        std::set<std::pair<std::int64_t, std::int64_t>> transfers;
        for (const Timeline& timeline : (*model)->timelines) {
            for (const CollectiveCall& call : timeline.collectives) {
                QVERIFY(!call.onGpu); // its channels have no ends
                QCOMPARE(call.payloadBytes, std::optional<std::int64_t>(std::int64_t{268'435'456} * 4));
                transfers.emplace(call.sourceRank.value_or(-1), call.destinationRank.value_or(-1));
            }
        }
        // A ring of four, as each of its ends tells.
        QCOMPARE(transfers,
                 (std::set<std::pair<std::int64_t, std::int64_t>>{{0, 1}, {1, 2}, {2, 3}, {3, 0}}));
        QCOMPARE((*model)->timelines.size(), std::size_t{4});
        // Not a 0: what there is of communication is said with the reason.
        const MetricResult calls = measured(**model, "coll_call_num");
        QVERIFY(!calls.value);
        QVERIFY2(calls.reason.find("only 8 communication calls recorded on the host") != std::string::npos,
                 calls.reason.c_str());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestAsyncSlices)
#include "tst_async_slices.moc"
