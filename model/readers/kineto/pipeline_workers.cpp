// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/kineto/pipeline_workers.h"

#include "model/kernels/training_operation.h"

#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace collscope {

namespace {

/// The number after `words` in a text; nullopt if there is none.
std::optional<std::int32_t> numberBehind(std::string_view words, std::string_view text)
{
    const std::size_t at = text.find(words);
    if (at == std::string_view::npos)
        return std::nullopt;
    const char* const begin = text.data() + at + words.size();
    std::int32_t number = 0;
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), number);
    constexpr std::int32_t most = 1 << 20;
    return error == std::errc() && number >= 0 && number < most ? std::optional(number) : std::nullopt;
}

std::optional<PipelineWorker> workerOf(std::string_view process, std::string_view thread)
{
    if (!process.starts_with("DP rank [") || !thread.starts_with("PP rank "))
        return std::nullopt;
    const auto dp = numberBehind("DP rank [", process);
    const auto pp = numberBehind("PP rank ", thread);
    const auto tp = numberBehind("TP rank ", thread);
    return dp && pp && tp ? std::optional(PipelineWorker{*dp, *pp, *tp}) : std::nullopt;
}

/// The process id "[PP2-DP1-TP0]", in the form that merged files of other tools use.
std::string pidOf(const PipelineWorker& worker)
{
    return "[PP" + std::to_string(worker.stage) + "-DP" + std::to_string(worker.dp) + "-TP"
        + std::to_string(worker.tp) + "]";
}

std::optional<PipelineWorker> workerOfPid(std::string_view pid)
{
    const auto pp = numberBehind("[PP", pid);
    const auto dp = numberBehind("-DP", pid);
    const auto tp = numberBehind("-TP", pid);
    return pp && dp && tp ? std::optional(PipelineWorker{*dp, *pp, *tp}) : std::nullopt;
}

void classifyOperations(SliceColumns& slices, const StringTable& strings)
{
    for (std::size_t row = 0; row < slices.size(); ++row) {
        const std::optional<OperationRole> role = operationRole(strings.view(slices.name[row]));
        const std::optional<KernelClass> kind = role ? operationTraits(*role).kernelClass : std::nullopt;
        if (!kind)
            continue; // work of the host
        slices.kernelClass.set(row, *kind);
        slices.category[row] = SliceCategory::Kernel;
    }
}

using RankOfWorker = std::map<PipelineWorker, std::int32_t>;

std::string rankText(const std::set<std::int32_t>& ranks)
{
    std::string text;
    for (const std::int32_t rank : ranks)
        text += (text.empty() ? "[" : ", ") + std::to_string(rank);
    return text + "]";
}

