// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Sends and receives from summaries of the ranks: the straggler of pipelines, and of rings, is to the last
// digit that of the whole model. COLLSCOPE_SEEDS=N plays more jobs.

#include "metrics/causes/arrivals.h"
#include "tests/support/runs/all_steps.h"
#include "tests/support/runs/compared_straggler.h"
#include "tests/support/runs/pipeline_run.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"

#include <random>

namespace collscope {

namespace {

/// How the ranks of a played job exchange data, and what its files lack.
struct JobShape
{
    int stages = 1, replicas = 1; ///< ranks = product
    bool isRing = false; ///< each rank sends to the next one, at the same time
    std::string description; ///< of the group of sends and receives
    bool namesPeers = true;
    int lost = 0; ///< n: the files lack every n-th send or receive, on average; 0: they have all
    int dropped = 0; ///< likewise for collectives
    int skewUs = 0; ///< clocks are apart by up to this
    int late = -1; ///< rank that computes longer, at times
    int steps = 5;

    int ranks() const { return stages * replicas; }
};

/// A job played step by step. Every rank does one thing after the other; times in us.
class PlayedJob
{
public:
    PlayedJob(const JobShape& shape, unsigned seed)
        : m_shape(shape)
        , m_random(seed)
        , m_now(static_cast<std::size_t>(shape.ranks()), 0)
    {
        for (int rank = 0; rank < shape.ranks(); ++rank)
            m_ahead.push_back(shape.skewUs > 0 ? below(shape.skewUs) : 0);
    }

    void play()
    {
        for (int step = 1; step <= m_shape.steps; ++step) {
            const int begin = *std::max_element(m_now.begin(), m_now.end()) + 100;
            std::fill(m_now.begin(), m_now.end(), begin);
            for (int micro = 0; micro < 3; ++micro)
                m_shape.isRing ? turnRing() : passOn(micro == 2);
            meetAll();
            const int end = *std::max_element(m_now.begin(), m_now.end());
            for (int rank = 0; rank < m_shape.ranks(); ++rank)
                m_run.step(rank, step, begin + m_ahead[at(rank)], end + 50 - begin);
        }
        m_run.load();
    }
    const CollectiveRun& run() const { return m_run; }

private:
    static std::size_t at(int rank) { return static_cast<std::size_t>(rank); }
    int below(int n) { return static_cast<int>(m_random() % static_cast<unsigned>(n)); }
    bool isLost(int oneIn) { return oneIn > 0 && below(oneIn) == 0; }

    void compute(int rank, int us)
    {
        const int own = us + below(20) + (rank == m_shape.late && below(2) == 0 ? 700 : 0);
        m_run.compute(rank, m_now[at(rank)] + m_ahead[at(rank)], own);
        m_now[at(rank)] += own;
    }
    void write(int rank, const char* kernel, int begin, int end, const CallText& text, int stream, int oneIn)
    {
        if (!isLost(oneIn))
            m_run.call(rank, kernel, begin + m_ahead[at(rank)], end - begin, text, stream);
    }
    CallText textOf(const char* name, const std::string& group, const std::vector<int>& ranks) const
    {
        CallText text;
        text.name = name;
        text.inElements = text.outElements = 5000;
        text.groupSize = static_cast<int>(ranks.size());
        text.group = group;
        for (const int rank : ranks)
            text.ranks += (text.ranks.empty() ? "[" : ", ") + std::to_string(rank);
        text.ranks += "]";
        return text;
    }

