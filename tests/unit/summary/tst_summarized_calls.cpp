// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Summaries of calls as bytes: they come back as they were, and damaged ones do no harm.

#include "metrics/summary/folded_collectives.h"
#include "metrics/summary/folded_straggler.h"
#include "tests/support/runs/all_steps.h"
#include "tests/support/runs/summarized_folder.h"
#include "tests/support/suite/suite.h"

#include <limits>
#include <random>

namespace collscope {

class TestSummarizedCalls : public QObject
{
    Q_OBJECT

private slots:
    void bytesComeBack()
    {
        const EncodedCalls calls = fewCalls(1);
        const auto read = openCalls(StoredBytes(storeCalls(calls)));
        QVERIFY(read.has_value());
        for (std::size_t group = 0; group < calls.chunks.size(); ++group) {
            for (std::size_t chunk = 0; chunk < calls.chunks[group].size(); ++chunk)
                QVERIFY(encodeChunk(columnsOf(read->chunks->read(group, chunk)))
                        == calls.chunks[group][chunk]);
        }
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
        const CallColumns again = columnsOf(ChunkReader::open(encodeChunk(extreme), 2));
        QVERIFY(again.sequence == extreme.sequence && again.beginNs == extreme.beginNs
                && again.durationNs == extreme.durationNs && again.what == extreme.what
                && again.feltNs == extreme.feltNs && again.endsHidden == extreme.endsHidden);
        // It has two kinds: the calls of the second are damaged.
        QCOMPARE(columnsOf(ChunkReader::open(encodeChunk(extreme), 1)).size(), std::size_t{0});
    }

    /// Calls that repeat after 1 to 4 calls, up to a µs: nothing else of their times is stored.
    void callsThatRepeatTakeFewBytes_data()
    {
        QTest::addColumn<int>("period");
        for (int period = 1; period <= 4; ++period)
            QTest::addRow("after %d", period) << period;
    }
    void callsThatRepeatTakeFewBytes()
    {
        QFETCH(const int, period);
        constexpr std::size_t count = 256;
        std::mt19937 random(7);
        const auto noise = [&] { return static_cast<std::int64_t>(random() % 1024); };
        CallColumns calls;
        std::int64_t nowNs = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const auto place = static_cast<std::int64_t>(i) % period;
            calls.sequence.push_back(static_cast<std::int64_t>(i));
            calls.beginNs.push_back(nowNs += 300'000'000 * (1 + place * place) + noise());
            calls.durationNs.push_back(7'000'000 * (1 + place) + noise());
            calls.what.push_back(static_cast<std::uint32_t>(place));
            calls.feltNs.push_back(calls.durationNs.back());
            calls.endsHidden.push_back(false);
            nowNs += calls.durationNs.back();
        }
        const ChunkBytes bytes = encodeChunk(calls);
        // A difference of two such numbers has at most 11 bits and a sign, of which the highest is not
        // stored.
        constexpr std::size_t mostBits = count * 2 * 11 + 64 * 8;
        QVERIFY2(bytes.bits.size() * 8 <= mostBits, qPrintable(QString::number(bytes.bits.size())));
        const CallColumns again = columnsOf(ChunkReader::open(bytes, 4));
        QVERIFY(again.beginNs == calls.beginNs && again.durationNs == calls.durationNs
                && again.what == calls.what && again.feltNs == calls.feltNs);
    }

    /// Lengths that no chunk has are refused before a call is read.
    void impossibleLengthsAreRefused()
    {
        const ChunkBytes sound = fewCalls(1).chunks.front().front();
        QVERIFY(ChunkReader::open(sound, 8).has_value());
        const auto changed = [&](std::size_t at, char value) {
            ChunkBytes bytes = sound;
            bytes.lengths[at] = value;
            return ChunkReader::open(bytes, 8).has_value();
        };
        constexpr std::size_t firstLag = 2, firstLength = 7;
        QVERIFY(changed(firstLag, 4));
        QVERIFY(!changed(firstLag, 5));
        QVERIFY(!changed(firstLength, 65));
        QVERIFY(!changed(firstLength, 60)); // more bits than there are
        QVERIFY(!changed(0, 4)); // another number of calls
        ChunkBytes longer = sound, shorter = sound;
        longer.bits += '\0';
        shorter.bits.pop_back();
        QVERIFY(!ChunkReader::open(longer, 8).has_value() && !ChunkReader::open(shorter, 8).has_value());
        QVERIFY(!ChunkReader::open({}, 8).has_value());
    }

    /// Damage is told, wherever it is.
    void damageIsFound()
    {
        const EncodedCalls few = fewCalls(1);
        const std::string sound = storeCalls(few);
        const auto isWhole = [&](const std::string& bytes) {
            const auto read = openCalls(StoredBytes(bytes));
            if (!read)
                return false;
            for (std::size_t group = 0; group < few.chunks.size(); ++group) {
                for (std::size_t chunk = 0; chunk < few.chunks[group].size(); ++chunk) {
                    if (!read->chunks->read(group, chunk))
                        return false;
                }
            }
            return true;
        };
        QVERIFY(isWhole(sound));
        for (std::size_t size = 0; size < sound.size(); ++size)
            QVERIFY(!isWhole(sound.substr(0, size)));
        for (std::size_t at = 0; at < sound.size(); ++at) {
            std::string bytes = sound;
            bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
            QVERIFY(!isWhole(bytes));
        }
    }

