// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/run/found_runs.h"

#include "model/readers/run/trace_processes.h"
#include "model/text/lower_case.h"
#include "model/text/printable_text.h"
#include "model/text/rank_ranges.h"
#include "model/text/wall_clock_text.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

namespace collscope {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t second = 1'000'000'000;
/// Processes on one host share its clock: recordings this far apart do not belong to one job.
constexpr std::int64_t apartOnAHost = 60 * second;
/// Clocks of different hosts may be wrong by minutes.
constexpr std::int64_t apartOnHosts = 15 * 60 * second;
/// First events this close together belong to one capture if the end of the capture is unknown.
constexpr std::int64_t together = 2 * second;

/// Whether a name is the word followed by a number: rank3, node_1.
bool isWordWithNumber(std::string_view name, std::string_view word)
{
    if (!name.starts_with(word))
        return false;
    name.remove_prefix(word.size());
    if (!name.empty() && (name.front() == '_' || name.front() == '-'))
        name.remove_prefix(1);
    return !name.empty() && std::all_of(name.begin(), name.end(), isDigit);
}

/// Whether a folder with this name contains part of a run, without separating it from another run.
bool isPartOfARun(std::string_view name)
{
    static constexpr std::array<std::string_view, 19> parts{
        "profile_trace",    "profile_traces", "profiler", "torch_trace", "torch_traces",
        "torch_profiler",   "torch_et",       "et",       "kineto",      "nsys",
        "nsight",           "nvlink",         "nvml",     "memory",      "memory_snapshot",
        "memory_snapshots", "traces",         "trace",    "logs"};
    static constexpr std::array<std::string_view, 10> numbered{
        "iteration", "step", "rank", "node", "host", "worker", "gpu", "device", "local_rank", "nid"};
    std::string lower = lowered(name);
    if (lower.ends_with("_exit"))
        lower.resize(lower.size() - 5);
    return std::find(parts.begin(), parts.end(), lower) != parts.end()
        || std::any_of(numbered.begin(), numbered.end(),
                       [&](std::string_view word) { return isWordWithNumber(lower, word); });
}

bool isTimeline(const PlannedFile& planned)
{
    return !planned.reader || sourceTraits(planned.reader->kind).holdsTimeline;
}

SourceKind kindOf(const PlannedFile& planned)
{
    return planned.reader ? planned.reader->kind : SourceKind::Nsys;
}

bool describesTheWorkload(const PlannedFile& planned)
{
    return sourceTraits(kindOf(planned)).describesJob;
}

/// Whether both were recorded at the same time, as far as their times are known.
bool wereTogether(const TraceFacts& a, const TraceFacts& b)
{
    if (!a.beginNs || !b.beginNs)
        return a.writtenNs && b.writtenNs && std::abs(*a.writtenNs - *b.writtenNs) <= together;
    if (std::abs(*a.beginNs - *b.beginNs) <= together)
        return true;
    return a.writtenNs && b.writtenNs && *a.beginNs <= *b.writtenNs && *b.beginNs <= *a.writtenNs;
}

/// Whether two files cannot be of one run: kind, iteration and rank (or its absence) are the same, and either
/// the files themselves state the rank or they were not recorded together.
bool collide(const PlannedFile& a, const PlannedFile& b)
{
    if (kindOf(a) != kindOf(b) || rankSaid(a) != rankSaid(b) || a.file.iteration != b.file.iteration)
        return false;
    const bool filesSayIt = a.facts.rank && b.facts.rank && !a.file.chosenRank && !b.file.chosenRank;
    return filesSayIt || !wereTogether(a.facts, b.facts);
}

using Files = std::vector<std::size_t>;

class RunSplit
{
public:
    RunSplit(const std::string& folder, const std::vector<PlannedFile>& files)
        : m_files(files)
        , m_root(fs::path(folder).lexically_normal())
    {
        const bool hasTimelines = std::any_of(files.begin(), files.end(), isTimeline);
        for (std::size_t i = 0; i < files.size(); ++i) {
            m_folders.push_back(foldersOf(files[i].file.path));
            m_counts.push_back(!describesTheWorkload(files[i]) && (!hasTimelines || isTimeline(files[i])));
        }
    }

