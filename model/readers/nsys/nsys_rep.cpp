// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/nsys/nsys_rep.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <system_error>
#include <vector>

namespace collscope {

namespace {

namespace fs = std::filesystem;

std::optional<std::string> programOnPath(std::string_view name)
{
    const char* const path
        = std::getenv("PATH"); // NOLINT(concurrency-mt-unsafe): nothing here changes the environment
    std::string_view rest = path ? path : "";
    while (!rest.empty()) {
        const std::size_t colon = std::min(rest.find(':'), rest.size());
        const fs::path candidate = fs::path(rest.substr(0, colon)) / name;
        std::error_code ignored;
        // An entry like "." would run a program from the folder of a trace.
        if (candidate.is_absolute() && fs::is_regular_file(candidate, ignored)
            && access(candidate.c_str(), X_OK) == 0)
            return candidate.string();
        rest.remove_prefix(std::min(colon + 1, rest.size()));
    }
    return std::nullopt;
}

/// Runs a program without a shell and without output. Returns its exit status, or -1 if it could not be
/// started or was killed because reading must stop.
int run(std::vector<std::string> arguments, const ReadContext& context)
{
    std::vector<char*> argv;
    argv.reserve(arguments.size() + 1);
    for (std::string& argument : arguments)
        argv.push_back(argument.data());
    argv.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return -1;
    // stdout is reserved for the results of --batch, so nsys must not write to it.
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = -1;
    const int failed = posix_spawn(&child, argv.front(), &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0)
        return -1;
    int status = 0;
    for (;;) {
        const pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child)
            break;
        if (ended < 0 && errno != EINTR)
            return -1;
        if (context.mustStop())
            kill(child, SIGKILL); // reaped by the next waitpid
        const timespec pause{0, 20'000'000};
        nanosleep(&pause, nullptr);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string exportCommand(const std::string& path)
{
    return "`nsys export --type sqlite --include-blobs=true \"" + path + "\"`";
}

/// A name that changes with the report, so that a cached export is never stale.
std::string cacheName(const fs::path& report)
{
    std::error_code ignored;
    const auto bytes = fs::file_size(report, ignored);
    const auto changed = fs::last_write_time(report, ignored).time_since_epoch().count();
    const std::string identity = fs::absolute(report, ignored).string() + '|' + std::to_string(bytes) + '|'
        + std::to_string(changed) + "|with blobs";
    constexpr std::size_t longestStem = 100; // a stem of 255 bytes would leave no room for the number
    return report.stem().string().substr(0, longestStem) + '-'
        + std::to_string(std::hash<std::string>()(identity)) + ".sqlite";
}

} // namespace

bool looksLikeNsysReport(std::string_view fileName, std::string_view head)
{
    return head.starts_with("NVIDIA Tegra Profiler Report") || fileName.ends_with(".nsys-rep")
        || fileName.ends_with(".qdrep");
}

std::optional<std::string> existingExport(const std::string& path, const std::string& cacheFolder)
{
    std::error_code ignored;
    const fs::path sibling = fs::path(path).replace_extension(".sqlite");
    if (fs::is_regular_file(sibling, ignored))
        return sibling.string();
    const fs::path cached = fs::path(cacheFolder) / cacheName(path);
    return !cacheFolder.empty() && fs::is_regular_file(cached, ignored) ? std::optional(cached.string())
                                                                        : std::nullopt;
}

bool isNsysInstalled()
{
    return programOnPath("nsys").has_value();
}

Result<std::string> sqliteForNsysReport(const std::string& path, const ReadContext& context)
{
    const std::string& cacheFolder = context.cacheFolder;
    const bool mayExport = context.exportsReports;
    if (auto existing = existingExport(path, cacheFolder))
        return std::move(*existing);
    const std::optional<std::string> nsys = programOnPath("nsys");
    if (!mayExport || !nsys || cacheFolder.empty())
        return Error{Error::Kind::NotFound,
                     "An .nsys-rep file can be read only after nsys has exported it; run "
                         + exportCommand(path)
                         + " where Nsight Systems is installed and open the .sqlite file"
                         + (mayExport ? "." : ", or let Collscope run it (--export-nsys)."),
                     path, 0};
    std::error_code ignored;
    const fs::path exported = fs::path(cacheFolder) / cacheName(path);
    fs::create_directories(cacheFolder, ignored);
    // The final name appears only when the export is complete: an interrupted export must not be treated as a
    // trace.
    const fs::path unfinished = exported.string() + "." + std::to_string(getpid()) + ".part";
    // Absolute, so that a name that starts with '-' is not treated as an option.
    std::vector<std::string> command{*nsys,
                                     "export",
                                     "--type",
                                     "sqlite",
                                     "--output",
                                     unfinished.string(),
                                     "--force-overwrite=false",
                                     "--include-blobs=true",
                                     fs::absolute(path, ignored).string()};
    int status = run(command, context);
    if (status != 0 && !context.mustStop()) {
        // An nsys without --include-blobs; its export lacks NCCL's payloads.
        fs::remove(unfinished, ignored);
        std::erase(command, "--include-blobs=true");
        status = run(command, context);
    }
    std::error_code renamed;
    if (status == 0)
        fs::rename(unfinished, exported, renamed);
    if (status == 0 && !renamed)
        return exported.string();
    fs::remove(unfinished, ignored);
    if (context.mustStop())
        return Error{Error::Kind::Cancelled, "Loading was cancelled.", path, 0};
    return Error{Error::Kind::Io,
                 "nsys could not export the report (exit status " + std::to_string(status) + "); run "
                     + exportCommand(path) + " to see why.",
                 path, 0};
}

} // namespace collscope
