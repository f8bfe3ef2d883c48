// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The command send: what runs on the other machine where a run is opened as ssh://HOST/FOLDER. It writes the
// run to standard output as a stream of parts (app/remote/part_stream.h), and nothing on disk.

#include "app/cli/command_interrupts.h"
#include "app/cluster/command_plan.h"
#include "app/commands/batch_run.h"
#include "app/files/batch_io.h"
#include "app/remote/kept_parts.h"
#include "app/remote/part_stream.h"
#include "metrics/summary/summarized_events.h"
#include "model/readers/run/reduced_task.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace collscope {

namespace {

/// A part is sent when it is complete, and stays in memory until then. More parts than this would be many
/// open files where they are merged.
constexpr std::uint32_t mostParts = 500;

/// Collects the sections of files, and sends each part as soon as it is complete.
class PartSender
{
public:
    PartSender(const ReducePlan& plan, std::uint64_t hash)
        : m_hash(hash)
        , m_missing(plan.tasks)
        , m_taskOf(plan.files.size())
        , m_sections(plan.tasks)
    {
        for (std::size_t i = 0; i < plan.files.size(); ++i) {
            m_taskOf[i] = plan.files[i].task;
            ++m_missing[plan.files[i].task];
        }
    }

    /// Any thread.
    Status add(PackedSection section)
    {
        const std::scoped_lock lock(m_mutex);
        const std::uint32_t task = m_taskOf[section.file];
        m_sections[task].push_back(std::move(section));
        if (--m_missing[task] > 0)
            return {};
        std::vector<PackedSection> sections = std::exchange(m_sections[task], {});
        std::sort(sections.begin(), sections.end(),
                  [](const PackedSection& a, const PackedSection& b) { return a.file < b.file; });
        const std::string bytes = partBytes(m_hash, task, std::move(sections));
        if (const Status sent = tryPrint(partHeader(task, bytes.size())); !sent)
            return sent;
        return tryPrint(bytes);
    }

private:
    const std::uint64_t m_hash;
    std::mutex m_mutex;
    std::vector<std::size_t> m_missing; ///< by task: number of files
    std::vector<std::uint32_t> m_taskOf; ///< by file
    std::vector<std::vector<PackedSection>> m_sections; ///< by task
};

class SendCommand : public BatchCommand
{
public:
    PlanInput input;
    std::string prefix;
    std::vector<KeptParts> kept;
    int threads = 0;

    void declare() override;

protected:
    int execute() const override;

private:
    Status send(const ReducePlan& plan) const;
};

void SendCommand::declare()
{
    input.declareRun(options);
    options.text("--as", prefix, "PREFIX", "What the receiver writes before the paths of this machine");
    options
        .custom("--have", "HASH:TASK,...", "Parts of a plan that the receiver has",
                [this](const std::string& text) -> Status {
                    auto parts = parseKeptParts(text);
                    if (!parts)
                        return parts.error();
                    kept.push_back(std::move(*parts));
                    return {};
                })
        .takes
        = OptionSpec::Takes::Each;
    options.flag("--merge-paths", input.load.asOneRun,
                 "Treat a folder that looks like several runs as one run");
    options.number("-j,--threads", threads, 0, 1024, "Number of threads, 0 = one per core");
}

Status SendCommand::send(const ReducePlan& plan) const
{
    ReducePlan named = plan; // as the receiver reads it
    for (ReducePlan::File& file : named.files)
        file.path.insert(0, prefix);
    for (std::string& path : named.paths)
        path.insert(0, prefix);
    for (ReducePlan::Wreck& wreck : named.wrecks)
        wreck.path.insert(0, prefix);
    Diagnostics problems;
    for (Diagnostic problem : named.problems.entries()) {
        if (problem.file.starts_with('/'))
            problem.file.insert(0, prefix);
        problems.merge(problem);
    }
    named.problems = std::move(problems);
    const std::string text = planText(named);
    const std::uint64_t hash = planHash(text);
    if (const Status sent
        = tryPrint(std::string(partStreamMark) + COLLSCOPE_VERSION "\n" + planHeader(text.size()) + text);
        !sent)
        return sent;
    std::set<std::uint32_t> there;
    for (const KeptParts& parts : kept) {
        if (parts.plan == hash)
            there = parts.tasks;
    }
    PartSender parts(plan, hash);
    std::set<std::uint32_t> places;
    const auto sendPlaces = [&]() -> Status {
        TaskFiles files = filesToRead(plan, std::exchange(places, {}));
        for (PlannedFile& planned : files.load.files)
            planned.file.originalPath = prefix + planned.file.path;
        return reduceFiles(files, loadContext(input.load, threads), reductionTo(plan.kept),
                           [&](PackedSection section) { return parts.add(std::move(section)); });
    };
    // The first part is what is shown first: all threads work on it.
    bool isFirst = there.empty();
    for (std::uint32_t task = 0; task < plan.tasks; ++task) {
        if (there.contains(task))
            continue;
        places.merge(placesOfTask(plan, task));
        if (!std::exchange(isFirst, false))
            continue;
        if (const Status sent = sendPlaces(); !sent)
            return sent;
    }
    if (const Status sent = sendPlaces(); !sent)
        return sent;
    return tryPrint(std::string(streamEnd));
}

int SendCommand::execute() const
{
    PlanInput wanted = input;
    wanted.tasks = mostParts;
    wanted.prefersEverything = true; // people look at it: causes need all events of the CPU
    const auto plan = makePlan(wanted);
    if (!plan)
        return sayNotLoaded(plan.error());
    const Status sent = send(*plan);
    if (sent)
        return Done;
    if (sent.error().kind == Error::Kind::Cancelled)
        return sayNotLoaded(sent.error());
    say(sent.error().message);
    return NotWritten;
}

} // namespace

std::unique_ptr<ProgramCommand> sendCommand()
{
    return std::make_unique<SendCommand>();
}

} // namespace collscope
