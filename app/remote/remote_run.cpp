// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/remote/remote_run.h"

#include "app/files/batch_io.h"
#include "app/remote/kept_parts.h"
#include "app/remote/part_stream.h"
#include "metrics/core/value.h"
#include "model/readers/started_program.h"
#include "model/text/printable_text.h"
#include "model/text/shell_word.h"

#include <algorithm>
#include <sstream>

namespace collscope {

namespace {

constexpr int sshFailed = 255; ///< its own exit code: ssh(1)

/// The name of the archive of a release that has no window, without its ending. `processor`: as `uname -m`
/// prints it, or that command.
std::string archiveName(const std::string& processor)
{
    return "collscope-batch-" COLLSCOPE_VERSION "-linux-" + processor;
}

/// A path as a word of the shell there; "~/" is the home folder.
std::string programWord(const std::string& path)
{
    return path.starts_with("~/") ? "~/" + shellWord(path.substr(2)) : shellWord(path);
}

/// Looks for the program, and says what machine it is where it is missing. It is the same for all shells that
/// a user may have there, because sh reads it.
std::string remoteScript(const RemoteAddress& address, const std::string& words)
{
    const std::string places = address.program.empty()
        ? "\"$(command -v collscope)\" ~/bin/collscope ~/.local/bin/collscope ~/" + archiveName("$(uname -m)")
            + "/bin/collscope ~/collscope-" COLLSCOPE_VERSION "-linux-$(uname -m)/bin/collscope"
        : programWord(address.program);
    return "sh -c "
        + shellWord("for p in " + places + "; do [ -x \"$p\" ] && exec \"$p\" --batch send" + words
                    + "; done; echo \"" + std::string(missingProgramMark) + "$(uname -sm)\"; exit 127");
}

/// The options of `send` that say what is wanted.
std::string wordsFor(const RemoteAddress& address, const RemoteRequest& request)
{
    std::string words;
    const auto add = [&](const std::string& name, const std::string& value) {
        words += " " + name + " " + shellWord(value);
    };
    add("--as", address.prefix());
    if (!address.keep.empty())
        add("--keep", address.keep);
    else if (request.memory > 0)
        add("--max-memory", std::to_string(request.memory));
    if (request.load.iteration.mode == IterationChoice::Mode::All)
        add("--iteration", "all");
    if (request.load.iteration.mode == IterationChoice::Mode::One)
        add("--iteration", std::to_string(request.load.iteration.number));
    if (request.load.maxRanks)
        add("--max-ranks", std::to_string(*request.load.maxRanks));
    if (request.load.asOneRun)
        words += " --merge-paths";
    for (const std::string& kept : keptPartsOf(request.cacheFolder, address))
        add("--have", kept);
    return words + " -- " + shellWord(address.path);
}

/// What ssh and the program there said, in lines, without what ssh says each time.
std::string wordsOf(const std::string& err)
{
    constexpr std::string_view own = "collscope: ";
    constexpr std::size_t most = 4000;
    std::string text;
    std::istringstream lines(err);
    for (std::string line; std::getline(lines, line) && text.size() < most;) {
        if (line.ends_with('\r'))
            line.pop_back();
        if (line.starts_with("Warning: Permanently added"))
            continue;
        if (line.starts_with(own))
            line.erase(0, own.size());
        if (!line.empty())
            text += (text.empty() ? "" : "\n") + printableText(line);
    }
    return text;
}

/// The lines as one, for a sentence.
std::string oneLine(std::string text)
{
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

/// " -p 2222", or nothing.
std::string portOption(const RemoteAddress& address, const char* name)
{
    return address.port ? " " + std::string(name) + " " + std::to_string(*address.port) : std::string();
}

Error programMissing(const RemoteAddress& address, const std::string& machine)
{
    const std::string processor = machine.substr(machine.rfind(' ') + 1);
    const std::string archive = archiveName(processor) + ".tar.zst";
    return {Error::Kind::NotFound,
            "The program is missing on " + address.host + " (" + machine + "): "
                + (address.program.empty()
                       ? "it is neither on the PATH there nor in ~/bin or ~/" + archiveName(processor) + "."
                       : address.program + " cannot be run there.")
                + " Copy the archive of this version there: scp" + portOption(address, "-P") + " " + archive
                + " " + address.bracketedHost() + ": && ssh" + portOption(address, "-p") + " " + address.host
                + " tar xf " + archive + ". If it is elsewhere, add ?program=PATH to the address."};
}

/// What went wrong, from the stream and from the end of ssh.
Error failureOf(const RemoteAddress& address, const PartReceiver& parts, const ProgramEnd& end)
{
    const std::string there = address.host + ": ";
    if (!parts.machineWithoutProgram().empty())
        return programMissing(address, parts.machineWithoutProgram());
    if (!parts.status())
        return {parts.status().error().kind, there + parts.status().error().message};
    const std::string said = wordsOf(end.err);
    if (end.exitCode == sshFailed && !parts.plan())
        return {Error::Kind::Io,
                there + "ssh cannot connect" + (said.empty() ? std::string(".") : " (" + oneLine(said) + ").")
                    + " Try: ssh" + portOption(address, "-p") + " " + shellWord(address.host)};
    const std::string last = said.substr(said.rfind('\n') + 1); // the program there says other things before
    if (parts.plan())
        return {Error::Kind::Io,
                there + "the connection ended after " + std::to_string(parts.arrived()) + " of "
                    + countText(parts.plan()->tasks, "part") + (last.empty() ? "" : " (" + last + ")")
                    + ". What arrived is kept: open the run again for the rest."};
    const Error::Kind kind = end.exitCode == WrongUsage                   ? Error::Kind::Unsupported
        : end.exitCode == NothingReadable || end.exitCode == NotAvailable ? Error::Kind::NotFound
                                                                          : Error::Kind::Io;
    // A list of runs has a line for each.
    const std::string answer = kind == Error::Kind::Unsupported ? said : oneLine(said);
    return {kind, there + (answer.empty() ? "the program there ended without an answer." : answer)};
}

/// The command line, from the program on.
std::vector<std::string> sshWords(const RemoteAddress& address, const std::string& remoteScript)
{
    std::vector<std::string> words{"ssh", "-T"};
    if (address.port) {
        words.emplace_back("-p");
        words.push_back(std::to_string(*address.port));
    }
    words.emplace_back("--");
    words.push_back(address.host);
    words.push_back(remoteScript);
    return words;
}

Status checkOptions(const LoadOptions& load)
{
    if (!load.cardPath.empty() || !load.configPath.empty())
        return Error{Error::Kind::Usage,
                     "The card and the configuration of a run on another machine are those that lie beside "
                     "it: --card and --config do not apply."};
    return {};
}

} // namespace

Result<std::string> fetchRemoteRun(const RemoteAddress& address, const RemoteRequest& request)
{
    if (const Status allowed = checkOptions(request.load); !allowed)
        return allowed.error();
    const auto ssh = programOnPath("ssh");
    if (!ssh)
        return Error{Error::Kind::NotFound,
                     "ssh is not installed on this machine, so " + address.prefix() + " cannot be opened."};
    if (request.cacheFolder.empty())
        return Error{Error::Kind::Io,
                     "Parts from other machines are kept in the cache folder of the user, "
                     "but neither HOME nor XDG_CACHE_HOME names a folder."};
    std::set<std::uint32_t> before;
    bool isShown = false;
    const auto count = [&](const PartReceiver& arriving) {
        const std::size_t all = arriving.plan()->tasks;
        const std::size_t there = before.size() + arriving.arrived();
        request.progress(there, all);
        if (!isShown && there > 0 && there < all) {
            isShown = true;
            request.firstPart(arriving.folder());
        }
    };
    PartReceiver parts(
        [&](std::uint64_t hash) { return folderForParts(request.cacheFolder, address, hash, before); },
        count);
    ProgramStart start;
    start.arguments = sshWords(address, remoteScript(address, wordsFor(address, request)));
    start.arguments.front() = *ssh;
    start.takeOutput = [&](std::string_view bytes) { return parts.take(bytes); };
    request.progress(0, 0);
    const auto end = runProgram(std::move(start), [&] { return request.stop.stop_requested(); });
    if (!end)
        return end.error();
    if (request.stop.stop_requested())
        return Error{Error::Kind::Cancelled, "Loading was cancelled."};
    if (!parts.isComplete())
        return failureOf(address, parts, *end);
    return parts.folder();
}

Status fetchRemoteRuns(const std::vector<std::string>& paths, const RemoteRequest& request, LoadOptions& load)
{
    for (const std::string& path : paths) {
        if (!isRemote(path) || load.copies.contains(path))
            continue;
        const auto address = parseRemoteAddress(path);
        if (!address)
            return address.error();
        auto folder = fetchRemoteRun(*address, request);
        if (!folder)
            return folder.error();
        load.copies[path] = std::move(*folder);
    }
    return {};
}

} // namespace collscope
