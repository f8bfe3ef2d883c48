// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/runs/simulated_calls.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace collscope {

namespace {

enum class Kind
{
    AllReduce,
    AllGather,
    Broadcast,
    Reduce,
    Send,
    Elsewhere ///< with ranks that are not there
};

struct Item
{
    Kind kind = Kind::AllReduce;
    int stream = 0;
    int root = 0;
    std::vector<int> members; ///< of a send: sender, receiver
    double transferUs = 0;
    std::int64_t elements = 0;
    int number = 0;
};

/// Who comes when decides who waits and who leaves when.
void settle(const Item& item, std::vector<SimulatedCall>& of, std::mt19937& random)
{
    const auto jitter = [&] { return std::uniform_real_distribution(0.0, 2.0)(random); };
    double last = of.front().beginUs;
    for (const SimulatedCall& call : of)
        last = std::max(last, call.beginUs);
    const auto rootAt = [&] {
        return static_cast<std::size_t>(std::find(item.members.begin(), item.members.end(), item.root)
                                        - item.members.begin());
    };
    for (std::size_t i = 0; i < of.size(); ++i) {
        SimulatedCall& call = of[i];
        switch (item.kind) {
        case Kind::Broadcast: {
            const double root = of[rootAt()].beginUs;
            call.waitUs = i == rootAt() ? 0 : std::max(0.0, root - call.beginUs);
            call.isAwaited = i == rootAt();
            break;
        }
        case Kind::Reduce:
            call.waitUs = i == rootAt() ? last - call.beginUs : 0;
            call.isAwaited = i != rootAt();
            break;
        case Kind::Elsewhere:
            call.waitUs = std::uniform_real_distribution(0.0, 30'000.0)(random);
            break;
        default:
            call.waitUs = last - call.beginUs;
            call.isAwaited = true;
        }
        call.endUs = call.beginUs + call.waitUs + item.transferUs + jitter();
    }
}

const char* kernelOf(Kind kind)
{
    switch (kind) {
    case Kind::AllReduce:
        return "ncclDevKernel_AllReduce_Sum_f32_RING_LL";
    case Kind::AllGather:
        return "ncclDevKernel_AllGather_RING_LL";
    case Kind::Broadcast:
        return "ncclDevKernel_Broadcast_RING_LL";
    case Kind::Reduce:
        return "ncclDevKernel_Reduce_Sum_f32_RING_LL";
    default:
        return "ncclDevKernel_SendRecv";
    }
}

std::string argsOf(const SimulatedPlan& plan, const Item& item, int rank, int stream)
{
    std::string args = "\"stream\": " + std::to_string(stream);
    if (plan.metadata == SimulatedPlan::Metadata::None)
        return args;
    const auto text = [&](const char* key, const std::string& value) {
        args += std::string(", \"") + key + "\": \"" + value + "\"";
    };
    const auto number = [&](const char* key, std::int64_t value) {
        args += std::string(", \"") + key + "\": " + std::to_string(value);
    };
    const bool isSend = item.kind == Kind::Send;
    const char* const names[] = {"allreduce", "_allgather_base", "broadcast", "reduce", "send", "send"};
    std::string name = names[static_cast<int>(item.kind)];
    if (isSend)
        name = !plan.namesPeers ? "coalesced" : rank == item.members.front() ? "send" : "recv";
    text("Collective name", name);
    // A communicator is used on one stream.
    text("Process Group Name", isSend ? "pairs" : "group" + std::to_string(item.stream));
    std::string ranks;
    for (int r = 0; r < plan.ranks; ++r)
        ranks += (r == 0 ? "[" : ", ") + std::to_string(r);
    text("Process Group Ranks", ranks + "]");
    number("Group size", plan.ranks);
    text("dtype", "Float");
    number("In msg nelems", item.elements);
    number("Out msg nelems", item.elements);
    if (isSend && plan.namesPeers)
        number(rank == item.members.front() ? "Dst Rank" : "Src Rank",
               rank == item.members.front() ? item.members.back() : item.members.front());
    if ((item.kind == Kind::Broadcast || item.kind == Kind::Reduce) && plan.namesRoots)
        number("Src Rank", item.root);
    if (plan.metadata == SimulatedPlan::Metadata::Numbers && !isSend)
        number("Seq", item.number);
    return args;
}

std::vector<Item> program(const SimulatedPlan& plan, std::mt19937& random)
{
    const auto below = [&](int end) { return std::uniform_int_distribution(0, end - 1)(random); };
    std::vector<Item> items;
    std::vector<int> numbers(static_cast<std::size_t>(plan.streams), 1);
    for (int i = 0; i < plan.collectives; ++i) {
        Item item;
        item.stream = below(plan.streams);
        item.kind = below(2) == 0 ? Kind::AllReduce : Kind::AllGather;
        if (plan.isRegular)
            item.kind = Kind::AllReduce;
        if (plan.hasRoots && i % 3 == 2)
            item.kind = below(2) == 0 ? Kind::Broadcast : Kind::Reduce;
        for (int rank = 0; rank < plan.ranks; ++rank)
            item.members.push_back(rank);
        if (plan.hasPairs && i % 4 == 1) {
            item.kind = Kind::Send;
            const int sender = below(plan.ranks);
            item.members = {sender, (sender + 1 + below(plan.ranks - 1)) % plan.ranks};
        }
        if (plan.isPartly) {
            item.kind = Kind::Send; // kernels of one name, as all-to-alls of a large job have
            if (i % 3 != 0) {
                item.kind = Kind::Elsewhere;
                item.members = {below(plan.ranks)};
            }
        }
        item.root = item.members[static_cast<std::size_t>(below(static_cast<int>(item.members.size())))];
        item.transferUs = plan.isRegular ? 100 : std::uniform_real_distribution(20.0, 800.0)(random);
        item.elements = plan.isRegular ? 1024 : 256 << below(3);
        item.number = numbers[static_cast<std::size_t>(item.stream)]++;
        items.push_back(std::move(item));
    }
    return items;
}

/// One rank's file, as its clock and its profiler make it.
class RankFile
{
public:
    RankFile(const SimulatedPlan& plan, int rank, std::mt19937& random)
        : m_plan(plan)
        , m_rank(rank)
    {
        const auto around = [&](double most) { return std::uniform_real_distribution(-most, most)(random); };
        if (rank > 0) {
            m_offsetUs = around(plan.offsetUs);
            m_drift = around(plan.driftPpm) * 1e-6;
        }
        for (int stream = 0; stream < plan.streams; ++stream)
            m_streams.push_back(20 + stream);
        if (plan.shufflesStreams)
            std::shuffle(m_streams.begin(), m_streams.end(), random);
    }

    void add(const Item& item, const SimulatedCall& call, std::map<std::int64_t, SimulatedCall>& truth)
    {
        const double beginUs = local(call.beginUs);
        const std::int64_t beginNs = std::llround(beginUs * 1000);
        const std::int64_t lengthNs = std::llround((local(call.endUs) - beginUs) * 1000);
        truth[beginNs] = call;
        const int stream = m_streams[static_cast<std::size_t>(item.stream)];
        m_events += std::string(m_events.empty() ? "" : ",\n") + R"({"ph": "X", "cat": "kernel", "name": ")"
            + kernelOf(item.kind) + R"(", "pid": 0, "tid": )" + std::to_string(stream)
            + ", \"ts\": " + micros(beginNs) + ", \"dur\": " + micros(lengthNs) + ", \"args\": {"
            + argsOf(m_plan, item, m_rank, stream) + "}}";
    }

