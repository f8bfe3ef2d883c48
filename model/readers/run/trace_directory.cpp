// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/run/trace_directory.h"

#include "model/containers/run_sort.h"
#include "model/readers/byte_source.h"
#include "model/readers/nsys/nsys_rep.h"
#include "model/readers/run/file_heads.h"
#include "model/readers/run/file_packing.h"
#include "model/readers/run/found_runs.h"
#include "model/readers/run/plan_choices.h"
#include "model/readers/run/reduced_run.h"
#include "model/readers/run/snapshot_files.h"
#include "model/readers/run/trace_processes.h"
#include "model/readers/trace_names.h"
#include "model/stored_bytes.h"
#include "model/text/lower_case.h"
#include "model/text/natural_order.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>

namespace collscope {

namespace fs = std::filesystem;

namespace {

constexpr int maxDepth = 4; // stated in the "too_deep" message
/// Runs in folders of folders may be this deep; at most this many files are examined to find them.
constexpr int maxRunsDepth = 8;
constexpr std::size_t mostFilesOfRuns = 50'000;
constexpr std::array<std::string_view, 7> traceEndings{".json",   ".json.gz",   ".sqlite", ".bin",
                                                       ".pickle", ".xplane.pb", ".pftrace"};

bool worthALook(const std::string& lowerName)
{
    // Any file may be compressed with gzip. The others are only reported as files that have to be unpacked.
    static constexpr std::array<std::string_view, 7> packings{".gz",  ".zip", ".tar", ".tgz",
                                                              ".zst", ".xz",  ".bz2"};
    return isNamedAsInput(lowerName)
        || std::any_of(packings.begin(), packings.end(),
                       [&](std::string_view ending) { return lowerName.ends_with(ending); });
}

struct Candidate
{
    std::string path;
    std::uint64_t bytes = 0;
    bool isLink = false;
    bool asked = false; ///< the user opened this file itself
    std::pair<std::uint64_t, std::uint64_t> inode;
};

class Walker
{
public:
    Walker(Diagnostics& problems, const std::stop_token& stop, int depth = maxDepth)
        : m_problems(problems)
        , m_stop(stop)
        , m_depth(depth)
    { }

    void add(const fs::path& path, bool asked)
    {
        struct stat info = {};
        if (::stat(path.c_str(), &info) != 0) {
            m_problems.add(Severity::Notice, "unreadable", path.string(), 0,
                           "This path cannot be read (possibly a broken link).");
            return;
        }
        if (!S_ISREG(info.st_mode)) {
            m_problems.add(Severity::Notice, "special_file", path.string(), 0,
                           "This is not a file but " + std::string(specialKind(info.st_mode))
                               + "; it was not read.");
            return;
        }
        std::error_code ignored;
        candidates.push_back(
            {path.string(),
             static_cast<std::uint64_t>(info.st_size),
             fs::is_symlink(path, ignored),
             asked,
             {static_cast<std::uint64_t>(info.st_dev), static_cast<std::uint64_t>(info.st_ino)}});
    }

    void walk(const fs::path& folder, int depth)
    {
        struct stat info = {};
        if (::stat(folder.c_str(), &info) != 0 || !m_visited.insert({info.st_dev, info.st_ino}).second)
            return;
        std::error_code error;
        // The iterator's own ++ would throw if a folder vanishes or its disk fails.
        for (fs::directory_iterator entry(folder, error);
             !error && entry != fs::directory_iterator() && !m_stop.stop_requested(); entry.increment(error))
            visit(*entry, depth);
        if (error)
            m_problems.add(Severity::Notice, "unreadable", folder.string(), 0,
                           "This folder cannot be read: " + error.message() + ".");
    }