    /// Begins when both are ready, and both go on when it ends.
    void transfer(int from, int to, int fromReady, int toReady, int& fromEnd, int& toEnd)
    {
        const std::vector<int> members = m_shape.isRing ? all() : replicaOf(from);
        const int end = std::max(fromReady, toReady) + 30 + below(4);
        for (const bool isSend : {true, false}) {
            CallText text = textOf(isSend ? "send" : "recv", "pp" + std::to_string(members.front()), members);
            text.description = m_shape.description;
            if (m_shape.namesPeers) {
                text.source = from;
                text.destination = to;
            }
            write(isSend ? from : to, "SendRecv", isSend ? fromReady : toReady, end, text, isSend ? 30 : 31,
                  m_shape.lost);
        }
        fromEnd = std::max(fromEnd, end);
        toEnd = std::max(toEnd, end);
    }

    std::vector<int> all() const
    {
        std::vector<int> ranks(at(m_shape.ranks()));
        std::iota(ranks.begin(), ranks.end(), 0);
        return ranks;
    }
    std::vector<int> replicaOf(int rank) const
    {
        std::vector<int> ranks;
        for (int stage = 0; stage < m_shape.stages; ++stage)
            ranks.push_back(rank / m_shape.stages * m_shape.stages + stage);
        return ranks;
    }

    /// Forward through the stages, and backward if `returns`.
    void passOn(bool returns)
    {
        for (int replica = 0; replica < m_shape.replicas; ++replica) {
            const int first = replica * m_shape.stages;
            for (int stage = 0; stage + 1 < m_shape.stages; ++stage) {
                compute(first + stage, 200);
                hand(first + stage, first + stage + 1);
            }
            compute(first + m_shape.stages - 1, 300);
            for (int stage = m_shape.stages - 1; returns && stage > 0; --stage) {
                hand(first + stage, first + stage - 1);
                compute(first + stage - 1, 150);
            }
        }
    }
    void hand(int from, int to)
    {
        const int fromReady = m_now[at(from)], toReady = m_now[at(to)];
        transfer(from, to, fromReady, toReady, m_now[at(from)], m_now[at(to)]);
    }
    void turnRing()
    {
        const std::vector<int> ready = m_now;
        for (int rank = 0; rank < m_shape.ranks(); ++rank) {
            const int next = (rank + 1) % m_shape.ranks();
            transfer(rank, next, ready[at(rank)], ready[at(next)], m_now[at(rank)], m_now[at(next)]);
        }
        for (int rank = 0; rank < m_shape.ranks(); ++rank)
            compute(rank, 400);
    }

    void meet(const std::string& group, const std::vector<int>& ranks, const char* description)
    {
        if (ranks.size() < 2)
            return;
        int last = 0;
        for (const int rank : ranks)
            last = std::max(last, m_now[at(rank)]);
        const int end = last + 80;
        CallText text = textOf("allreduce", group, ranks);
        text.sequence = ++m_numbers[group];
        text.description = description;
        for (const int rank : ranks) {
            write(rank, "AllReduce_Sum_f32", m_now[at(rank)], end, text, 20, m_shape.dropped);
            m_now[at(rank)] = end;
        }
    }
    /// The same stages of all replicas, twice, then all ranks.
    void meetAll()
    {
        for (int i = 0; i < 2; ++i) {
            for (int stage = 0; stage < m_shape.stages; ++stage) {
                std::vector<int> ranks;
                for (int replica = 0; replica < m_shape.replicas; ++replica)
                    ranks.push_back(replica * m_shape.stages + stage);
                if (!m_shape.isRing)
                    meet("dp" + std::to_string(stage), ranks, "mesh_dp");
                compute(ranks.front(), 60);
            }
        }
        for (int i = 0; i < 2; ++i)
            meet("world", all(), "default_pg");
    }

