// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A folder of files with any names and contents: found, planned, loaded. Input: for each file its name, a
// zero byte, its content, a zero byte.

#include "model/readers/run/load_trace.h"
#include "tests/fuzz/budget.h"
#include "tests/fuzz/reader_target.h"
#include "tests/fuzz/temporary_folder.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace collscope {

namespace {

constexpr std::size_t mostFiles = 8;
constexpr std::size_t longestName = 80;

std::span<const std::uint8_t> takeUpToZero(std::span<const std::uint8_t>& rest)
{
    const auto zero = std::find(rest.begin(), rest.end(), std::uint8_t{0});
    const auto length = static_cast<std::size_t>(zero - rest.begin());
    const std::span<const std::uint8_t> taken = rest.first(length);
    rest = rest.subspan(std::min(length + 1, rest.size()));
    return taken;
}

/// Any bytes but those that would lead out of the folder; at most one folder deep.
std::string nameOf(std::span<const std::uint8_t> bytes)
{
    std::string name;
    for (const std::uint8_t byte : bytes.first(std::min(bytes.size(), longestName)))
        name += static_cast<char>(byte);
    const std::size_t slash = name.find('/');
    std::replace(name.begin(), name.end(), '/', '_');
    if (slash != std::string::npos && slash > 0 && slash + 1 < name.size())
        name[slash] = '/';
    return name;
}

void loadFolder(std::span<const std::uint8_t> rest)
{
    static const TemporaryFolder folder;
    folder.clear();
    const std::size_t allBytes = rest.size();
    for (std::size_t i = 0; i < mostFiles && !rest.empty(); ++i) {
        const std::string name = nameOf(takeUpToZero(rest));
        const std::span<const std::uint8_t> content = takeUpToZero(rest);
        if (name.empty() || name.find("..") != std::string::npos)
            continue;
        const std::filesystem::path path = folder.file(name);
        std::error_code ignored;
        std::filesystem::create_directories(path.parent_path(), ignored);
        writeBytes(path.string(), content);
    }
    const Budget budget(allBytes);
    LoadOptions options;
    options.iteration.mode = IterationChoice::Mode::All;
    const auto plan = planLoad({folder.path()}, options);
    const auto model = plan ? loadTrace(*plan, {}) : Result<TraceModelPtr>(plan.error());
    if (!model)
        return;
    for (const SourceInfo& source : (*model)->sources) {
        if (source.eventsInFile != source.shown + source.excluded)
            std::abort();
    }
}

} // namespace

} // namespace collscope

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    collscope::loadFolder({data, size});
    return 0;
}
