// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/run/plan_choices.h"

#include "model/text/lower_case.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>
#include <vector>

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

namespace {

/// How the names of one recording's files end, the most complete form first.
struct RecordingForms
{
    std::string_view advice;
    std::vector<std::string_view> endings;
};

const RecordingForms* formsOf(const std::string& lowerName, std::size_t& place)
{
    static const RecordingForms forms[] = {
        {"the trace viewer's JSON may lack events (it has at most a million)",
         {".xplane.pb", ".trace.json.gz", ".trace.json"}},
        {"it says more of the same events",
         {"_results.db", "_results.json", "_results.json.gz", "_results.pftrace"}},
    };
    for (const RecordingForms& one : forms) {
        for (place = 0; place < one.endings.size(); ++place) {
            if (lowerName.ends_with(one.endings[place]))
                return &one;
        }
    }
    return nullptr;
}

} // namespace

void keepBestForms(LoadPlan& plan)
{
    struct Best
    {
        std::size_t place = 0;
        std::string path;
    };
    std::map<std::pair<const RecordingForms*, std::string>, Best> best; // by path without the ending
    const auto keyOf = [](const std::string& path, std::size_t& place) {
        const RecordingForms* const forms = formsOf(lowered(path), place);
        const std::size_t ending = forms ? forms->endings[place].size() : 0;
        return std::pair(forms, path.substr(0, path.size() - ending));
    };
    const auto mayBeForm = [](const PlannedFile& planned) {
        return planned.reader && sourceTraits(planned.reader->kind).holdsTimeline;
    };
    std::size_t place = 0;
    for (const PlannedFile& planned : plan.files) {
        const auto key = keyOf(planned.file.path, place);
        if (!key.first || !mayBeForm(planned))
            continue;
        const auto [found, isNew] = best.try_emplace(key, Best{place, planned.file.path});
        if (!isNew && place < found->second.place)
            found->second = {place, planned.file.path};
    }
    std::erase_if(plan.files, [&](const PlannedFile& planned) {
        const auto found = best.find(keyOf(planned.file.path, place));
        if (found == best.end() || found->second.path == planned.file.path || !mayBeForm(planned))
            return false;
        plan.problems.add(Severity::Info, "same_recording", planned.file.path, 0,
                          "It is another form of the recording in " + found->second.path
                              + ", which is read instead: " + std::string(found->first.first->advice) + ".");
        return true;
    });
}

} // namespace collscope
