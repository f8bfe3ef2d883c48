// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/trace_names.h"

#include "model/text/lower_case.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace collscope {

namespace fs = std::filesystem;

namespace {

/// The rank at a position; nullopt for a larger number, which is a time stamp or an id.
std::optional<std::int32_t> numberAt(std::string_view text, std::size_t at)
{
    constexpr std::int32_t most = 999'999;
    std::int32_t value = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
    return error == std::errc() && value >= 0 && value <= most ? std::optional(value) : std::nullopt;
}

/// Finds "rank[_\s-]*(\d+)" anywhere in the (lower-case) text.
std::optional<std::int32_t> rankWord(std::string_view lower)
{
    for (std::size_t at = lower.find("rank"); at != std::string_view::npos; at = lower.find("rank", at + 1)) {
        std::size_t digits = at + 4;
        while (digits < lower.size()
               && (lower[digits] == '_' || lower[digits] == '-' || lower[digits] == ' '))
            ++digits;
        if (digits < lower.size() && isDigit(lower[digits]))
            return numberAt(lower, digits);
    }
    return std::nullopt;
}

/// The rank of TorchTitan's memory snapshots: "<rank>_step_<n>.pickle", with the rank in six digits.
std::optional<std::int32_t> rankBeforeStep(std::string_view lower)
{
    const std::size_t digits = lower.find("_step_");
    const bool fits = lower.ends_with(".pickle") && digits != std::string_view::npos && digits > 0
        && std::all_of(lower.begin(), lower.begin() + static_cast<std::ptrdiff_t>(digits), isDigit);
    return fits ? numberAt(lower, 0) : std::nullopt;
}

/// The name without endings that state only the format.
std::string_view stemOf(std::string_view lower)
{
    for (const std::string_view ending : {".gz", ".json", ".sqlite", ".trace", ".pt"}) {
        if (lower.ends_with(ending))
            lower.remove_suffix(ending.size());
    }
    return lower;
}

} // namespace

std::optional<std::int32_t> rankFromPath(std::string_view path)
{
    const fs::path file(path);
    const std::string name = lowered(file.filename().string());
    if (const auto rank = rankWord(name))
        return rank;
    if (const auto rank = rankBeforeStep(name))
        return rank;
    if (const auto rank = rankWord(lowered(file.parent_path().filename().string())))
        return rank;
    constexpr std::string_view kinetoPrefix = "kineto_trace_";
    if (const std::size_t at = name.find(kinetoPrefix);
        at != std::string::npos && name.size() > at + kinetoPrefix.size()) {
        if (const auto rank = numberAt(name, at + kinetoPrefix.size()))
            return rank;
    }
    // host_4242.1711964646.pt.trace.json ends with a time stamp, bench_1016001.json with an unrelated number:
    // a rank has at most five digits and is a separate word.
    const std::string_view stem = stemOf(name);
    std::size_t digits = stem.size();
    while (digits > 0 && isDigit(stem[digits - 1]))
        --digits;
    const std::size_t count = stem.size() - digits;
    const bool stands = digits > 0 && (stem[digits - 1] == '_' || stem[digits - 1] == '-');
    return count > 0 && count <= 5 && (stands || digits == 0) ? numberAt(stem, digits) : std::nullopt;
}

std::int64_t iterationFromPath(std::string_view path)
{
    std::int64_t iteration = -1;
    for (const fs::path& part : fs::path(path).parent_path()) {
        const std::string name = lowered(part.string());
        constexpr std::string_view prefix = "iteration_";
        constexpr std::string_view step = "step_"; // of memory snapshots, with twelve digits
        constexpr std::size_t stepDigits = 12;
        const bool isStep = name.starts_with(step) && name.size() >= step.size() + stepDigits
            && std::all_of(name.begin() + step.size(), name.begin() + step.size() + stepDigits, isDigit);
        if (name.starts_with(prefix) || isStep) {
            if (const auto number = numberAt(name, isStep ? step.size() : prefix.size()))
                iteration = *number;
        }
    }
    return iteration;
}

} // namespace collscope
