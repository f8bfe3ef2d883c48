// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command_options.h"

#include "model/text/lower_case.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace collscope {

namespace {

using Takes = OptionSpec::Takes;

std::vector<std::string> splitAtCommas(std::string_view text)
{
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        if (end > begin)
            parts.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

/// `name`: the option that the path belongs to.
Status checkIsFile(const std::string& name, const std::string& path)
{
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        return usageError(name + ": " + path + " is a folder, not a file.");
    if (std::filesystem::exists(path, error))
        return {};
    return usageError(name + ": the file " + path + " does not exist.");
}

/// Writes whole numbers without a decimal point.
std::string limitText(double limit)
{
    std::string text = std::to_string(limit);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.')
        text.pop_back();
    return text;
}

} // namespace

std::string CommandOptions::limitsText(double least, double most, bool isWhole)
{
    const std::string what = isWhole ? "a whole number" : "a number";
    constexpr double barelyLimits = 1e9; // the largest number of its type, not a limit that tells anything
    if (most > barelyLimits)
        return what + " of at least " + limitText(least);
    return what + " from " + limitText(least) + " to " + limitText(most);
}

bool OptionSpec::hasName(std::string_view name) const
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool isPng(const std::string& path)
{
    return lowered(std::filesystem::path(path).extension().string()) == ".png";
}

void CommandOptions::group(std::string title, bool isShared)
{
    m_group = std::move(title);
    m_isShared = isShared;
}

Status CommandOptions::mistake(std::string_view names, const std::string& expected, const std::string& value)
{
    return usageError(splitAtCommas(names).back() + " takes " + expected + ", not '" + value + "'.");
}

OptionSpec& CommandOptions::add(std::string_view names, Takes takes, std::string argument,
                                std::string description, std::function<Status(const std::string&)> set)
{
    OptionSpec& spec = m_all.emplace_back();
    spec.names = splitAtCommas(names);
    spec.takes = takes;
    spec.argument = std::move(argument);
    spec.description = std::move(description);
    spec.group = m_group;
    spec.isShared = m_isShared;
    spec.set = std::move(set);
    return spec;
}

OptionSpec& CommandOptions::flag(std::string_view names, bool& value, std::string description)
{
    return add(names, Takes::Nothing, {}, std::move(description), [&value](const std::string&) -> Status {
        value = true;
        return {};
    });
}

OptionSpec& CommandOptions::text(std::string_view names, std::string& value, std::string argument,
                                 std::string description)
{
    return add(names, Takes::One, std::move(argument), std::move(description),
               [&value](const std::string& given) -> Status {
                   value = given;
                   return {};
               });
}

OptionSpec& CommandOptions::texts(std::string_view names, std::vector<std::string>& values, Takes takes,
                                  std::string argument, std::string description)
{
    return add(names, takes, std::move(argument), std::move(description),
               [&values](const std::string& given) -> Status {
                   values.push_back(given);
                   return {};
               });
}

OptionSpec& CommandOptions::list(std::string_view names, std::vector<std::string>& values,
                                 const std::string& argument, std::string description)
{
    return add(names, Takes::Each, argument, std::move(description),
               [&values, argument, first = std::string(names)](const std::string& given) -> Status {
                   std::vector<std::string> parts = splitAtCommas(given);
                   if (parts.empty()) // as from a variable that is not set
                       return mistake(first, argument, given);
                   std::move(parts.begin(), parts.end(), std::back_inserter(values));
                   return {};
               });
}

OptionSpec& CommandOptions::custom(std::string_view names, std::string argument, std::string description,
                                   std::function<Status(const std::string&)> set)
{
    return add(names, Takes::One, std::move(argument), std::move(description), std::move(set));
}

OptionSpec& CommandOptions::inputFile(std::string_view names, std::string& value, std::string description)
{
    OptionSpec& spec = custom(names, "FILE", std::move(description),
                              [&value, name = std::string(names)](const std::string& given) {
                                  value = given;
                                  return checkIsFile(name, given);
                              });
    spec.place = OptionSpec::Place::Input;
    spec.paths = [&value] { return std::vector{value}; };
    return spec;
}

OptionSpec& CommandOptions::inputFiles(std::string_view names, std::vector<std::string>& values,
                                       std::string description)
{
    OptionSpec& spec = custom(names, "FILE", std::move(description),
                              [&values, name = std::string(names)](const std::string& given) {
                                  values.push_back(given);
                                  return checkIsFile(name, given);
                              });
    spec.takes = Takes::Each;
    spec.place = OptionSpec::Place::Input;
    spec.paths = [&values] { return values; };
    return spec;
}

OptionSpec& CommandOptions::output(std::string_view names, std::string& value, OptionSpec::Place place,
                                   std::string argument, std::string description)
{
    OptionSpec& spec = text(names, value, std::move(argument), std::move(description));
    spec.place = place;
    spec.paths = [&value] { return std::vector{value}; };
    return spec;
}

void CommandOptions::adopt(const OptionSpec& spec)
{
    OptionSpec& own = m_all.emplace_back(spec);
    own.set = nullptr;
    own.paths = nullptr;
}

const OptionSpec* CommandOptions::find(std::string_view name) const
{
    const auto found = std::find_if(m_all.begin(), m_all.end(),
                                    [&](const OptionSpec& spec) { return spec.hasName(name); });
    return found == m_all.end() ? nullptr : &*found;
}

const OptionSpec* CommandOptions::positional() const
{
    const auto found = std::find_if(m_all.begin(), m_all.end(),
                                    [](const OptionSpec& spec) { return spec.isPositional(); });
    return found == m_all.end() ? nullptr : &*found;
}

} // namespace collscope
