// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The tools of ccl-torchtitan-train whose names end in _16. They read PyTorch profiles and classify kernels,
// CPU operators and annotations alike by their names.

#include "metrics/core/statistics.h"
#include "metrics/references/tool_input.h"

#include <algorithm>
#include <cctype>
#include <limits>

namespace collscope {

namespace {

using Number = Reference::Number;

bool namesCommunication(std::string_view name)
{
    return holdsAnyOf(name,
                      {"nccl", "c10d::", "reduce", "allgather", "all_gather", "alltoall", "all_to_all",
                       "broadcast", "sendrecv"});
}

/// Every event of the first file, of any category, summed without union.
std::optional<Number> overlap(Analysis& analysis)
{
    const TraceModel& model = analysis.model();
    const Timeline* timeline = firstKineto(analysis);
    if (!timeline)
        return std::nullopt;
    NameTest communicates(model, namesCommunication);
    NameTest isTensorOperator(model, [](std::string_view name) { return name.starts_with("aten::"); });
    std::vector<TimeRange> communication;
    std::vector<TimeRange> computation;
    const bool done = forEachEvent(analysis, *timeline, [&](const Track& track, std::size_t row) {
        const SliceColumns& slices = track.slices;
        if (slices.durationNs[row] <= 0)
            return;
        if (communicates(slices.name[row]))
            communication.push_back(slices.range(row));
        else if (slices.category[row] == SliceCategory::Kernel || isTensorOperator(slices.name[row]))
            computation.push_back(slices.range(row));
    });
    if (!done)
        return std::nullopt;
    const std::int64_t communicationNs = sumNs(communication);
    const std::int64_t computationNs = sumNs(computation);
    Number number;
    const auto communicationCount = static_cast<std::int64_t>(communication.size());
    const auto computationCount = static_cast<std::int64_t>(computation.size());
    const std::int64_t both
        = IntervalSet(std::move(communication)).intersected(IntervalSet(std::move(computation))).lengthNs();
    const auto share = [&](std::int64_t whole) {
        return std::min(ratio(static_cast<double>(both), static_cast<double>(whole)).value_or(0.0), 1.0);
    };
    number.value = 100.0 * share(communicationNs);
    number.details = {{"comm_time_ms", nsToMs(communicationNs)},
                      {"comp_time_ms", nsToMs(computationNs)},
                      {"overlap_time_ms", nsToMs(both)},
                      {"overlap_ratio_of_comm", share(communicationNs)},
                      {"overlap_ratio_of_comp", share(computationNs)},
                      {"num_comm_kernels", communicationCount},
                      {"num_comp_kernels", computationCount}};
    return number;
}

/// ProfilerStep markers of a file, including their copies on the GPU, by start.
std::vector<TimeRange> stepMarkers(Analysis& analysis, const Timeline& timeline)
{
    NameTest isStep(analysis.model(), [](std::string_view name) { return name.starts_with("profilerstep"); });
    std::vector<TimeRange> markers;
    forEachEvent(analysis, timeline, [&](const Track& track, std::size_t row) {
        if (isStep(track.slices.name[row]))
            markers.push_back(track.slices.range(row));
    });
    std::sort(markers.begin(), markers.end(), [](TimeRange a, TimeRange b) { return a.beginNs < b.beginNs; });
    return markers;
}

double meanMs(const std::vector<TimeRange>& ranges)
{
    return nsToMs(sumNs(ranges)) / static_cast<double>(ranges.size());
}

std::optional<Number> iterationTime(Analysis& analysis)
{
    const Timeline* timeline = firstKineto(analysis);
    const auto markers = timeline ? stepMarkers(analysis, *timeline) : std::vector<TimeRange>();
    if (markers.empty())
        return std::nullopt;
    const auto [shortest, longest] = std::minmax_element(
        markers.begin(), markers.end(), [](TimeRange a, TimeRange b) { return a.lengthNs() < b.lengthNs(); });
    return Number{meanMs(markers) / 1e3,
                  {{"avg_iter_time_ms", meanMs(markers)},
                   {"min_iter_time_ms", nsToMs(shortest->lengthNs())},
                   {"max_iter_time_ms", nsToMs(longest->lengthNs())},
                   {"num_iterations", static_cast<std::int64_t>(markers.size())}}};
}

/// Batch x length x the card's iterations / the span of one file.
std::optional<Number> throughput(Analysis& analysis)
{
    const TraceModel& model = analysis.model();
    const Timeline* timeline = firstKineto(analysis);
    if (!timeline || timeline->range.isEmpty())
        return std::nullopt;
    constexpr std::int64_t defaultBatch = 4;
    constexpr std::int64_t defaultLength = 8192;
    std::int64_t batch = defaultBatch;
    std::int64_t length = defaultLength;
    std::optional<std::int64_t> iterations;
    if (model.card) {
        batch = model.card->batchSize.value_or(defaultBatch);
        length = model.card->seqLen.value_or(defaultLength);
        iterations = model.card->iteration;
    }
    if (!iterations)
        iterations = static_cast<std::int64_t>(stepMarkers(analysis, *timeline).size());
    const double seconds = nsToSeconds(timeline->range.lengthNs());
    const double tokens
        = static_cast<double>(batch) * static_cast<double>(length) * static_cast<double>(*iterations);
    return Number{tokens / seconds,
                  {{"throughput_tokens_per_s", tokens / seconds}, {"measured_duration_s", seconds}}};
}

/// Busy time of the whole file, including CPU operators, compared with the last step marker only.
std::optional<Number> pipelineBubble(Analysis& analysis)
{
    const TraceModel& model = analysis.model();
    NameTest namesStage(model, [](std::string_view name) {
        return holdsAnyOf(name, {"send", "recv", "stage"});
    });
    std::int64_t totalNs = 0;
    std::int64_t bubbleNs = 0;
    std::int64_t files = 0;
    bool stages = false;
    for (const Timeline* timeline : kinetoFiles(analysis)) {
        const std::vector<TimeRange> markers = stepMarkers(analysis, *timeline);
        if (markers.empty())
            return std::nullopt;
        std::vector<TimeRange> busy;
        const bool done = forEachEvent(analysis, *timeline, [&](const Track& track, std::size_t row) {
            const SliceCategory category = track.slices.category[row];
            if (category == SliceCategory::Kernel || category == SliceCategory::CpuOp)
                busy.push_back(track.slices.range(row));
            stages |= namesStage(track.slices.name[row]);
        });
        if (!done)
            return std::nullopt;
        const std::int64_t stepNs = markers.back().lengthNs();
        totalNs += stepNs;
        bubbleNs += std::max<std::int64_t>(0, stepNs - IntervalSet(std::move(busy)).lengthNs());
        ++files;
    }
    const auto share = ratio(static_cast<double>(bubbleNs), static_cast<double>(totalNs));
    if (!share)
        return std::nullopt;
    Number number{*share,
                  {{"bubble_ratio", *share},
                   {"bubble_time_ms", nsToMs(bubbleNs)},
                   {"total_time_ms", nsToMs(totalNs)},
                   {"num_ranks", files}}};
    if (stages)
        number.details.emplace_back("method", "nvtx");
    return number;
}

/// Start times of the events that the tool treats as collectives: NCCL kernels, and CPU operators and
/// annotations named after a collective ("c10d::allreduce_", "nccl:all_reduce"). It does not recognise
/// PyTorch's names with a leading underscore ("c10d::_allgather_base_").
std::vector<std::int64_t> collectiveStarts(Analysis& analysis, const Timeline& timeline)
{
    NameTest isKernel(analysis.model(), [](std::string_view name) { return holdsAnyOf(name, {"nccl"}); });
    NameTest isOperator(analysis.model(), [](std::string_view name) {
        for (const std::string_view prefix : {"nccl:", "c10d::"}) {
            if (name.starts_with(prefix) && name.size() > prefix.size()
                && std::isalpha(static_cast<unsigned char>(name[prefix.size()])) != 0)
                return true;
        }
        return false;
    });
    std::vector<std::int64_t> starts;
    forEachEvent(analysis, timeline, [&](const Track& track, std::size_t row) {
        const SliceCategory category = track.slices.category[row];
        const StringId name = track.slices.name[row];
        const bool onCpu = category == SliceCategory::CpuOp || category == SliceCategory::UserAnnotation;
        if ((category == SliceCategory::Kernel && isKernel(name)) || (onCpu && isOperator(name)))
            starts.push_back(track.slices.startNs[row]);
    });
    std::sort(starts.begin(), starts.end());
    return starts;
}

/// Compares the k-th event of every rank, regardless of its group and kind.
std::optional<Number> stragglerLag(Analysis& analysis)
{
    const std::vector<const Timeline*> files = kinetoFiles(analysis);
    if (files.size() < 2)
        return std::nullopt;
    std::vector<std::vector<std::int64_t>> starts;
    std::size_t count = std::numeric_limits<std::size_t>::max();
    for (const Timeline* timeline : files) {
        starts.push_back(collectiveStarts(analysis, *timeline));
        count = std::min(count, starts.back().size());
    }
    if (count == 0 || analysis.options().cancelled())
        return std::nullopt;
    std::vector<double> lags;
    for (std::size_t k = 0; k < count; ++k) {
        std::int64_t first = starts.front()[k];
        std::int64_t last = first;
        for (const std::vector<std::int64_t>& rank : starts) {
            first = std::min(first, rank[k]);
            last = std::max(last, rank[k]);
        }
        lags.push_back(nsToUs(last - first));
    }
    std::sort(lags.begin(), lags.end());
    const std::vector<TimeRange> markers = stepMarkers(analysis, *files.front());
    Number number;
    number.details = {{"mean_lag_us", meanOf(lags)},
                      {"p50_lag_us", lags[lags.size() / 2]},
                      {"p95_lag_us", lags[lags.size() * 95 / 100]},
                      {"max_lag_us", lags.back()},
                      {"min_lag_us", lags.front()},
                      {"num_collectives", static_cast<std::int64_t>(count)},
                      {"num_ranks", static_cast<std::int64_t>(files.size())}};
    if (!markers.empty()) {
        number.value = meanOf(lags) / 1e3 / meanMs(markers);
        number.details.emplace_back("normalized_lag", *number.value);
    }
    return number;
}

/// Durations of everything named after a collective, by the parallelism that the tool assigns.
std::optional<Number> trafficDistribution(Analysis& analysis)
{
    const TraceModel& model = analysis.model();
    NameTest communicates(model, namesCommunication);
    const auto nameHolds = [&](std::initializer_list<std::string_view> words) {
        return NameTest(model, [list = std::vector<std::string_view>(words)](std::string_view name) {
            return std::any_of(list.begin(), list.end(), [&](std::string_view word) {
                return name.find(word) != std::string_view::npos;
            });
        });
    };
    struct Kind
    {
        std::string key;
        NameTest test;
        std::int64_t ns = 0;
    };
    std::vector<Kind> kinds;
    kinds.push_back({"ep_bytes", nameHolds({"alltoall", "all_to_all"})});
    kinds.push_back({"pp_bytes", nameHolds({"sendrecv", "send_", "recv_"})});
    kinds.push_back({"dp_bytes", nameHolds({"reducescatter", "reduce_scatter"})});
    std::int64_t unknownNs = 0;
    std::int64_t calls = 0;
    for (const Timeline* timeline : kinetoFiles(analysis)) {
        const bool done = forEachEvent(analysis, *timeline, [&](const Track& track, std::size_t row) {
            const SliceCategory category = track.slices.category[row];
            const bool counts = category == SliceCategory::Kernel || category == SliceCategory::CpuOp
                || category == SliceCategory::UserAnnotation;
            const StringId name = track.slices.name[row];
            if (!counts || !communicates(name))
                return;
            ++calls;
            const auto kind
                = std::find_if(kinds.begin(), kinds.end(), [&](Kind& one) { return one.test(name); });
            (kind == kinds.end() ? unknownNs : kind->ns) += track.slices.durationNs[row];
        });
        if (!done)
            return std::nullopt;
    }
    if (calls == 0)
        return std::nullopt;
    Number number;
    number.details.emplace_back("unknown_bytes", nsToUs(unknownNs));
    for (const Kind& kind : kinds)
        number.details.emplace_back(kind.key, nsToUs(kind.ns));
    number.details.emplace_back("total_comm_calls", calls);
    number.details.emplace_back("mode", "nvtx"); // always: it looks for "ep" and finds ProfilerStep
    return number;
}

constexpr Reference entries[] = {
    {"comm_comp_overlap", "comm_comp_overlap_16", "comm_comp_overlap_16 of ccl-torchtitan-train",
     "it counts CPU operators, annotations and their copies on the GPU as communication, adds up overlapping "
     "times, treats a compute kernel with \"reduce\" in its name as communication, and reads only the first "
     "file",
     overlap},
    {"avg_step_time", "iter_time_16", "iter_time_16 of ccl-torchtitan-train",
     "it counts the GPU copy of a step marker as another iteration, and reads only one file", iterationTime},
    {"throughput_tokens_sec", "throughput_tokens_16", "throughput_tokens_16 of ccl-torchtitan-train",
     "it divides by the span of one file, including the time before and after the steps, and takes the "
     "number of steps from the card",
     throughput},
    {"bubble_size_pipeline", "pipeline_bubble_16", "pipeline_bubble_16 of ccl-torchtitan-train",
     "it compares the busy time of the whole file, including CPU operators, with one step, so with several "
     "steps no bubble remains",
     pipelineBubble},
    {"straggler", "straggler_lag_16", "straggler_lag_16 of ccl-torchtitan-train",
     "it compares the k-th event of each rank regardless of its process group, including CPU operators",
     stragglerLag},
    {"traffic_distribution", "traffic_distribution_16", "traffic_distribution_16 of ccl-torchtitan-train",
     "the values that it labels as bytes are microseconds, and it counts the kernel, CPU operator and "
     "annotation of one collective separately",
     trafficDistribution},
};

} // namespace

extern const ReferenceSet parallelismAnalyzerReferences;
const ReferenceSet parallelismAnalyzerReferences{entries};

} // namespace collscope
