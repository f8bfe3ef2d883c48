// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/building/duplicate_ranks.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

namespace collscope {

namespace {

std::size_t kernelCount(const TraceFragment& fragment)
{
    std::size_t count = 0;
    for (const Timeline& timeline : fragment.timelines)
        count += timeline.summary ? static_cast<std::size_t>(timeline.summary->gpuEvents) : 0;
    for (const Track& track : fragment.tracks)
        count += track.kind == TrackKind::GpuStream ? track.slices.size() : 0;
    return count;
}

std::string workAgainst(const TraceFragment& loser, const TraceFragment& best)
{
    return kernelCount(loser) < kernelCount(best) ? "with less GPU work" : "with the same amount of GPU work";
}

std::string folderOf(const std::string& path)
{
    return std::filesystem::path(path).parent_path().string();
}

void exclude(TraceFragment& fragment, const std::string& why, Diagnostics& problems)
{
    problems.add(Severity::DataLoss, "duplicate_rank", fragment.source.path, 0, why, fragment.source.shown);
    fragment.source.excluded += fragment.source.shown;
    fragment.source.shown = 0;
    fragment.timelines.clear();
    fragment.tracks.clear();
}

/// A merged file adds nothing to the files it was made from. Of two merged files with the same ranks, the one
/// with the most GPU work is kept. Each rank is shown once per iteration.
void setMergedAside(std::vector<TraceFragment>& fragments, Diagnostics& problems)
{
    using RankKey = std::pair<std::int32_t, std::int64_t>;
    std::map<RankKey, const TraceFragment*> kept;
    std::vector<std::pair<std::size_t, TraceFragment*>> merged; // with their number of GPU slices
    for (TraceFragment& fragment : fragments) {
        if (fragment.timelines.empty() || fragment.source.kind != SourceKind::Kineto || fragment.isOfDevices)
            continue;
        if (fragment.isMerged)
            merged.emplace_back(kernelCount(fragment), &fragment);
        else
            kept.try_emplace({fragment.source.rank.value_or(0), fragment.source.iteration}, &fragment);
    }
    std::stable_sort(merged.begin(), merged.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [kernels, fragment] : merged) {
        const TraceFragment* other = nullptr;
        for (const Timeline& timeline : fragment->timelines) {
            const auto found = kept.find({timeline.rank, fragment->source.iteration});
            other = other || found == kept.end() ? other : found->second;
        }
        if (!other) {
            for (const Timeline& timeline : fragment->timelines)
                kept.try_emplace({timeline.rank, fragment->source.iteration}, fragment);
            continue;
        }
        exclude(
            *fragment,
            other->isMerged
                ? "This file contains several merged ranks, and another merged file contains some of them ("
                    + other->source.path + "). This file, " + workAgainst(*fragment, *other)
                    + ", is excluded. To view it, open it on its own."
                : "This file contains several merged ranks, and some of them also have separate files here. "
                  "The merged file is excluded. To view it, open it on its own.",
            problems);
    }
}

/// Keeps one file per (rank, source, iteration): the one with the most GPU work. The others would be counted
/// twice.
void setSinglesAside(std::vector<TraceFragment>& fragments, Diagnostics& problems)
{
    std::map<std::tuple<std::int32_t, SourceKind, std::int64_t>, TraceFragment*> kept;
    std::set<std::string> folders; // different folders with files of the same rank
    for (TraceFragment& fragment : fragments) {
        if (fragment.timelines.empty() || fragment.source.kind != SourceKind::Kineto || fragment.isMerged
            || fragment.isOfDevices)
            continue;
        const auto key
            = std::tuple(fragment.source.rank.value_or(0), fragment.source.kind, fragment.source.iteration);
        TraceFragment*& best = kept[key];
        TraceFragment* loser = nullptr;
        if (!best) {
            best = &fragment;
        } else if (kernelCount(fragment) > kernelCount(*best)) {
            loser = best;
            best = &fragment;
        } else {
            loser = &fragment;
        }
        if (!loser)
            continue;
        if (folderOf(loser->source.path) != folderOf(best->source.path))
            folders.insert({folderOf(loser->source.path), folderOf(best->source.path)});
        exclude(*loser,
                "Another file of this run is also rank " + std::to_string(std::get<0>(key)) + " ("
                    + best->source.path + "). This file, " + workAgainst(*loser, *best)
                    + ", is excluded. To view it, open it on its own.",
                problems);
    }
    if (folders.empty())
        return;
    std::string names;
    for (const std::string& folder : folders)
        names.append(names.empty() ? "" : ", ").append(folder);
    std::set<std::string> shown;
    for (const auto& [key, fragment] : kept) {
        if (folders.contains(folderOf(fragment->source.path)))
            shown.insert(folderOf(fragment->source.path));
    }
    problems.add(
        Severity::DataLoss, "several_runs", *folders.begin(), 0,
        "Several folders contain files of the same ranks (" + names
            + "). If they are different runs, open one of them. If they are one run whose nodes each number "
              "their ranks from 0, assign ranks to the files (File > Assign ranks)."
            + (shown.size() > 1 ? " The data shown comes from more than one of these folders." : ""));
}

} // namespace

void setDuplicatesAside(std::vector<TraceFragment>& fragments, Diagnostics& problems)
{
    setMergedAside(fragments, problems);
    setSinglesAside(fragments, problems);
}

} // namespace collscope