    std::vector<Files> runs()
    {
        Files all;
        for (std::size_t i = 0; i < m_files.size(); ++i)
            all.push_back(i);
        return split(all, 0);
    }

    /// The folder that contains exactly these files of the plan (apart from cards and configurations); empty
    /// if there is none.
    fs::path folderOf(const Files& run) const
    {
        const std::set<std::size_t> own(run.begin(), run.end());
        fs::path common = fs::path(m_files[run.front()].file.path).parent_path();
        for (const std::size_t file : run) {
            while (!isBelow(m_files[file].file.path, common))
                common = common.parent_path();
        }
        for (std::size_t i = 0; i < m_files.size(); ++i) {
            if (!own.contains(i) && !describesTheWorkload(m_files[i])
                && isBelow(m_files[i].file.path, common))
                return {};
        }
        // profile_traces/ alone does not name a run: its parent does, if it contains nothing else.
        while (common != m_root && isPartOfARun(common.filename().string())
               && holdsOnly(own, common.parent_path()))
            common = common.parent_path();
        return common;
    }

private:
    static bool isBelow(const fs::path& path, const fs::path& folder)
    {
        const auto [inFolder, inPath] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
        return inFolder == folder.end();
    }

    bool holdsOnly(const std::set<std::size_t>& own, const fs::path& folder) const
    {
        for (std::size_t i = 0; i < m_files.size(); ++i) {
            if (!own.contains(i) && !describesTheWorkload(m_files[i])
                && isBelow(m_files[i].file.path, folder))
                return false;
        }
        return true;
    }

    std::vector<std::string> foldersOf(const std::string& path) const
    {
        std::vector<std::string> folders;
        const fs::path below = fs::path(path).lexically_normal().lexically_relative(m_root).parent_path();
        for (const fs::path& part : below) {
            if (!isPartOfARun(part.string()))
                folders.push_back(part.string());
        }
        return folders;
    }

    /// Splits files that share their first `depth` folders into runs.
    std::vector<Files> split(const Files& files, std::size_t depth)
    {
        std::map<std::string, Files> children;
        Files own;
        for (const std::size_t file : files) {
            if (m_folders[file].size() > depth)
                children[m_folders[file][depth]].push_back(file);
            else
                own.push_back(file);
        }
        if (children.empty())
            return splitByTime(own);
        std::vector<Files> runs;
        bool several = false;
        for (const auto& [name, below] : children) {
            std::vector<Files> inside = split(below, depth + 1);
            several |= inside.size() > 1;
            runs.insert(runs.end(), std::make_move_iterator(inside.begin()),
                        std::make_move_iterator(inside.end()));
        }
        const std::size_t below = runs.size();
        std::vector<Files> ownRuns = splitByTime(own);
        std::erase_if(ownRuns, [&](const Files& run) { return !isOfRanks(run); });
        several |= ownRuns.size() > 1;
        runs.insert(runs.end(), ownRuns.begin(), ownRuns.end());
        if (several || anyCollide(runs, below)) {
            std::erase_if(runs, [&](const Files& run) { return !isReadable(run); });
            return runs;
        }
        return {files};
    }

    /// Whether the files include one of a rank, and not just a log or card next to the folders of runs.
    bool isOfRanks(const Files& run) const
    {
        return std::any_of(run.begin(), run.end(), [&](std::size_t file) {
            return m_counts[file] || sourceTraits(kindOf(m_files[file])).accompaniesRanks;
        });
    }

    bool isReadable(const Files& run) const
    {
        return std::any_of(run.begin(), run.end(),
                           [&](std::size_t file) { return !describesTheWorkload(m_files[file]); });
    }

