// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/knowledge.h"

#include <algorithm>
#include <cctype>

namespace collscope {

namespace {

/// Lower case, and every run of other characters than letters and digits is one blank; blanks at both ends.
std::string words(std::string_view text)
{
    std::string result = " ";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0)
            result += static_cast<char>(std::tolower(byte));
        else if (result.back() != ' ')
            result += ' ';
    }
    if (result.back() != ' ')
        result += ' ';
    return result;
}

/// True if the word stands in the text on its own: "a10" is not in "a100".
bool holdsWord(const std::string& text, const std::string& word)
{
    return text.find(" " + word + " ") != std::string::npos;
}

} // namespace

const DevicePeak* Knowledge::findDevice(std::string_view deviceName) const
{
    const std::string name = words(deviceName);
    const DevicePeak* best = nullptr;
    for (const DevicePeak& device : devices) {
        const bool fits = !device.matches.empty()
            && std::all_of(device.matches.begin(), device.matches.end(),
                           [&](const std::string& word) { return holdsWord(name, word); });
        if (fits && (!best || device.matches.size() > best->matches.size()))
            best = &device;
    }
    return best;
}

const KnownModel* Knowledge::findModel(std::string_view name, std::string_view flavor) const
{
    // "llama3" + "8B" and "llama3.1-8b" are the same model; "llama3" alone is not.
    const std::string wanted = words(std::string(name) + " " + std::string(flavor));
    const KnownModel* best = nullptr;
    for (const KnownModel& model : models) {
        const std::string own = words(model.name);
        const bool named = wanted.find(" " + own.substr(1, own.size() - 2)) != std::string::npos;
        const bool flavored = wanted.find(words(model.flavor)) != std::string::npos;
        if (named && flavored && (!best || model.name.size() > best->name.size()))
            best = &model;
    }
    return best;
}

} // namespace collscope
