// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/analysis/launches.h"

#include "model/text/lower_case.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

namespace collscope {

namespace {

constexpr std::uint16_t undecided = std::numeric_limits<std::uint16_t>::max();
constexpr std::uint16_t stepMark = 1u << 15u; ///< a step annotation: its thread is not an autograd thread
static_assert((1u << launchMarkCount) <= stepMark);

bool holds(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

/// The name without the suffix that emit_nvtx adds: ", seq = 45395, op_id = 991014".
std::string_view bareName(std::string_view name)
{
    for (const std::string_view suffix : {", seq = ", ", op_id = "})
        name = name.substr(0, name.find(suffix));
    return name;
}

/// "MmBackward0", "CudnnConvolutionBackward": autograd functions are named after the operator they
/// differentiate.
bool isBackwardFunction(std::string_view name)
{
    const std::size_t last = name.find_last_not_of("0123456789");
    return last != std::string_view::npos && name.substr(0, last + 1).ends_with("Backward");
}

unsigned fsdpMarks(std::string_view name)
{
    if (name == "FullyShardedDataParallel.forward")
        return LaunchFsdpModule; // contains the module's own work too
    unsigned marks = 0;
    if (name.starts_with("FSDP::") || name.starts_with("fsdp::")
        || name.starts_with("FullyShardedDataParallel."))
        marks |= LaunchFsdp | LaunchFsdpModule;
    if (holds(name, "all_gather_copy_in") || holds(name, "chunk_cat"))
        marks |= LaunchFsdpCopyIn;
    if (holds(name, "all_gather_copy_out") || holds(name, "split_with_sizes_copy"))
        marks |= LaunchFsdpCopyOut;
    if ((marks & LaunchFsdp) != 0 && holds(name, "reshard"))
        marks |= LaunchFsdpReshard;
    return marks;
}

bool isAllToAll(std::string_view name)
{
    std::string word;
    for (const char c : name) {
        if (c != '_' && c != '-')
            word += lowered(c);
    }
    return holds(word, "alltoall");
}

/// "nccl:send 0->1", "c10d::recv_", "batch_isend_irecv": whole words only, because "sender" can mean
/// anything.
bool isSendOrReceive(std::string_view name)
{
    const auto isLetter = [](char c) { return lowered(c) >= 'a' && lowered(c) <= 'z'; };
    for (std::size_t begin = 0; begin < name.size();) {
        std::size_t end = begin;
        while (end < name.size() && isLetter(name[end]))
            ++end;
        const std::string word = lowered(name.substr(begin, end - begin));
        if (word == "send" || word == "recv" || word == "isend" || word == "irecv")
            return true;
        begin = end + 1;
    }
    return false;
}

std::uint16_t decide(std::string_view name)
{
    const bool step = name.starts_with("ProfilerStep#") || name.starts_with("Optimizer.");
    return static_cast<std::uint16_t>(launchMarksOf(name) | (step ? stepMark : 0u));
}

} // namespace

unsigned launchMarksOf(std::string_view name)
{
    const std::string_view bare = bareName(name);
    // Of the Python frames only those of recomputation add information that operators do not provide.
    if (holds(bare, "torch/utils/checkpoint.py("))
        return bare.ends_with(": recompute_fn") || bare.ends_with(": unpack_hook") ? LaunchRecompute : 0u;
    if (holds(bare, ".py("))
        return 0;
    unsigned marks = fsdpMarks(bare);
    if (bare.starts_with("Optimizer.step#"))
        marks |= LaunchOptimizer;
    if (bare.starts_with("autograd::engine::evaluate_function")
        || bare.starts_with("torch::autograd::AccumulateGrad") || isBackwardFunction(bare))
        marks |= LaunchBackward;
    if (isAllToAll(bare))
        marks |= LaunchAllToAll;
    if (isSendOrReceive(bare))
        marks |= LaunchSendReceive;
    return marks;
}

LaunchContext::LaunchContext(const TraceModel& model, const Timeline& timeline,
                             const std::function<bool()>& cancelled)
    : m_model(model)
    , m_timeline(timeline)
{
    NameTable<std::uint16_t> known(undecided);
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        if (track.kind != TrackKind::CpuThread)
            continue;
        if (cancelled())
            return;
        const std::size_t thread = threadOf(track);
        m_threadOfTrack.emplace_back(id, thread);
        collect(track, m_threads[thread], known);
    }
    std::sort(m_threadOfTrack.begin(), m_threadOfTrack.end());
    for (Thread& thread : m_threads)
        finish(thread);
    const auto byStart = [](const TimeRange& a, const TimeRange& b) { return a.beginNs < b.beginNs; };
    std::sort(m_backward.begin(), m_backward.end(), byStart);
    std::sort(m_optimizer.begin(), m_optimizer.end(), byStart);
    collectArrows();
}

std::size_t LaunchContext::threadOf(const Track& track)
{
    // The overflow lanes of a thread are separate tracks of the same thread.
    for (std::size_t i = 0; i < m_threads.size(); ++i) {
        if (m_threads[i].pid == track.pid && m_threads[i].tid == track.tid)
            return i;
    }
    Thread thread;
    thread.pid = track.pid;
    thread.tid = track.tid;
    thread.named = holds(m_model.text(track.name), "autograd");
    m_threads.push_back(std::move(thread));
    return m_threads.size() - 1;
}

void LaunchContext::collect(const Track& track, Thread& thread, NameTable<std::uint16_t>& known)
{
    const SliceColumns& slices = track.slices;
    for (std::size_t row = 0; row < slices.size(); ++row) {
        if (slices.depth[row] == 0 && !thread.runsSteps)
            thread.outermost.push_back(slices.range(row));
        if (slices.category[row] == SliceCategory::Runtime)
            continue;
        std::uint16_t& marks = known[slices.name[row]];
        if (marks == undecided)
            marks = decide(m_model.text(slices.name[row]));
        if (marks == 0)
            continue;
        if ((marks & stepMark) != 0) {
            thread.runsSteps = true;
            thread.outermost = {};
        }
        const unsigned own = marks & static_cast<unsigned>(stepMark - 1);
        if ((own & LaunchBackward) != 0 && slices.depth[row] == 0)
            thread.backwardNs += slices.durationNs[row];
        if (own != 0)
            thread.marked.push_back({slices.range(row), own});
    }
}

void LaunchContext::finish(Thread& thread)
{
    unsigned found = 0;
    for (const Marked& marked : thread.marked)
        found |= marked.marks;
    std::int64_t outermostNs = 0;
    for (const TimeRange& range : thread.outermost)
        outermostNs += range.lengthNs();
    // The engine runs some backward functions on the calling thread, which does not become an autograd thread
    // by that alone.
    const bool mostly = thread.backwardNs > 0 && thread.backwardNs * 2 >= outermostNs;
    if (thread.named || (mostly && !thread.runsSteps)) {
        thread.always = LaunchBackward;
        found |= thread.outermost.empty() ? 0u : static_cast<unsigned>(LaunchBackward);
        m_backward.insert(m_backward.end(), thread.outermost.begin(), thread.outermost.end());
    }
    thread.outermost = {};
    m_allMarks |= found;

    struct Edge
    {
        std::int64_t timeNs;
        unsigned marks;
        int change;
    };
    std::vector<Edge> edges;
    edges.reserve(thread.marked.size() * 2);
    for (const Marked& marked : thread.marked) {
        if ((marked.marks & LaunchBackward) != 0 && thread.always == 0)
            m_backward.push_back(marked.range);
        if ((marked.marks & LaunchOptimizer) != 0)
            m_optimizer.push_back(marked.range);
        edges.push_back({marked.range.beginNs, marked.marks, 1});
        edges.push_back({marked.range.endNs, marked.marks, -1});
    }
    thread.marked = {};
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.timeNs < b.timeNs; });
    std::array<int, launchMarkCount> open{};
    unsigned now = 0;
    for (const Edge& edge : edges) {
        for (std::size_t bit = 0; bit < open.size(); ++bit) {
            if ((edge.marks & (1u << bit)) == 0)
                continue;
            open[bit] += edge.change;
            now = open[bit] > 0 ? now | (1u << bit) : now & ~(1u << bit);
        }
        if (!thread.timeNs.empty() && thread.timeNs.back() == edge.timeNs) {
            thread.marks.back() = now;
        } else {
            thread.timeNs.push_back(edge.timeNs);
            thread.marks.push_back(now);
        }
    }
}

