// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/hang/python_stacks.h"

#include "model/readers/hang/witness_text.h"
#include "model/text/printable_text.h"

#include <algorithm>
#include <limits>

namespace collscope {

namespace {

constexpr std::size_t npos = std::string_view::npos;

/// "Process 1234: python train.py"
bool isProcessLine(std::string_view line)
{
    constexpr std::string_view front = "Process ";
    if (!line.starts_with(front))
        return false;
    const auto [pid, rest] = witnessNumber(line.substr(front.size()));
    return pid && *pid >= 0 && rest.starts_with(':');
}

/// "Thread 0x7F12AB (active+gil): \"MainThread\"", or without a name. Threads of gdb and of Python's
/// faulthandler have other words in the brackets.
std::optional<PythonStacks::Thread> threadOf(std::string_view line)
{
    constexpr std::string_view front = "Thread ";
    if (!line.starts_with(front))
        return std::nullopt;
    line.remove_prefix(front.size());
    const std::size_t open = line.find(" (");
    const std::size_t close = open == npos ? npos : line.find(')', open);
    if (close == npos || line.find(' ') != open)
        return std::nullopt;
    const std::string_view state = line.substr(open + 2, close - open - 2);
    if (state.empty() || state.find_first_not_of("abcdefghijklmnopqrstuvwxyz+") != npos)
        return std::nullopt;
    PythonStacks::Thread thread;
    thread.state = witnessText(state);
    constexpr std::string_view quote = ": \"";
    std::string_view name = line.substr(close + 1);
    if (name.starts_with(quote)) {
        name.remove_prefix(quote.size());
        thread.name = witnessText(name.ends_with('"') ? name.substr(0, name.size() - 1) : name);
    }
    return thread;
}

/// "    all_reduce (torch/distributed/distributed_c10d.py:2501)" or "    0x7f12ab (libnccl.so.2)". Local
/// variables are indented further. Names of C++ functions have brackets, too.
std::optional<PythonStacks::Frame> frameOf(std::string_view line)
{
    constexpr std::string_view indent = "    ";
    constexpr std::string_view bracket = " (";
    if (!line.starts_with(indent) || !line.ends_with(')') || line[indent.size()] == ' ')
        return std::nullopt;
    line = line.substr(indent.size(), line.size() - indent.size() - 1);
    const std::size_t open = line.rfind(bracket);
    if (open == npos || open == 0)
        return std::nullopt;
    std::string_view place = line.substr(open + bracket.size());
    PythonStacks::Frame frame;
    frame.function = witnessText(line.substr(0, open));
    if (const std::size_t colon = place.rfind(':'); colon != npos) {
        const auto [number, rest] = witnessNumber(place.substr(colon + 1));
        const bool isLine = rest.empty() && number && *number >= 0;
        if (isLine && *number <= std::numeric_limits<std::int32_t>::max())
            frame.line = static_cast<std::int32_t>(*number);
        if (isLine)
            place = place.substr(0, colon);
    }
    frame.file = witnessText(place);
    return frame;
}

std::string_view withoutLineEnd(std::string_view line)
{
    return line.substr(0, line.find_last_not_of(" \t\r") + 1);
}

} // namespace

std::optional<PythonStacks> pythonStacksOf(std::string_view text)
{
    constexpr std::size_t mostThreads = 10'000;
    constexpr std::size_t mostFrames = 1'000;
    PythonStacks stacks;
    std::string plain;
    bool isProcess = false;
    bool isThread = false; // frames belong to the last thread that is kept
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = withoutLineEnd(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.find('\x1b') != npos) {
            plain = withoutTerminalColours(line);
            line = plain;
        }
        if (isProcessLine(line)) {
            if (isProcess)
                break; // a child, or a later dump
            isProcess = true;
        } else if (!isProcess) {
            continue;
        } else if (auto thread = threadOf(line)) {
            if (stacks.threads.size() == mostThreads)
                break;
            stacks.threads.push_back(std::move(*thread));
            isThread = true;
        } else if (auto frame = isThread ? frameOf(line) : std::nullopt) {
            if (stacks.threads.back().frames.size() < mostFrames)
                stacks.threads.back().frames.push_back(std::move(*frame));
        }
    }
    return isThread ? std::optional(std::move(stacks)) : std::nullopt;
}

} // namespace collscope
