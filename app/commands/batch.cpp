// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/commands/batch.h"

#include "app/cli/command_interrupts.h"
#include "app/commands/window_program.h"
#include "app/files/batch_io.h"
#include "app/files/protected_files.h"
#include "app/runtime/confinement.h"
#include "app/runtime/environment.h"
#include "model/stored_bytes.h"

#include <new>

namespace collscope {

namespace {

using Place = OptionSpec::Place;

/// Returns the paths that the options name, except "" and "-".
template<typename Filter>
std::vector<std::string> pathsOf(const CommandOptions& options, Filter isWanted)
{
    std::vector<std::string> paths;
    for (const OptionSpec& spec : options.all()) {
        if (spec.place == Place::None)
            continue;
        for (std::string& path : spec.paths()) {
            const bool isNamed = !path.empty() && path != "-";
            if (isNamed && isWanted(spec.place, path))
                paths.push_back(std::move(path));
        }
    }
    return paths;
}

bool isInput(Place place, const std::string&)
{
    return place == Place::Input;
}

bool isOutput(Place place, const std::string&)
{
    return place != Place::Input;
}

bool isOutputFile(Place place, const std::string& path)
{
    return place == Place::OutputFile || (place == Place::Picture && isPng(path));
}

/// Checks, before hours are spent on a run, that no output would replace an input or a trace. Returns false
/// with the reason on stderr otherwise. Each file is checked again when it is written.
bool canWriteOutputs(const CommandOptions& options)
{
    for (const std::string& path : pathsOf(options, isOutputFile)) {
        if (const Status replaceable = checkReplaceable(path); !replaceable) {
            say(replaceable.error().message);
            return false;
        }
    }
    return true;
}

/// Whether COLLSCOPE_CONFINE=off: needed by sanitizers, which start a process at exit, and by tools that the
/// user loads into the program.
bool isConfinementOff()
{
    return environmentVariable("COLLSCOPE_CONFINE") == "off";
}

/// Drops the privileges that the command does not need, before a trace is opened.
void confineTo(const CommandOptions& options, bool isVerbose)
{
    const std::vector<std::string> outputs = pathsOf(options, isOutput);
    const std::vector<std::filesystem::path> places(outputs.begin(), outputs.end());
    const Confinement result = confine(places);
    if (isVerbose && !result.status)
        say(result.status.error().message);
}

int sayNoMemory()
{
    say("Not enough memory for this run: load fewer ranks (--max-ranks) or use more machines (--batch "
        "plan).");
    return NothingReadable;
}

} // namespace

int BatchCommand::run() const
{
    if (paints())
        window->startDrawing();
    watchInterrupts();
    try {
        // The files of the run itself are not known yet.
        for (const std::string& path : pathsOf(options, isInput))
            protectInput(path);
        if (!canWriteOutputs(options))
            return NotWritten;
        if (!startsPrograms() && !isConfinementOff())
            confineTo(options, isVerbose());
    } catch (const std::bad_alloc&) {
        return sayNoMemory();
    }
    return runInside();
}

int BatchCommand::runInside() const
{
    // Readers skip files that do not fit into memory; this handles the data derived from the others.
    try {
        return execute();
    } catch (const std::bad_alloc&) {
        return sayNoMemory();
    } catch (const LostBytes& lost) {
        say(std::string(lost.what()) + ".");
        return NothingReadable;
    }
}

} // namespace collscope
