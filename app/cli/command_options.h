// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The options of a command as data. Parser, --help, manual page, completions and the confinement of --batch
// are all made from it.

#include "model/result.h"

#include <charconv>
#include <concepts>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace collscope {

/// A mistake in the arguments. `sentence` tells the user what to change.
inline Error usageError(std::string sentence)
{
    return {Error::Kind::Usage, std::move(sentence)};
}

/// An option of a command, or its positional argument.
struct OptionSpec
{
    enum class Takes
    {
        Nothing,
        Optional, ///< a value after '=', or none
        One,
        Each, ///< one value each time that the option is given
        Many, ///< all values that follow
        Rest ///< all words behind "--", which is its name
    };
    /// What the value is the path of.
    enum class Place
    {
        None,
        Input,
        OutputFile,
        OutputFolder,
        Picture ///< a file if it ends in .png, otherwise a folder
    };
    std::vector<std::string> names; ///< "-v", "--verbose"; "PATH" for a positional
    Takes takes = Takes::Nothing;
    std::string argument; ///< "FILE"; empty without a value
    std::vector<std::string> choices; ///< the only values, if not empty
    std::string description;
    std::string group; ///< title of the section in --help
    bool isShared = false; ///< many commands have it; --help may list only its name
    bool isRequired = false;
    Place place = Place::None;
    std::function<Status(const std::string& value)> set; ///< called once per value
    std::function<std::vector<std::string>()> paths; ///< the current values, if they are paths

    bool isPositional() const { return names.front().front() != '-'; }
    bool hasName(std::string_view name) const;
};

/// Whether a path of a picture names a single file rather than a folder.
bool isPng(const std::string& path);
/// Reads a number without anything after it; nullopt for other text.
template<typename Number>
std::optional<Number> numberOf(std::string_view text)
{
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// What a command accepts. Each function adds one option; `names` are separated by commas, and values are
/// stored in the variable that is passed, which must outlive this object.
class CommandOptions
{
public:
    /// Sets the section of the following options.
    void group(std::string title, bool isShared = false);

    OptionSpec& flag(std::string_view names, bool& value, std::string description);
    OptionSpec& text(std::string_view names, std::string& value, std::string argument,
                     std::string description);
    /// `takes`: Each or Many.
    OptionSpec& texts(std::string_view names, std::vector<std::string>& values, OptionSpec::Takes takes,
                      std::string argument, std::string description);
    /// Values separated by commas.
    OptionSpec& list(std::string_view names, std::vector<std::string>& values, const std::string& argument,
                     std::string description);
    /// A value that `set` interprets.
    OptionSpec& custom(std::string_view names, std::string argument, std::string description,
                       std::function<Status(const std::string&)> set);
    OptionSpec& inputFile(std::string_view names, std::string& value, std::string description);
    OptionSpec& inputFiles(std::string_view names, std::vector<std::string>& values, std::string description);
    OptionSpec& output(std::string_view names, std::string& value, OptionSpec::Place place,
                       std::string argument, std::string description);

    /// Adds an option of another command, without its variable.
    void adopt(const OptionSpec& spec);

    template<typename Number>
    OptionSpec& number(std::string_view names, Number& value, double least, double most,
                       const std::string& description)
    {
        return numberOption<Number>(names, least, most, description,
                                    [&value](Number number) { value = number; });
    }
    template<typename Number>
    OptionSpec& number(std::string_view names, std::optional<Number>& value, double least, double most,
                       const std::string& description)
    {
        return numberOption<Number>(names, least, most, description,
                                    [&value](Number number) { value = number; });
    }
    template<typename Value>
    OptionSpec& choice(std::string_view names, Value& value,
                       std::vector<std::pair<std::string, Value>> choices, std::string description);

    const std::deque<OptionSpec>& all() const { return m_all; }
    /// nullptr if no option has this name ("--json").
    const OptionSpec* find(std::string_view name) const;
    const OptionSpec* positional() const;

private:
    OptionSpec& add(std::string_view names, OptionSpec::Takes takes, std::string argument,
                    std::string description, std::function<Status(const std::string&)> set);
    template<typename Number>
    OptionSpec& numberOption(std::string_view names, double least, double most,
                             const std::string& description, std::function<void(Number)> store);
    /// "a number from 1 to 60", or whatever else limits it.
    static std::string limitsText(double least, double most, bool isWhole);
    static Status mistake(std::string_view names, const std::string& expected, const std::string& value);

    std::deque<OptionSpec> m_all; ///< references stay valid
    std::string m_group;
    bool m_isShared = false;
};

template<typename Number>
OptionSpec& CommandOptions::numberOption(std::string_view names, double least, double most,
                                         const std::string& description, std::function<void(Number)> store)
{
    constexpr bool isWhole = std::integral<Number>;
    return add(names, OptionSpec::Takes::One, isWhole ? "N" : "NUMBER", description,
               [least, most, store = std::move(store),
                first = std::string(names)](const std::string& text) -> Status {
                   const auto number = numberOf<Number>(text);
                   const auto size = static_cast<double>(number.value_or(Number{}));
                   if (!number || !(size >= least) || !(size <= most)) // also: not a number
                       return mistake(first, limitsText(least, most, isWhole), text);
                   store(*number);
                   return {};
               });
}

template<typename Value>
OptionSpec& CommandOptions::choice(std::string_view names, Value& value,
                                   std::vector<std::pair<std::string, Value>> choices,
                                   std::string description)
{
    OptionSpec& spec = add(names, OptionSpec::Takes::One, "TEXT", std::move(description), {});
    std::string expected;
    for (const auto& [word, meaning] : choices) {
        expected += (expected.empty() ? "" : word == choices.back().first ? " or " : ", ") + word;
        spec.choices.push_back(word);
    }
    spec.set = [&value, choices = std::move(choices), expected,
                first = std::string(names)](const std::string& text) -> Status {
        for (const auto& [word, meaning] : choices) {
            if (word == text) {
                value = meaning;
                return {};
            }
        }
        return mistake(first, expected, text);
    };
    return spec;
}

} // namespace collscope
