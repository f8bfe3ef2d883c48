// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/hardware_database.h"

#include "model/text/lower_case.h"

#include <algorithm>
#include <cctype>

namespace collscope {

namespace {

/// Converts to lower case. Each run of characters other than letters and digits becomes one blank; blanks are
/// added at both ends.
std::string words(std::string_view text)
{
    std::string result = " ";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0)
            result += lowered(c);
        else if (result.back() != ' ')
            result += ' ';
    }
    if (result.back() != ' ')
        result += ' ';
    return result;
}

/// Like words(), but joins a number to the preceding word: "Llama-3.1-8B" and "llama3 8B" name one family.
std::string modelWords(std::string_view text)
{
    const std::string apart = words(text);
    std::string result = " ";
    std::size_t begin = 1;
    while (begin < apart.size()) {
        const std::size_t end = apart.find(' ', begin);
        const std::string word = apart.substr(begin, end - begin);
        const bool number = word.find_first_not_of("0123456789") == std::string::npos;
        const bool afterLetter
            = result.size() > 1 && std::isalpha(static_cast<unsigned char>(result[result.size() - 2])) != 0;
        if (number && afterLetter)
            result.pop_back();
        result += word + ' ';
        begin = end + 1;
    }
    return result;
}

/// True if the text contains the wanted text as complete words: "a10" is not in "a100".
bool holdsWords(const std::string& text, std::string_view wanted)
{
    const std::string own = words(wanted);
    return own.size() > 1 && text.find(own) != std::string::npos;
}

} // namespace

const DevicePeak* HardwareDatabase::findDevice(std::string_view deviceName) const
{
    const std::string name = words(deviceName);
    const DevicePeak* best = nullptr;
    for (const DevicePeak& device : devices) {
        const bool fits = !device.matches.empty()
            && std::all_of(device.matches.begin(), device.matches.end(),
                           [&](const std::string& word) { return holdsWords(name, word); });
        if (fits
            && (!best || device.layer > best->layer
                || (device.layer == best->layer && device.matches.size() > best->matches.size())))
            best = &device;
    }
    return best;
}

const KnownModel* HardwareDatabase::findModel(std::string_view name, std::string_view flavor) const
{
    const std::string wanted = modelWords(std::string(name) + " " + std::string(flavor));
    const KnownModel* best = nullptr;
    for (const KnownModel& model : models) {
        const bool named = holdsWords(wanted, model.name);
        const bool flavored = model.flavor.empty() || holdsWords(wanted, model.flavor);
        if (named && flavored
            && (!best || model.layer > best->layer
                || (model.layer == best->layer && model.name.size() > best->name.size())))
            best = &model;
    }
    return best;
}

} // namespace collscope