    /// Every byte changed in every way, with the right checksum: an error, or a value that can be folded.
    void hostileBytesDoNoHarm()
    {
        const EncodedCalls few = fewCalls(1), partner = fewCalls(0);
        const ChunkSizes sizes = sizesOf(few);
        const std::string head = encodeHead(few.head, sizes);
        QVERIFY(head.size() < 1500);
        forEachChange(head, [&](const std::string& bytes) {
            if (const auto read = decodeHead(bytes); read && read->second == sizes)
                fold({read->first, few.chunks}, partner);
        });
        for (std::size_t size = 0; size < head.size(); ++size)
            QVERIFY(!decodeHead(head.substr(0, size)));
        for (std::size_t group = 0; group < few.chunks.size(); ++group) {
            for (std::string ChunkBytes::*const of : {&ChunkBytes::lengths, &ChunkBytes::bits}) {
                forEachChange(few.chunks[group].front().*of, [&](const std::string& bytes) {
                    EncodedCalls changed = few;
                    changed.chunks[group].front().*of = bytes;
                    fold(changed, partner);
                });
            }
        }
        QVERIFY(m_folded > 0);
    }

    /// A call without what names its group cannot be of that group.
    void callsOfPairsAreDescribed()
    {
        EncodedCalls calls = fewCalls(1);
        const auto isTransfer = [&](const SummarizedGroup& group) {
            return calls.head.kinds[group.firstWhat].kind == KernelClass::SendRecv;
        };
        const auto pair = std::find_if(calls.head.groups.begin(), calls.head.groups.end(), isTransfer);
        QVERIFY(pair != calls.head.groups.end());
        const auto kind = static_cast<std::uint32_t>(calls.head.kinds.size());
        calls.head.kinds.push_back(calls.head.kinds[pair->firstWhat]);
        calls.head.kinds.back().hasMeta = false;
        ChunkBytes& chunk = calls.chunks[static_cast<std::size_t>(pair - calls.head.groups.begin())].front();
        CallColumns columns = columnsOf(ChunkReader::open(chunk, kind));
        columns.what.back() = kind;
        chunk = encodeChunk(columns);
        std::vector<RankSummary> ranks;
        ranks.push_back(throughBytes(fewCalls(0)));
        ranks.push_back(throughBytes(calls));
        const auto run = SummarizedRun::make(std::move(ranks));
        QVERIFY(run.has_value());
        const auto straggler = foldStraggler(**run, allSteps());
        QVERIFY(!straggler.has_value());
        QVERIFY2(straggler.error().message.find("damaged") != std::string::npos,
                 straggler.error().message.c_str());
    }

private:
    int m_tried = 0, m_folded = 0;

    /// All calls of a chunk; none if it is damaged.
    static CallColumns columnsOf(Result<ChunkReader> chunk)
    {
        CallColumns columns;
        while (chunk && !chunk->isAtEnd()) {
            SummarizedCall call;
            if (!chunk->next(call))
                return {};
            columns.sequence.push_back(call.sequence);
            columns.beginNs.push_back(call.beginNs);
            columns.durationNs.push_back(call.durationNs);
            columns.what.push_back(call.what);
            columns.feltNs.push_back(call.feltNs);
            columns.endsHidden.push_back(call.endsHidden);
        }
        return columns;
    }
    static ChunkSizes sizesOf(const EncodedCalls& calls)
    {
        ChunkSizes sizes;
        for (const auto& group : calls.chunks)
            sizes.emplace_back(group.size(), 1);
        return sizes;
    }
    static void forEachChange(const std::string& sound, const std::function<void(const std::string&)>& use)
    {
        for (std::size_t at = 0; at < sound.size(); ++at) {
            for (int value = 0; value < 256; value += share(1, 5)) {
                std::string bytes = sound;
                bytes[at] = static_cast<char>(value);
                use(bytes);
            }
        }
    }
    /// Folds the collectives of the calls and of those of another rank; now and then also the stragglers,
    /// which takes longer.
    void fold(const EncodedCalls& calls, const EncodedCalls& ofAnother)
    {
        std::vector<RankSummary> ranks;
        ranks.push_back(throughBytes(ofAnother));
        auto read = openCalls(StoredBytes(storeCalls(calls)));
        QVERIFY(read.has_value());
        ranks.push_back(std::move(*read));
        const auto run = SummarizedRun::make(std::move(ranks));
        if (!run)
            return;
        foldCollectives(**run, {});
        if (++m_tried % 16 == 0)
            m_folded += foldStraggler(**run, allSteps()).has_value() ? 1 : 0;
    }
    /// The calls of a rank of a small run.
    static EncodedCalls fewCalls(int of)
    {
        CollectiveRun run;
        for (int rank = 0; rank < 2; ++rank) {
            run.step(rank, 1, 0, 9000);
            run.compute(rank, 900, 1300);
            for (int sequence = 1; sequence <= 4; ++sequence)
                run.call(rank, "AllReduce", sequence * 1000 + rank, 100, allreduce(sequence));
            run.call(rank, "AllGather", 5000, 100, {"_allgather_base", 10, 20, 2, "h", "[0, 1]", 9});
            CallText text = allreduce(-1);
            text.name = rank == 0 ? "send" : "recv";
            text.source = 0;
            text.destination = 1;
            for (int i = 0; i < 3; ++i)
                run.call(rank, "SendRecv", 5500 + 500 * i + 20 * rank, 100, text);
            run.call(rank, "AllReduce", 7500 + 10 * rank, 100, allreduce(5));
        }
        const TraceModelPtr model = run.load();
        return *summarizeCalls(*model, of, MetricOptions(), 3);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestSummarizedCalls)
#include "tst_summarized_calls.moc"
