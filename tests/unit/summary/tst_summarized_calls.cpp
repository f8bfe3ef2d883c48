// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Summaries of calls as bytes: they come back as they were, and damaged ones do no harm.

#include "metrics/summary/folded_collectives.h"
#include "tests/support/runs/summarized_folder.h"
#include "tests/support/suite/suite.h"

#include <limits>

namespace collscope {

class TestSummarizedCalls : public QObject
{
    Q_OBJECT

private slots:
    void bytesComeBack()
    {
        const EncodedCalls calls = fewCalls();
        const std::string bytes = encodeCalls(calls);
        const auto read = decodeCalls(bytes);
        QVERIFY(read.has_value());
        QCOMPARE(encodeCalls(*read), bytes);
        QCOMPARE(read->head.rank, 1);
        QCOMPARE(read->head.groups.size(), calls.head.groups.size());
        QCOMPARE(read->head.kinds.size(), calls.head.kinds.size());
        CallColumns extreme;
        for (const std::int64_t sequence : {CallColumns::noSequence, std::int64_t{-5}, std::int64_t{0},
                                            std::numeric_limits<std::int64_t>::max()}) {
            extreme.sequence.push_back(sequence);
            extreme.beginNs.push_back(sequence < 0 ? -1'000'000'000'000'000'000 : 1'700'000'000'000'000'001);
            extreme.durationNs.push_back(static_cast<std::int64_t>(extreme.size()) - 1);
            extreme.what.push_back(static_cast<std::uint32_t>(extreme.size() % 2));
            extreme.feltNs.push_back(sequence == 0 ? CallColumns::alwaysFelt : extreme.durationNs.back() / 2);
            extreme.endsHidden.push_back(sequence == 0);
        }
        const auto again = decodeChunk(encodeChunk(extreme), 2);
        QVERIFY(again.has_value());
        QVERIFY(again->sequence == extreme.sequence && again->beginNs == extreme.beginNs
                && again->durationNs == extreme.durationNs && again->what == extreme.what
                && again->feltNs == extreme.feltNs && again->endsHidden == extreme.endsHidden);
        QVERIFY(!decodeChunk(encodeChunk(extreme), 1)); // it has two kinds
    }

    /// Every byte changed in every way, and every shorter text: an error, or a value that can be folded.
    void damagedBytesDoNoHarm()
    {
        const EncodedCalls few = fewCalls();
        const std::string sound = encodeCalls(few);
        QVERIFY(sound.size() < 1000);
        int refused = 0;
        const auto tryBytes = [&](const std::string& bytes) {
            auto read = decodeCalls(bytes);
            if (!read) {
                ++refused;
                return;
            }
            std::vector<RankSummary> ranks;
            ranks.push_back(throughBytes(few));
            ranks.front().head.rank = 12345;
            const SummarizedCalls head = read->head;
            ranks.push_back({head, std::make_shared<ChunksInMemory>(std::move(*read))});
            if (const auto run = SummarizedRun::make(std::move(ranks)))
                foldCollectives(**run, {});
        };
        for (std::size_t size = 0; size < sound.size(); ++size)
            tryBytes(sound.substr(0, size));
        QCOMPARE(refused, static_cast<int>(sound.size())); // it ends where it ends
        for (std::size_t at = 0; at < sound.size(); ++at) {
            for (int value = 0; value < 256; value += share(1, 5)) {
                std::string bytes = sound;
                bytes[at] = static_cast<char>(value);
                tryBytes(bytes);
            }
        }
    }

private:
    /// The calls of rank 1 of a small run.
    static EncodedCalls fewCalls()
    {
        CollectiveRun run;
        for (int rank = 0; rank < 2; ++rank) {
            run.step(rank, 1, 0, 5000);
            run.compute(rank, 900, 1300);
            for (int sequence = 1; sequence <= 4; ++sequence)
                run.call(rank, "AllReduce", sequence * 1000 + rank, 100, allreduce(sequence));
            run.call(rank, "AllGather", 5000, 100, {"_allgather_base", 10, 20, 2, "h", "[0, 1]", 9});
        }
        const TraceModelPtr model = run.load();
        return *summarizeCalls(*model, 1, MetricOptions(), 3);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestSummarizedCalls)
#include "tst_summarized_calls.moc"
