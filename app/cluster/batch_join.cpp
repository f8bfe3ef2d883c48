// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The command merge --partial: joins the parts of many tasks into one file.

#include "app/cli/command_interrupts.h"
#include "app/cluster/part_folder.h"
#include "app/commands/batch_run.h"
#include "app/files/batch_io.h"
#include "app/files/whole_file.h"
#include "model/readers/run/delivered_parts.h"

#include <algorithm>
#include <filesystem>

namespace collscope {

namespace {

class JoinCommand : public BatchCommand
{
public:
    std::vector<std::string> folders;
    std::string output;
    std::optional<std::uint32_t> first, last; ///< tasks
    bool allowMissing = false;

    void declare() override;

protected:
    int execute() const override;

private:
    /// The sections that can be joined. Damaged ones are removed from `delivered`, and reported. Where a stop
    /// is requested, it ends early.
    static std::vector<PackedSection> soundSections(DeliveredParts& delivered, const ReducePlan& plan,
                                                    Diagnostics& problems);
    /// An error, with a sentence that names the file, if the joined part would replace one of the inputs.
    Status checkTarget(const std::string& path) const;
    /// Reads the plans of all folders, which must be the same.
    Result<PlanText> readPlans() const;
};

void JoinCommand::declare()
{
    options
        .texts("DIR", folders, OptionSpec::Takes::Many, "",
               "Folders of parts of one plan: single ones, joined ones, or both")
        .isRequired
        = true;
    options.custom("--tasks", "A-B", "Only the parts of these tasks, e.g. 0-99 or 5; by default of all tasks",
                   [this](const std::string& text) -> Status {
                       const std::size_t dash = text.find('-');
                       const bool isOne = dash == std::string::npos;
                       first = numberOf<std::uint32_t>(std::string_view(text).substr(0, dash));
                       last
                           = isOne ? first : numberOf<std::uint32_t>(std::string_view(text).substr(dash + 1));
                       if (!first || !last || *last < *first)
                           return usageError("--tasks takes tasks such as 0-99 or 5, not " + text + ".");
                       return {};
                   });
    options.flag("--allow-missing", allowMissing, "Join what there is even if parts or ranks are missing");
    options
        .output("-o,--output", output, OptionSpec::Place::OutputFolder, "DIR",
                "Folder for the joined part and a copy of the plan; may be the same for all blocks of tasks")
        .isRequired
        = true;
}

Result<PlanText> JoinCommand::readPlans() const
{
    auto plan = readPlan(pathIn(folders.front(), std::string(planName)));
    for (std::size_t i = 1; plan && i < folders.size(); ++i) {
        const auto other = readPlan(pathIn(folders[i], std::string(planName)));
        if (!other)
            return other.error();
        if (other->text != plan->text)
            return Error{Error::Kind::Usage, folders[i] + " has another plan than " + folders.front() + ".",
                         folders[i]};
    }
    return plan;
}

Status JoinCommand::checkTarget(const std::string& path) const
{
    const std::vector<std::string> inputs = partsIn(folders);
    std::error_code error;
    const auto input = std::find_if(inputs.begin(), inputs.end(), [&](const std::string& part) {
        return std::filesystem::equivalent(part, path, error);
    });
    if (input == inputs.end())
        return {};
    return Error{Error::Kind::Io,
                 "cannot write " + path + ": it would replace " + *input
                     + ", which is one of the parts to be joined. Give another folder for the output.",
                 path};
}

std::vector<PackedSection> JoinCommand::soundSections(DeliveredParts& delivered, const ReducePlan& plan,
                                                      Diagnostics& problems)
{
    std::vector<PackedSection> sound;
    std::vector<std::uint32_t> damaged;
    for (const auto& [file, place] : delivered.sections()) {
        if (interruptToken().stop_requested())
            break;
        if (place.failure.empty() && !isSectionSound(place)) {
            problems.add(Severity::DataLoss, "damaged_section", place.file->path(), place.offset,
                         "What it contains of " + plan.files[file].path + " is damaged.");
            damaged.push_back(file);
        } else {
            sound.push_back({file, {}, place});
        }
    }
    for (const std::uint32_t file : damaged)
        delivered.sections().erase(file);
    return sound;
}

int JoinCommand::execute() const
{
    const auto read = readPlans();
    if (!read)
        return sayNotLoaded(read.error());
    const auto& [text, plan] = *read;
    const TaskRange range{first.value_or(0), last.value_or(plan.tasks - 1)};
    if (const Status known = checkTask(plan, range.last); !known)
        return sayNotLoaded(known.error());
    const std::uint64_t hash = planHash(text);
    const std::string path = pathIn(output, joinedPartName(range.first, range.last, hash));
    if (const Status target = checkTarget(path); !target) {
        say(target.error().message);
        return NotWritten;
    }
    const Error cancelled{Error::Kind::Cancelled, "Joining was cancelled."};
    Diagnostics problems;
    DeliveredParts delivered(folders, plan, hash, problems, range);
    std::vector<PackedSection> sections = soundSections(delivered, plan, problems);
    if (interruptToken().stop_requested())
        return sayNotLoaded(cancelled);
    bool isMissing = delivered.reportMissing(problems);
    sayProblems(problems, false);
    for (const PackedSection& section : sections) {
        if (section.place.failure.empty())
            continue;
        say(plan.files[section.file].path + ": " + section.place.failure);
        isMissing = true;
    }
    const auto hasFile = [](const PackedSection& section) { return section.place.failure.empty(); };
    if (std::none_of(sections.begin(), sections.end(), hasFile)) {
        say("Nothing of these tasks can be joined.");
        return NothingReadable;
    }
    if (isMissing && !allowMissing) {
        say("Nothing was joined. --allow-missing joins what there is.");
        return NotAvailable;
    }
    if (!settlePlan(output, text))
        return NotWritten;
    WholeFile part(path);
    Status written
        = writePart(hash, delivered.tasks(), std::move(sections), [&](std::string_view piece) -> Status {
              if (interruptToken().stop_requested())
                  return cancelled;
              return part.write(piece) ? Status() : part.status();
          });
    if (!written && written.error().kind == Error::Kind::Cancelled)
        return sayNotLoaded(written.error());
    if (written)
        written = part.commit();
    if (!written)
        say(written.error().message);
    return written ? Done : NotWritten;
}

} // namespace

std::unique_ptr<ProgramCommand> joinCommand()
{
    return std::make_unique<JoinCommand>();
}

} // namespace collscope