    /// Whether two of the groups contain files that cannot be of one run. Each file is compared only with the
    /// first file of its slot, so the time is linear in files. Groups from `firstOwn` on are the folder's own
    /// files: copies of subfolders' files among them are not another run.
    bool anyCollide(const std::vector<Files>& groups, std::size_t firstOwn) const
    {
        using Slot = std::tuple<SourceKind, std::optional<std::int32_t>, std::int64_t>;
        std::map<Slot, std::pair<std::size_t, std::size_t>> first; // group, file
        for (std::size_t g = 0; g < groups.size(); ++g) {
            for (const std::size_t file : groups[g]) {
                if (!m_counts[file])
                    continue;
                const PlannedFile& planned = m_files[file];
                const auto [known, isNew] = first.try_emplace(
                    {kindOf(planned), rankSaid(planned), planned.file.iteration}, std::pair(g, file));
                if (isNew || known->second.first == g)
                    continue;
                const PlannedFile& other = m_files[known->second.second];
                const bool isCopy = g >= firstOwn && areCopies(other, planned);
                if (!isCopy && collide(other, planned))
                    return true;
            }
        }
        return false;
    }

    /// Splits the files of one folder into several runs if their processes were recorded far apart and the
    /// same rank (or an unknown one) occurs again.
    std::vector<Files> splitByTime(const Files& files) const
    {
        Files counted;
        bool allTimed = true;
        for (const std::size_t file : files) {
            if (!m_counts[file])
                continue;
            counted.push_back(file);
            allTimed &= m_files[file].facts.anyTime().has_value();
        }
        std::vector<TraceProcess> processes = traceProcesses(m_files, counted);
        if (!allTimed || processes.size() < 2)
            return {files};
        std::stable_sort(processes.begin(), processes.end(),
                         [](const TraceProcess& a, const TraceProcess& b) { return a.beginNs < b.beginNs; });
        std::vector<std::vector<const TraceProcess*>> clusters;
        std::int64_t endNs = INT64_MIN;
        std::set<std::string> hosts;
        for (const TraceProcess& process : processes) {
            const bool sameHost = !process.host.empty() && hosts.contains(process.host);
            const std::int64_t limit = sameHost ? apartOnAHost : apartOnHosts;
            if (clusters.empty() || process.beginNs - endNs > limit) {
                clusters.emplace_back();
                endNs = INT64_MIN;
                hosts.clear();
            }
            clusters.back().push_back(&process);
            endNs = std::max(endNs, process.endNs);
            hosts.insert(process.host);
        }
        using Place = std::pair<std::optional<std::int32_t>, std::int64_t>; // rank, and iteration of a folder
        std::map<Place, std::size_t> clusterOf;
        bool comesAgain = false;
        for (std::size_t c = 0; c < clusters.size(); ++c) {
            for (const TraceProcess* process : clusters[c])
                comesAgain
                    |= clusterOf
                           .try_emplace({process->rank, m_files[process->files.front()].file.iteration}, c)
                           .first->second
                    != c;
        }
        if (!comesAgain)
            return {files};
        std::vector<Files> runs;
        for (const auto& cluster : clusters) {
            Files& run = runs.emplace_back();
            for (const TraceProcess* process : cluster)
                run.insert(run.end(), process->files.begin(), process->files.end());
        }
        return runs;
    }