    std::vector<Candidate> candidates;

private:
    void visit(const fs::directory_entry& entry, int depth)
    {
        const std::string name = entry.path().filename().string();
        std::error_code ignored;
        if (entry.is_directory(ignored)) {
            const bool skipped = name.starts_with('.') || name == "node_modules" || name == "__pycache__";
            const bool isBounded = m_depth > maxDepth; // only runs are searched for
            if (!skipped && depth + 1 < m_depth && (!isBounded || candidates.size() < mostFilesOfRuns))
                walk(entry.path(), depth + 1);
            else if (!skipped)
                m_problems.add(Severity::Info, "too_deep", "", 0,
                               "Traces are searched for up to three folders below the opened one; "
                                   + entry.path().string()
                                   + " is deeper. Open it or a closer folder if the traces are there.");
        } else if (name.starts_with("._")) {
            m_problems.add(Severity::Info, "appledouble", entry.path().string(), 0,
                           "A macOS side file without trace data; it was skipped.");
        } else if (!name.starts_with('.') && worthALook(lowered(name))) {
            add(entry.path(), false);
        }
    }

    Diagnostics& m_problems;
    const std::stop_token& m_stop;
    int m_depth;
    std::set<std::pair<dev_t, ino_t>> m_visited;
};

/// Sorts by name and keeps one entry per file on disk: a link's target, if listed too. False if cancelled.
bool sortAndDeduplicate(std::vector<Candidate>& candidates, const std::stop_token& stop)
{
    const auto before
        = [](const Candidate& a, const Candidate& b) { return naturallyBefore(a.path, b.path); };
    if (!sortUnlessCancelled(candidates.begin(), candidates.end(), before, stop))
        return false;
    std::set<std::pair<std::uint64_t, std::uint64_t>> targets, seen;
    for (const Candidate& candidate : candidates) {
        if (!candidate.isLink)
            targets.insert(candidate.inode);
    }
    std::erase_if(candidates, [&](const Candidate& c) {
        return (c.isLink && targets.contains(c.inode)) || !seen.insert(c.inode).second;
    });
    return true;
}

/// Whether a file is named like a trace, so that its loss matters. Other empty files are common.
bool isNamedAsTrace(const std::string& lowerName)
{
    return std::any_of(traceEndings.begin(), traceEndings.end(),
                       [&](std::string_view ending) { return lowerName.ends_with(ending); });
}

/// Records a file from which nothing can be read, and the rank that lacks data because of it.
void addWreck(const Candidate& candidate, std::string_view code, const std::string& explanation,
              const std::string& why, LoadPlan& plan)
{
    const bool isTrace = isNamedAsTrace(lowered(fs::path(candidate.path).filename().string()));
    plan.problems.add(isTrace ? Severity::DataLoss : Severity::Notice, code, candidate.path, 0, explanation);
    if (isTrace)
        plan.wrecks.push_back({candidate.path, rankFromPath(candidate.path), why});
}

void reportOther(const Candidate& candidate, const std::string& lowerName, LoadPlan& plan)
{
    if (candidate.asked || isNamedAsTrace(lowerName))
        plan.problems.add(Severity::Notice, "not_recognised", candidate.path, 0,
                          "Its content does not match any format that Collscope reads (" + knownFormats()
                              + ").");
}

/// The facts about a file other than a Kineto trace: enough to detect a copy.
TraceFacts copyFacts(std::string_view head)
{
    TraceFacts facts;
    facts.hash = std::hash<std::string_view>()(head);
    return facts;
}

/// Determines by content what a candidate is; files of unknown formats are listed, not errors.
void classify(const Candidate& candidate, LoadPlan& plan)
{
    const std::string name = fs::path(candidate.path).filename().string();
    const std::string lowerName = lowered(name);
    SourceFile file{candidate.path, candidate.bytes, iterationFromPath(candidate.path),
                    rankFromPath(candidate.path)};
    const auto read = headOf(candidate.path, lowerName);
    if (!read) {
        addWreck(candidate, "unreadable", read.error().message, "its file cannot be read", plan);
        return;
    }
    const std::string& head = *read;
    if (looksLikeNsysReport(name, head)) {
        // The loader finds or makes the SQLite export; a sibling that is listed anyway is not read twice.
        plan.files.push_back({file, nullptr, copyFacts(head)});
        return;
    }
    if (head.empty()) {
        if (isLogName(lowerName) && !candidate.asked)
            return; // any program may leave empty logs
        addWreck(candidate, "empty_file", "The file is empty.", "its file is empty", plan);
        return;
    }
    if (head.find_first_not_of('\0') == std::string::npos) {
        addWreck(candidate, "only_zeros",
                 "The file contains only zero bytes"
                     + std::string(head.size() < headBytes ? "" : " where a trace starts")
                     + ": it was never written completely (a full disk, or a machine that went down).",
                 "its file contains only zeros", plan);
        return;
    }
    // Traces inside an archive would be read as one trace of many ranks.
    if (const std::string_view packing = packingOf(head); !packing.empty()) {
        plan.problems.add(
            Severity::Notice, "packed", candidate.path, 0,
            std::string("It is ").append(packing).append(
                lowerName.ends_with(".pickle") || lowerName.ends_with(".pt")
                    ? ", as written by torch.save(): use torch.cuda.memory._dump_snapshot() instead."
                    : ", which cannot be read directly: unpack it (single files may stay .gz)."));
        return;
    }
    if (isUtf16(head)) {
        if (candidate.asked || isNamedAsTrace(lowerName))
            addWreck(candidate, "utf16",
                     "The file is UTF-16 text, as written by PowerShell; traces are UTF-8. Convert it: iconv "
                     "-f UTF-16 -t UTF-8.",
                     "its file is UTF-16", plan);
        return;
    }
    const ReaderDescriptor* const reader = readerFor(name, head);
    if (!reader)
        return reportOther(candidate, lowerName, plan);
    const bool tellsMore = reader->kind == SourceKind::Kineto;
    plan.files.push_back({file, reader, tellsMore ? traceFacts(candidate.path, head) : copyFacts(head)});
}

/// Reads a report once, from the best of the adjacent files: .sqlite, JSON, the report itself. Next to other
/// traces, an .nsys-rep is not needed.
void resolveReports(LoadPlan& plan)
{
    std::set<std::string> databases, exports;
    const auto isJson = [](const PlannedFile& planned) { return planned.reader->id == "nsys_json"; };
    const auto stemOf = [](const PlannedFile& planned) {
        fs::path path(planned.file.path);
        if (path.extension() == ".gz")
            path.replace_extension();
        return path.replace_extension().string();
    };
    for (const PlannedFile& planned : plan.files) {
        if (isKind(planned, SourceKind::Nsys))
            (isJson(planned) ? exports : databases).insert(stemOf(planned));
    }
    std::erase_if(plan.files, [&](const PlannedFile& planned) {
        if (!planned.reader)
            return exports.contains(stemOf(planned)) || databases.contains(stemOf(planned));
        return isKind(planned, SourceKind::Nsys) && isJson(planned) && databases.contains(stemOf(planned));
    });
    const bool hasTraces = std::any_of(plan.files.begin(), plan.files.end(), [](const PlannedFile& planned) {
        return planned.reader && sourceTraits(planned.reader->kind).holdsTimeline;
    });
    for (PlannedFile& planned : plan.files)
        planned.isSpare = hasTraces && planned.reader == nullptr;
}

/// How well a card's name matches; smaller is better.
int cardScore(const std::string& path)
{
    const fs::path file(path);
    const std::string name = lowered(file.filename().string());
    if (name == "workload_card.yaml" || name == "workload_card.yml" || name == "train_config.toml")
        return 0;
    if (file.stem() == file.parent_path().filename())
        return 1;
    return name.starts_with("workload_card") ? 2 : 3;
}

/// Keeps one file of a kind that a run has only once: the explicit choice, or else the best name, then the
/// shallowest path.
void keepOne(LoadPlan& plan, SourceKind kind, const std::string& explicitPath, const char* option)
{
    std::vector<PlannedFile> found;
    for (const PlannedFile& planned : plan.files) {
        if (isKind(planned, kind))
            found.push_back(planned);
    }
    std::erase_if(plan.files, [&](const PlannedFile& planned) { return isKind(planned, kind); });
    if (!explicitPath.empty()) {
        PlannedFile asked;
        asked.file.path = explicitPath;
        asked.reader = &readerOf(kind);
        plan.files.push_back(std::move(asked));
        return;
    }
    if (found.empty())
        return;
    const auto depth
        = [](const PlannedFile& p) { return std::count(p.file.path.begin(), p.file.path.end(), '/'); };
    const auto best = std::min_element(
        found.begin(), found.end(), [&](const PlannedFile& a, const PlannedFile& b) {
            return std::pair(cardScore(a.file.path), depth(a)) < std::pair(cardScore(b.file.path), depth(b));
        });
    if (found.size() > 1)
        plan.problems.add(Severity::Info,
                          kind == SourceKind::WorkloadCard ? "several_cards" : "several_configs", plan.path,
                          0,
                          "Several files describe the workload; " + best->file.path
                              + " is used. Choose another with " + option + ".");
    plan.files.push_back(*best);
}

/// A card or TOML in the two folders above also describes the run, if its own folder has none.
void lookAbove(const fs::path& start, LoadPlan& plan)
{
    fs::path folder = start;
    for (int level = 0; level < 2; ++level) {
        folder = folder.parent_path();
        if (folder.empty() || folder == folder.root_path())
            return;
        for (const SourceKind kind : {SourceKind::WorkloadCard, SourceKind::TorchTitan}) {
            if (std::any_of(plan.files.begin(), plan.files.end(),
                            [&](const PlannedFile& p) { return isKind(p, kind); }))
                continue;
            std::error_code ignored, unreadable;
            for (fs::directory_iterator entry(folder, unreadable);
                 !unreadable && entry != fs::directory_iterator(); entry.increment(unreadable)) {
                const fs::path& path = entry->path();
                const std::string ending = path.extension().string();
                const bool isToml = ending == ".toml";
                if ((!isToml && ending != ".yaml" && ending != ".yml")
                    || isToml != (kind == SourceKind::TorchTitan) || cardScore(path.string()) > 2
                    || !fs::is_regular_file(path, ignored))
                    continue;
                classify({path.string(),
                          static_cast<std::uint64_t>(fs::file_size(path, ignored)),
                          false,
                          false,
                          {}},
                         plan);
            }
        }
    }
}

bool endsWithPath(const std::string& path, const std::string& end)
{
    const bool fits
        = path.size() >= end.size() && path.compare(path.size() - end.size(), end.size(), end) == 0;
    return fits && (path.size() == end.size() || path[path.size() - end.size() - 1] == '/');
}

void applyRanks(LoadPlan& plan, const LoadOptions::Ranks& ranks)
{
    for (PlannedFile& planned : plan.files) {
        for (const auto& [end, rank] : ranks) {
            if (endsWithPath(planned.file.path, end))
                planned.file.chosenRank = planned.file.nameRank = rank;
        }
    }
}

/// False if cancelled.
bool classifyAll(std::vector<Candidate>& candidates, LoadPlan& plan, const std::stop_token& stop)
{
    if (!sortAndDeduplicate(candidates, stop))
        return false;
    for (const Candidate& candidate : candidates) {
        if (stop.stop_requested())
            return false;
        classify(candidate, plan);
    }
    return !stop.stop_requested();
}

/// The runs of a folder that is not one run. If there are several, more may be deeper than a run's files.
std::vector<FoundRun> runsBelow(const LoadPlan& plan, const std::stop_token& stop)
{
    std::vector<FoundRun> runs = findRuns(plan.path, plan.files);
    const auto& problems = plan.problems.entries();
    const bool isCut = std::any_of(problems.begin(), problems.end(),
                                   [](const Diagnostic& problem) { return problem.code == "too_deep"; });
    if (runs.size() < 2 || !isCut)
        return runs;
    LoadPlan deeper;
    Walker walker(deeper.problems, stop, maxRunsDepth);
    walker.walk(plan.path, 0);
    classifyAll(walker.candidates, deeper, stop);
    resolveReports(deeper);
    keepBestForms(deeper);
    return findRuns(plan.path, deeper.files);
}

/// A run whose iteration and ranks were chosen where it lies.
Result<LoadPlan> planCopy(const std::string& folder, LoadOptions options)
{
    options.iteration = {};
    options.maxRanks.reset();
    return planReduced(folder, options);
}

} // namespace

std::string_view traceFormat(const std::string& path)
{
    const std::string name = fs::path(path).filename().string();
    const auto head = headOf(path, lowered(name));
    if (!head || head->empty())
        return {};
    if (looksLikeNsysReport(name, *head))
        return "Nsight Systems report";
    const ReaderDescriptor* const reader = packingOf(*head).empty() ? readerFor(name, *head) : nullptr;
    if (!reader || sourceTraits(reader->kind).describesJob)
        return {};
    // A list without events is read as an empty trace, so it contains nothing to lose; this program's reports
    // contain benchmark figures.
    const auto holds = [&](const char* text) { return head->find(text) != std::string::npos; };
    const bool isEmpty = reader->kind == SourceKind::Kineto && !holds("\"ph\"");
    const bool isReport = reader->kind == SourceKind::Benchmark && holds("\"schema\": \"collscope.");
    return isEmpty || isReport ? std::string_view() : reader->title;
}

Result<LoadPlan> planLoad(const std::vector<std::string>& paths, const LoadOptions& options,
                          const std::stop_token& stop)
{
    if (const auto copy = paths.size() == 1 ? options.copies.find(paths.front()) : options.copies.end();
        copy != options.copies.end())
        return planCopy(copy->second, options);
    if (paths.size() == 1 && isReducedRun(paths.front()))
        return planReduced(paths.front(), options);
    LoadPlan plan;
    plan.path = paths.empty() ? std::string() : paths.front();
    plan.paths = paths;
    plan.kernelRules = options.kernelRules;
    plan.given = options.given;
    Walker walker(plan.problems, stop);
    for (const std::string& path : paths) {
        std::error_code error;
        if (!fs::exists(path, error))
            return Error{Error::Kind::NotFound, "The file or folder " + path + " does not exist.", path};
        const bool isFolder = fs::is_directory(path, error);
        plan.isFolder = isFolder && (plan.isFolder || &path == &paths.front());
        if (isFolder)
            walker.walk(path, 0);
        else
            walker.add(path, true);
    }
    const Error cancelledError{Error::Kind::Cancelled, "The search for traces was cancelled.", plan.path};
    if (!classifyAll(walker.candidates, plan, stop))
        return cancelledError;
    resolveReports(plan);
    keepBestForms(plan);
    if (!plan.files.empty()) {
        std::error_code error;
        const fs::path start = fs::absolute(plan.path, error).lexically_normal();
        lookAbove(fs::is_directory(start, error) && start.has_filename() ? start : start.parent_path(), plan);
    }
    applyRanks(plan, options.ranks);
    if (plan.isFolder && paths.size() == 1 && !options.asOneRun)
        plan.runs = runsBelow(plan, stop);
    if (stop.stop_requested())
        return cancelledError;
    if (plan.runs.empty())
        numberCycles(plan);
    if (const Status chosen = chooseIteration(plan, options.iteration); !chosen)
        return chosen.error();
    findSnapshotsBeside(plan);
    chooseSnapshots(plan, options.iteration);
    applyRanks(plan, options.ranks); // for the snapshots, too
    limitRanks(plan, options.maxRanks);
    preferDatabases(plan);
    keepOne(plan, SourceKind::WorkloadCard, options.cardPath, "--card");
    keepOne(plan, SourceKind::TorchTitan, options.configPath, "--config");
    return plan;
}

} // namespace collscope
