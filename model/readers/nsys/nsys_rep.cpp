// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/nsys/nsys_rep.h"

#include "model/readers/started_program.h"

#include <unistd.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <system_error>
#include <vector>

namespace collscope {

namespace {

namespace fs = std::filesystem;

/// Runs nsys. Returns its exit code, or -1 if it could not be started or was killed because reading must
/// stop.
int run(const std::vector<std::string>& arguments, const ReadContext& context)
{
    const auto end = runProgram({arguments}, [&context] { return context.mustStop(); });
    return end ? end->exitCode : -1;
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