void LaunchContext::collectArrows()
{
    const FlowColumns& flows = m_timeline.flows;
    const StringId kind = m_model.strings.find("fwdbwd");
    for (std::size_t row = 0; kind && row < flows.size(); ++row) {
        if (flows.kind(row) == kind && flows.phase(row) == FlowPhase::End)
            m_backwardArrows.push_back(flows.timeNs[row]);
    }
    std::sort(m_backwardArrows.begin(), m_backwardArrows.end());
}

SliceRef LaunchContext::launchOf(TrackId track, std::size_t row) const
{
    const std::uint32_t wanted = m_model.track(track).slices.correlation[row];
    const std::vector<LaunchLink>& launches = m_timeline.launches;
    if (wanted == 0 || launches.empty())
        return {};
    // GPU work runs mostly in launch order: search from slightly after the previous position.
    auto first = launches.begin();
    auto last = launches.end();
    if (launches[m_lastLaunch].correlation <= wanted) {
        std::size_t reach = 1;
        while (m_lastLaunch + reach < launches.size() && launches[m_lastLaunch + reach].correlation < wanted)
            reach *= 2;
        first += static_cast<std::ptrdiff_t>(m_lastLaunch + reach / 2);
        last = launches.begin()
            + static_cast<std::ptrdiff_t>(std::min(m_lastLaunch + reach + 1, launches.size()));
    } else {
        last = launches.begin() + static_cast<std::ptrdiff_t>(m_lastLaunch);
    }
    const auto found = std::lower_bound(
        first, last, wanted, [](const LaunchLink& link, std::uint32_t id) { return link.correlation < id; });
    if (found == launches.end())
        return {};
    m_lastLaunch = static_cast<std::size_t>(found - launches.begin());
    return found->correlation == wanted ? found->slice : SliceRef{};
}

