// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Runs that are played: what ranks do one after the other, and how long they wait for each other.

#include "tests/support/runs/collective_run.h"
#include "tests/support/runs/findings_of.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace collscope {

constexpr int playedSteps = 6;

/// Plays ranks with two streams: compute, and communication. A kernel starts when its rank is free.
class Play
{
public:
    explicit Play(int ranks)
        : m_now(static_cast<std::size_t>(ranks), 0)
    { }

    int& now(int rank) { return m_now[static_cast<std::size_t>(rank)]; }
    int last() const { return *std::max_element(m_now.begin(), m_now.end()); }
    void compute(int rank, int duration, const std::string& name = "gemm")
    {
        m_run.compute(rank, now(rank), duration, name);
        now(rank) += duration;
    }
    /// All arrive, and leave 300 us after the last one.
    void meet(const std::vector<int>& ranks, const std::string& group,
              const std::string& kernel = "AllReduce_Sum_f32", const std::string& name = "allreduce")
    {
        int arrival = 0;
        for (const int rank : ranks)
            arrival = std::max(arrival, now(rank));
        meetAt(ranks, group, arrival + 300, kernel, name);
        for (const int rank : ranks)
            now(rank) = arrival + 300;
    }
    /// The kernels of a collective that begin now and end together; the ranks go on computing.
    void meetAt(const std::vector<int>& ranks, const std::string& group, int end, const std::string& kernel,
                const std::string& name, int stream = 20)
    {
        std::string list;
        for (const int rank : ranks)
            list += (list.empty() ? "[" : ", ") + std::to_string(rank);
        const int sequence = m_sequence[group]++;
        for (const int rank : ranks)
            m_run.call(rank, kernel, now(rank), end - now(rank),
                       {.name = name,
                        .inElements = 100'000,
                        .outElements = 100'000,
                        .groupSize = static_cast<int>(ranks.size()),
                        .group = group,
                        .ranks = list + "]",
                        .sequence = sequence},
                       stream);
    }
    /// The receiver waits from when it is free; the sender goes on.
    void hand(int from, int to, const std::string& group, const std::string& list)
    {
        const int end = std::max(now(from), now(to)) + 50;
        for (const int rank : {from, to}) {
            CallText text{.name = rank == from ? "send" : "recv",
                          .inElements = 1000,
                          .outElements = 1000,
                          .groupSize = 2,
                          .group = group,
                          .ranks = list};
            text.source = from;
            text.destination = to;
            m_run.call(rank, "SendRecv", now(rank), end - now(rank), text, rank == from ? 30 : 31);
            now(rank) = end;
        }
    }
    /// A send and its receive on a ring of four ranks, each on a stream of its own. The ranks go on.
    void transfer(int from, int sends, int to, int receives, int end, int sequence)
    {
        for (const bool isSend : {true, false}) {
            CallText text{.name = isSend ? "send" : "recv",
                          .inElements = 1000,
                          .outElements = 1000,
                          .groupSize = 4,
                          .group = "4",
                          .ranks = "[0, 1, 2, 3]",
                          .sequence = sequence};
            text.source = from;
            text.destination = to;
            const int begin = isSend ? sends : receives;
            m_run.call(isSend ? from : to, "SendRecv", begin, end - begin, text, isSend ? 40 : 41);
        }
    }
    /// One step of all ranks, from the same moment to the same moment. `leftOut`: a rank without a file.
    void endStep(int number, int begin, int leftOut = -1)
    {
        const int end = last() + 200;
        for (int rank = 0; rank < static_cast<int>(m_now.size()); ++rank) {
            if (rank != leftOut)
                m_run.step(rank, number, begin, end - begin);
            now(rank) = end;
        }
    }
    CollectiveRun& run() { return m_run; }

private:
    CollectiveRun m_run;
    std::vector<int> m_now;
    std::map<std::string, int> m_sequence;
};

/// Pipelines [0, 1] and [2, 3] that hand work forward and back, then data parallelism [0, 2] and [1, 3], then
/// all. `atBeginUs` and `atEndUs`: how long a rank does nothing before its first work, and after its last.
template<typename Begin, typename End>
Findings pipelines(int count, const Begin& atBeginUs, const End& atEndUs)
{
    Play play(2 * count);
    for (int step = 0; step < playedSteps; ++step) {
        const int begin = play.now(0);
        for (int first = 0; first < 2 * count; first += 2) {
            const std::string group = std::to_string(10 + first);
            const std::string list = "[" + std::to_string(first) + ", " + std::to_string(first + 1) + "]";
            for (const int rank : {first, first + 1})
                play.now(rank) += atBeginUs(rank);
            for (int batch = 0; batch < 2; ++batch) {
                play.compute(first, 500);
                play.hand(first, first + 1, group, list);
                play.compute(first + 1, 500);
            }
            for (int batch = 0; batch < 2; ++batch) {
                play.compute(first + 1, 1000);
                play.hand(first + 1, first, group, list);
                play.compute(first, 1000);
            }
            for (const int rank : {first, first + 1})
                play.now(rank) += atEndUs(rank);
        }
        std::vector<int> all;
        for (int rank = 0; rank < 2 * count; ++rank)
            all.push_back(rank);
        if (count == 2) {
            play.meet({0, 2}, "20");
            play.meet({1, 3}, "21");
        }
        play.meet(all, "0");
        play.endStep(step, begin);
    }
    return findingsOf(*play.run().load());
}

inline int none(int)
{
    return 0;
}

} // namespace collscope
