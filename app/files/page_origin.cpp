// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/files/page_origin.h"

#include "app/files/file_digest.h"
#include "app/files/version.h"

#include <map>

namespace collscope {

PageOrigin originOf(std::vector<std::string> command)
{
    const std::string version = versionText();
    return {version.substr(0, version.find('\n')), std::move(command), {}, {}};
}

PageOrigin originOf(const TraceModel& model, std::vector<std::string> command, const Parallel& parallel,
                    const std::function<bool()>& cancelled)
{
    PageOrigin origin = originOf(std::move(command));
    std::map<std::string, std::uint64_t> sizes; // by path
    for (const SourceInfo& source : model.sources) {
        if (!source.isReduced) // what was read is a part, and not the file
            sizes.emplace(source.path, source.bytes);
    }
    const std::vector<std::pair<std::string, std::uint64_t>> files(sizes.begin(), sizes.end());
    std::vector<std::string> digests(files.size());
    parallel.forEach(files.size(), [&](std::size_t i) {
        // A file that has another size by now is not what was read.
        if (auto digest = sha256Of(files[i].first, files[i].second, cancelled))
            digests[i] = std::move(*digest);
    });
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (!digests[i].empty())
            origin.digests[files[i].first] = std::move(digests[i]);
    }
    return origin;
}

std::vector<std::string> pageCommandOf(const ShownRun& run, const std::string& file)
{
    std::vector<std::string> words{"collscope", "--batch", "page"};
    const auto add = [&](const char* option, const std::string& value) {
        if (!value.empty())
            words.insert(words.end(), {option, value});
    };
    const auto addNumber = [&](const char* option, const auto& number) {
        add(option, number ? std::to_string(*number) : std::string());
    };
    words.insert(words.end(), run.paths.begin(), run.paths.end());
    // A window shows one run; the command would compare several folders.
    if (run.load.asOneRun || run.paths.size() > 1)
        words.emplace_back("--merge-paths");
    if (run.load.iteration.mode == IterationChoice::Mode::All)
        add("--iteration", "all");
    if (run.load.iteration.mode == IterationChoice::Mode::One)
        add("--iteration", std::to_string(run.load.iteration.number));
    addNumber("--max-ranks", run.load.maxRanks);
    add("--card", run.load.cardPath);
    add("--config", run.load.configPath);
    add("--name", run.load.given.name);
    addNumber("--model-params", run.load.given.params);
    const Parallelism& parallelism = run.load.given.parallelism;
    addNumber("--dp", parallelism.dpShard);
    addNumber("--tp", parallelism.tp);
    addNumber("--pp", parallelism.pp);
    addNumber("--ep", parallelism.ep);
    for (const std::string& definitions : run.definitionFiles)
        add("--define", definitions);
    if (run.clocks != ClockChoice::Auto)
        add("--clocks", run.clocks == ClockChoice::Raw ? "raw" : "aligned");
    add("-o", file);
    return words;
}

} // namespace collscope