    JobShape m_shape;
    std::mt19937 m_random;
    std::vector<int> m_now, m_ahead; ///< by rank
    std::map<std::string, int> m_numbers; ///< by group
    CollectiveRun m_run;
};

JobShape shapeBy(unsigned seed)
{
    JobShape shape;
    shape.isRing = seed % 3 == 0;
    shape.stages = 2 + static_cast<int>(seed % 3) + (shape.isRing ? 2 : 0);
    shape.replicas = shape.isRing ? 1 : 1 + static_cast<int>(seed / 2 % 3);
    const char* descriptions[] = {"", "mesh_pp", "undefined", "mesh_cp"};
    shape.description = descriptions[seed / 3 % 4];
    shape.namesPeers = seed % 7 != 0;
    shape.lost = seed % 5 == 2 ? 12 : 0;
    shape.dropped = seed % 11 == 4 ? 15 : 0;
    shape.skewUs = seed % 4 == 1 ? 900 : 0;
    shape.late = seed % 2 == 0 ? static_cast<int>(seed / 2) % shape.ranks() : -1;
    return shape;
}

} // namespace

class TestFoldedStages : public QObject
{
    Q_OBJECT

private:
    /// How many runs had transfers that count as such, collectives that stages explain, exchanges.
    int m_pointToPoint = 0, m_staged = 0, m_exchanges = 0, m_blamed = 0;

    void compare(const std::string& folder, bool isRing = false)
    {
        const SummarizedFolder summarized = summarizeFolder(folder, 16);
        for (const MetricOptions& options : {MetricOptions(), allSteps()}) {
            CHECKED(compareStraggler(summarized, options));
            Analysis analysis(*summarized.model, options);
            const Arrivals& arrivals = measureArrivals(analysis);
            m_pointToPoint += arrivals.pointToPoint > 0 ? 1 : 0;
            m_staged += arrivals.staged > 0 ? 1 : 0;
            m_exchanges += isRing && arrivals.pointToPoint == 0 ? 1 : 0;
            m_blamed += arrivals.straggler() ? 1 : 0;
        }
    }

private slots:
    void playedJobs()
    {
        const int asked = qEnvironmentVariableIntValue("COLLSCOPE_SEEDS");
        const auto seeds = static_cast<unsigned>(asked > 0 ? asked : share(60, 12));
        for (unsigned seed = 1; seed <= seeds; ++seed) {
            const JobShape shape = shapeBy(seed);
            PlayedJob job(shape, seed);
            job.play();
            CHECKED(compare(job.run().folder(), shape.isRing));
        }
        QVERIFY(m_pointToPoint > 0 && m_staged > 0 && m_exchanges > 0 && m_blamed > 0);
    }

    /// One forward, one backward: sends and receives with and without the names of their ranks.
    void pipelines_data()
    {
        QTest::addColumn<int>("stages");
        QTest::addColumn<int>("replicas");
        QTest::addColumn<int>("tensor");
        QTest::addColumn<bool>("namesPeers");
        QTest::addColumn<bool>("describesGroups");
        for (const bool namesPeers : {true, false}) {
            for (const bool describesGroups : {true, false}) {
                for (const auto& [stages, replicas, tensor] :
                     {std::tuple(2, 2, 1), std::tuple(4, 2, 1), std::tuple(4, 1, 2), std::tuple(3, 2, 2)})
                    QTest::addRow("%d stages, %d x %d%s%s", stages, replicas, tensor,
                                  namesPeers ? ", peers" : "", describesGroups ? "" : ", no descriptions")
                        << stages << replicas << tensor << namesPeers << describesGroups;
            }
        }
    }
    void pipelines()
    {
        QFETCH(const int, stages);
        QFETCH(const int, replicas);
        QFETCH(const int, tensor);
        QFETCH(const bool, namesPeers);
        QFETCH(const bool, describesGroups);
        PipelineShape shape;
        shape.stages = stages;
        shape.replicas = replicas;
        shape.tensor = tensor;
        shape.slowStageUs = 40;
        shape.numbersCalls = true;
        shape.namesPeers = namesPeers;
        shape.describesGroups = describesGroups;
        shape.writesCard = false;
        const QTemporaryDir folder;
        pipelineRun(shape).write(folder.path().toStdString());
        CHECKED(compare(folder.path().toStdString()));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestFoldedStages)
#include "tst_folded_stages.moc"