unsigned LaunchContext::marksOf(SliceRef launch) const
{
    const auto known = std::lower_bound(
        m_threadOfTrack.begin(), m_threadOfTrack.end(), launch.track,
        [](const std::pair<TrackId, std::size_t>& entry, TrackId track) { return entry.first < track; });
    if (known == m_threadOfTrack.end() || known->first != launch.track)
        return 0;
    const Thread& thread = m_threads[known->second];
    const std::int64_t timeNs = m_model.rangeOf(launch).beginNs;
    const auto after = std::upper_bound(thread.timeNs.begin(), thread.timeNs.end(), timeNs);
    return thread.always
        | (after == thread.timeNs.begin()
               ? 0u
               : thread.marks[static_cast<std::size_t>(after - thread.timeNs.begin()) - 1]);
}

bool LaunchContext::backwardStartsIn(std::int64_t beginNs, std::int64_t endNs) const
{
    const auto next
        = std::lower_bound(m_backward.begin(), m_backward.end(), beginNs,
                           [](const TimeRange& range, std::int64_t time) { return range.beginNs < time; });
    return next != m_backward.end() && next->beginNs < endNs;
}

const LaunchContext& launchesOf(Analysis& analysis, const Timeline& timeline)
{
    using Contexts = std::map<const Timeline*, std::unique_ptr<LaunchContext>>;
    auto& contexts = analysis.table<Contexts>([] { return Contexts(); });
    std::unique_ptr<LaunchContext>& context = contexts[&timeline];
    if (!context)
        context = std::make_unique<LaunchContext>(analysis.model(), timeline, analysis.options().cancelled);
    return *context;
}

} // namespace collscope