    std::string text() const
    {
        return "{" + std::string(m_plan.hasWallClock ? R"("baseTimeNanoseconds": 1700000000000000000, )" : "")
            + R"("distributedInfo": {"rank": )" + std::to_string(m_rank)
            + ", \"world_size\": " + std::to_string(m_plan.ranks) + "}, \"traceEvents\": [" + m_events + "]}";
    }

private:
    double local(double us) const { return 10'000'000 + us * (1 + m_drift) + m_offsetUs; }
    static std::string micros(std::int64_t ns)
    {
        std::string rest = std::to_string(ns % 1000);
        return std::to_string(ns / 1000) + "." + std::string(3 - rest.size(), '0') + rest;
    }

    const SimulatedPlan& m_plan;
    int m_rank;
    double m_offsetUs = 0, m_drift = 0;
    std::vector<int> m_streams;
    std::string m_events;
};

} // namespace

std::string SimulatedPlan::text() const
{
    const auto flag = [](bool is, const char* name) { return is ? std::string(" ") + name : std::string(); };
    const char* const known[] = {"none", "groups", "numbers"};
    return "seed " + std::to_string(seed) + ": " + std::to_string(ranks) + " ranks, "
        + std::to_string(streams) + " streams, metadata " + known[static_cast<int>(metadata)] + ", offset "
        + std::to_string(offsetUs) + ", drift " + std::to_string(driftPpm) + ", dropped "
        + std::to_string(dropped) + ", truncated " + std::to_string(truncated) + ", shortened "
        + std::to_string(shortened) + flag(hasWallClock, "wall") + flag(hasRoots, "roots")
        + flag(namesRoots, "named") + flag(hasPairs, "pairs") + flag(namesPeers, "peers")
        + flag(shufflesStreams, "shuffled") + flag(isRegular, "regular") + flag(isPartly, "partly");
}