    const std::vector<PlannedFile>& m_files;
    fs::path m_root;
    std::vector<std::vector<std::string>> m_folders; ///< of each file, without those that name part of a run
    std::vector<bool> m_counts; ///< whether the file decides how runs are split
};

std::int64_t changedNs(const std::string& path)
{
    struct stat info = {};
    return ::stat(path.c_str(), &info) == 0 ? info.st_mtim.tv_sec * second + info.st_mtim.tv_nsec : 0;
}

/// The process ("host_4242") that wrote all files; otherwise the first file's name, with the number of
/// others.
std::string nameOfFiles(const std::vector<PlannedFile>& files, const Files& run)
{
    const std::string process = files[run.front()].facts.process;
    const bool isOneProcess = !process.empty() && std::all_of(run.begin(), run.end(), [&](std::size_t file) {
        return files[file].facts.process == process;
    });
    if (isOneProcess)
        return process;
    const std::string first = fs::path(files[run.front()].file.path).filename().string();
    return run.size() == 1 ? first : first + " and " + std::to_string(run.size() - 1) + " more";
}

FoundRun describe(const std::string& folder, const std::vector<PlannedFile>& files, const Files& run,
                  const fs::path& ownFolder)
{
    FoundRun found;
    std::set<std::int32_t> ranks;
    std::size_t timelines = 0;
    for (const std::size_t i : run) {
        const PlannedFile& planned = files[i];
        found.bytes += planned.file.bytes;
        found.changedNs = std::max(found.changedNs, changedNs(planned.file.path));
        if (const auto time = planned.facts.anyTime())
            found.beginNs = std::min(found.beginNs.value_or(*time), *time);
        if (ownFolder.empty())
            found.paths.push_back(planned.file.path);
        if (isTimeline(planned))
            ++timelines;
        if (const auto rank = rankSaid(planned); rank && kindOf(planned) != SourceKind::Nvf1)
            ranks.insert(*rank);
    }
    found.traces = timelines > 0 ? timelines : run.size();
    found.ranks.assign(ranks.begin(), ranks.end());
    if (ownFolder.empty()) {
        found.name = nameOfFiles(files, run);
        const fs::path below = fs::path(found.paths.front())
                                   .parent_path()
                                   .lexically_relative(fs::path(folder).lexically_normal());
        if (!below.empty() && below != ".")
            found.name = (below / found.name).string();
    } else {
        found.paths = {ownFolder.string()};
        const fs::path below = ownFolder.lexically_relative(fs::path(folder).lexically_normal());
        found.name = below.empty() || below == "." ? ownFolder.filename().string() : below.string();
    }
    return found;
}

} // namespace

std::vector<FoundRun> findRuns(const std::string& folder, const std::vector<PlannedFile>& files)
{
    RunSplit split(folder, files);
    const std::vector<Files> runs = split.runs();
    std::vector<FoundRun> found;
    if (runs.size() < 2)
        return found;
    std::map<std::string, std::size_t> uses;
    for (const Files& run : runs) {
        found.push_back(describe(folder, files, run, split.folderOf(run)));
        ++uses[found.back().name];
    }
    for (FoundRun& run : found) {
        if (uses[run.name] > 1) // the same worker name occurs in several jobs
            run.name = fs::path(run.paths.front()).filename().string();
    }
    return found;
}

std::string ranksText(const FoundRun& run)
{
    if (run.ranks.empty())
        return run.traces == 1 ? "1 trace" : std::to_string(run.traces) + " traces";
    return rankRangesText(run.ranks);
}

std::string severalRunsText(const std::string& folder, const std::vector<FoundRun>& runs)
{
    constexpr std::size_t most = 50;
    std::string text = printableLine(folder) + " contains " + std::to_string(runs.size())
        + " runs. Choose one of them (or use --merge-paths if they are one run):";
    for (std::size_t i = 0; i < std::min(runs.size(), most); ++i) {
        const FoundRun& run = runs[i];
        text += "\n  " + printableLine(run.name) + ": " + ranksText(run);
        text += run.beginNs ? ", recorded " + wallClockText(*run.beginNs)
                            : ", file modified " + wallClockText(run.changedNs);
        text += ", " + std::to_string(run.bytes) + " bytes";
        if (run.paths.size() > 1)
            text += " (" + std::to_string(run.paths.size()) + " files: pass their names)";
    }
    if (runs.size() > most)
        text += "\n  and " + std::to_string(runs.size() - most) + " more";
    return text;
}

} // namespace collscope