/// Fills in the data of one call that the names of ranks and stages determine.
void describeCall(const PipelineWorker& self, const RankOfWorker& ranks, OperationPartners partners,
                  StringTable& strings, CollectiveCall& call)
{
    const auto setGroup
        = [&](const char* parallelismKind, const std::string& name, const std::set<std::int32_t>& members) {
              call.groupDescription = strings.intern(parallelismKind);
              call.group = strings.intern(name);
              call.groupRanks = strings.intern(rankText(members));
              call.groupSize = static_cast<std::int32_t>(members.size());
          };
    const std::string tp = " TP " + std::to_string(self.tp);
    std::set<std::int32_t> replicas, pipeline;
    std::int32_t lastStage = 0;
    for (const auto& [worker, rank] : ranks) {
        if (worker.stage == self.stage && worker.tp == self.tp)
            replicas.insert(rank);
        if (worker.dp == self.dp && worker.tp == self.tp)
            pipeline.insert(rank);
        lastStage = std::max(lastStage, worker.stage);
    }
    const auto rankAt = [&](std::int32_t stage) -> std::optional<std::int64_t> {
        const auto found = ranks.find({self.dp, stage, self.tp});
        return found == ranks.end() ? std::nullopt : std::optional<std::int64_t>(found->second);
    };
    if (partners == OperationPartners::DataParallel)
        return setGroup("dp", "DP at PP " + std::to_string(self.stage) + tp, replicas);
    if (partners == OperationPartners::FirstAndLastStage) {
        const auto first = rankAt(0);
        const auto last = rankAt(lastStage);
        if (first && last && *first != *last)
            setGroup("embedding", "embedding of DP " + std::to_string(self.dp) + tp,
                     {static_cast<std::int32_t>(*first), static_cast<std::int32_t>(*last)});
        return;
    }
    if (partners == OperationPartners::None || partners == OperationPartners::TensorParallel
        || partners == OperationPartners::AllWorkers)
        return;
    setGroup("pp", "PP of DP " + std::to_string(self.dp) + tp, pipeline);
    const bool sends
        = partners == OperationPartners::ToNextStage || partners == OperationPartners::ToPreviousStage;
    const bool upwards
        = partners == OperationPartners::ToNextStage || partners == OperationPartners::FromNextStage;
    // With several model chunks per stage, the last stage sends to the first: beyond the ends, the peer stays
    // unknown.
    const auto peer = rankAt(self.stage + (upwards ? 1 : -1));
    if (peer) {
        call.sourceRank = sends ? rankAt(self.stage) : peer;
        call.destinationRank = sends ? peer : rankAt(self.stage);
    }
}

} // namespace

std::size_t arrangePipelineWorkers(FragmentBuilder& builder, StringTable& strings)
{
    std::map<std::string, std::string, std::less<>> nameOfProcess;
    for (FragmentBuilder::Process& process : builder.processes())
        nameOfProcess.emplace(process.pid, std::move(process.name));
    std::set<PipelineWorker> workers;
    for (std::uint32_t t = 0; t < builder.trackCount(); ++t) {
        Track& track = builder.trackAt(t);
        const std::string thread = builder.threadName(track);
        const auto worker = workerOf(nameOfProcess[std::string(strings.view(track.pid))], thread);
        if (!worker || track.kind != TrackKind::CpuThread)
            continue;
        workers.insert(*worker);
        const std::string pid = pidOf(*worker);
        track.kind = TrackKind::GpuStream;
        track.pid = strings.intern(pid);
        if (const std::size_t role = thread.rfind(", "); role != std::string::npos)
            track.name = strings.intern(std::string_view(thread).substr(role + 2));
        builder.setProcessName(pid,
                               "DP rank " + std::to_string(worker->dp) + ", PP rank "
                                   + std::to_string(worker->stage) + ", TP rank "
                                   + std::to_string(worker->tp));
        classifyOperations(track.slices, strings);
    }
    return workers.size();
}

void describeWorkers(TraceFragment& fragment)
{
    RankOfWorker ranks;
    for (Timeline& timeline : fragment.timelines) {
        for (const TrackId id : timeline.tracks) {
            if (!timeline.worker)
                timeline.worker = workerOfPid(fragment.strings.view(fragment.tracks[id.value].pid));
        }
        if (timeline.worker)
            ranks[*timeline.worker] = timeline.rank;
    }
    for (Timeline& timeline : fragment.timelines) {
        if (!timeline.worker)
            continue;
        // All calls of one name have the same partners.
        std::map<StringId, CollectiveCall> known;
        for (CollectiveCall& call : timeline.collectives) {
            const StringId name = fragment.tracks[call.slice.track.value].slices.name[call.slice.row];
            const std::optional<OperationRole> role = operationRole(fragment.strings.view(name));
            if (!role)
                continue;
            const auto [found, isNew] = known.try_emplace(name);
            if (isNew)
                describeCall(*timeline.worker, ranks, operationTraits(*role).partners, fragment.strings,
                             found->second);
            CollectiveCall described = found->second;
            described.kind = call.kind;
            described.slice = call.slice;
            described.name = name;
            call = described;
        }
    }
}

} // namespace collscope