SimulatedRun simulate(const SimulatedPlan& plan)
{
    std::mt19937 random(plan.seed); // NOLINT(cert-msc51-cpp): always the same
    const std::vector<Item> items = program(plan, random);
    const auto ranks = static_cast<std::size_t>(plan.ranks);
    std::vector<std::vector<double>> free(ranks,
                                          std::vector<double>(static_cast<std::size_t>(plan.streams), 0));
    std::vector<double> clock(ranks, 0); // when each rank's CPU launches
    std::vector<std::vector<std::pair<const Item*, SimulatedCall>>> calls(ranks);
    for (std::size_t i = 0; i < items.size(); ++i) {
        const Item& item = items[i];
        const double work = plan.isRegular ? 2000
            : plan.isPartly                ? std::uniform_real_distribution(5000.0, 60'000.0)(random)
                                           : std::uniform_real_distribution(300.0, 6000.0)(random);
        std::vector<SimulatedCall> of;
        for (const int member : item.members) {
            const auto rank = static_cast<std::size_t>(member);
            const double late = plan.isRegular ? std::uniform_real_distribution(0.0, 3.0)(random)
                : std::uniform_int_distribution(0, 7)(random) == 0
                ? std::uniform_real_distribution(1000.0, 9000.0)(random)
                : std::uniform_real_distribution(0.0, 300.0)(random);
            clock[rank] += work + late;
            SimulatedCall call;
            call.collective = static_cast<int>(i);
            call.beginUs = std::max(clock[rank], free[rank][static_cast<std::size_t>(item.stream)] + 1);
            of.push_back(call);
        }
        settle(item, of, random);
        for (std::size_t m = 0; m < of.size(); ++m) {
            const auto rank = static_cast<std::size_t>(item.members[m]);
            free[rank][static_cast<std::size_t>(item.stream)] = of[m].endUs;
            clock[rank] = std::max(clock[rank], of[m].endUs - 3000); // launches run ahead, but not for ever
            calls[rank].emplace_back(&item, of[m]);
        }
    }
    const auto below
        = [&](std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(random); };
    const std::size_t dropping = below(ranks), truncated = below(ranks), shortened = below(ranks);
    SimulatedRun run;
    run.calls.resize(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        auto& own = calls[rank];
        if (rank == truncated)
            own.erase(own.begin(),
                      own.begin() + std::min<std::ptrdiff_t>(plan.truncated, std::ssize(own) - 1));
        if (rank == shortened)
            own.erase(own.end() - std::min<std::ptrdiff_t>(plan.shortened, std::ssize(own) - 1), own.end());
        for (int i = 0; rank == dropping && i < plan.dropped && own.size() > 1; ++i)
            own.erase(own.begin() + static_cast<std::ptrdiff_t>(below(own.size())));
        RankFile file(plan, static_cast<int>(rank), random);
        for (const auto& [item, call] : own)
            file.add(*item, call, run.calls[rank]);
        run.files.push_back(file.text());
    }
    return run;
}

} // namespace collscope
