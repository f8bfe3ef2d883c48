// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/run/plan_choices.h"

#include "model/text/lower_case.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace collscope {

namespace fs = std::filesystem;

bool isKind(const PlannedFile& planned, SourceKind kind)
{
    return planned.reader && planned.reader->kind == kind;
}

bool isIterated(const PlannedFile& planned)
{
    return planned.reader && sourceTraits(planned.reader->kind).isIterated;
}

Status chooseIteration(LoadPlan& plan, const IterationChoice& choice)
{
    std::map<std::int64_t, std::size_t> filesOf;
    for (const PlannedFile& planned : plan.files) {
        if (isIterated(planned) && planned.file.iteration >= 0)
            ++filesOf[planned.file.iteration];
    }
    std::size_t most = 0;
    std::int64_t chosen = -1;
    for (const auto& [iteration, count] : filesOf) {
        plan.iterationsOffered.push_back(iteration);
        if (count >= most) {
            most = count;
            chosen = iteration;
        }
    }
    if (choice.mode == IterationChoice::Mode::One && !filesOf.contains(choice.number)) {
        std::string found;
        for (const auto& [iteration, count] : filesOf)
            found += (found.empty() ? " it has " : ", ") + std::to_string(iteration);
        found = found.empty() ? " none of its folders is named iteration_<n>" : found;
        return Error{Error::Kind::NotFound,
                     plan.path + " has no profiler iteration " + std::to_string(choice.number) + ";" + found
                         + ".",
                     plan.path};
    }
    if (choice.mode == IterationChoice::Mode::One)
        chosen = choice.number;
    if (filesOf.empty() || choice.mode == IterationChoice::Mode::All)
        return {};
    const auto& problems = plan.problems.entries();
    const bool areCycles = std::any_of(problems.begin(), problems.end(), [](const Diagnostic& problem) {
        return problem.code == "profiler_cycles";
    });
    // Folders named iteration_<n> are visible to users; that files of one folder are cycles is not.
    if (areCycles && filesOf.size() > 1 && choice.mode != IterationChoice::Mode::One)
        plan.problems.add(
            Severity::Notice, "cycle_chosen", plan.path, 0,
            "The files belong to " + std::to_string(filesOf.size()) + " profiler cycles, of which only cycle "
                + std::to_string(chosen)
                + " is loaded. Load another one with --iteration <number>, or all with --iteration all.");
    std::erase_if(plan.files, [&](PlannedFile& planned) {
        if (isKind(planned, SourceKind::MemorySnapshot))
            return false; // chosen separately
        if (!isIterated(planned) && planned.file.iteration < 0)
            return false; // counters and databases next to the folders belong to the run as a whole
        if (planned.file.iteration < 0)
            planned.file.iteration
                = chosen; // a loose file next to the folders competes with them for its rank
        if (planned.file.iteration == chosen)
            return false;
        plan.problems.add(
            Severity::Info, "other_iteration", fs::path(planned.file.path).parent_path().string(), 0,
            "Profiler iteration " + std::to_string(planned.file.iteration) + " is not loaded (iteration "
                + std::to_string(chosen) + " is); choose it in the toolbar or with --iteration.");
        return true;
    });
    return {};
}

void limitRanks(LoadPlan& plan, std::optional<int> maxRanks)
{
    std::vector<std::size_t> ranks;
    for (std::size_t i = 0; i < plan.files.size(); ++i) {
        if (isIterated(plan.files[i]))
            ranks.push_back(i);
    }
    if (!maxRanks || *maxRanks < 1 || ranks.size() <= static_cast<std::size_t>(*maxRanks))
        return;
    const auto wanted = static_cast<std::size_t>(*maxRanks);
    std::set<std::size_t> kept;
    for (std::size_t k = 0; k < wanted; ++k)
        kept.insert(ranks[k * ranks.size() / wanted]);
    plan.isLimited = true;
    plan.problems.add(Severity::Notice, "max_ranks", plan.path, 0,
                      std::to_string(wanted) + " of " + std::to_string(ranks.size())
                          + " rank files are loaded, evenly spaced, as requested by --max-ranks.");
    std::vector<PlannedFile> files;
    for (std::size_t i = 0; i < plan.files.size(); ++i) {
        if (!isIterated(plan.files[i]) || kept.contains(i))
            files.push_back(plan.files[i]);
    }
    plan.files = std::move(files);
}

void preferDatabases(LoadPlan& plan)
{
    const auto isProfiling = [](const PlannedFile& planned) {
        return isKind(planned, SourceKind::Nsys)
            && lowered(fs::path(planned.file.path).filename().string()).find("profiling")
            != std::string::npos;
    };
    const bool others = std::any_of(plan.files.begin(), plan.files.end(), [&](const PlannedFile& planned) {
        return isKind(planned, SourceKind::Nsys) && !isProfiling(planned);
    });
    if (!others)
        return;
    std::erase_if(plan.files, [&](const PlannedFile& planned) {
        if (!isProfiling(planned))
            return false;
        plan.problems.add(
            Severity::Info, "other_database", planned.file.path, 0,
            "Skipped: another Nsight export of this run is loaded. Open this file alone to view it.");
        return true;
    });
}

} // namespace collscope
