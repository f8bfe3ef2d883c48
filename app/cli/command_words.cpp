// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command_words.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace collscope {

namespace {

using Takes = OptionSpec::Takes;

constexpr const char* noValue = "\x01"; ///< of a flag without '='
constexpr char quote = '\x02';

/// CLI11 reads "[a,b]" as a list; it may be the name of a folder.
std::string quoted(const std::string& word)
{
    const std::size_t begin = word.starts_with("--") ? word.find('=') + 1 : 0; // 0 without '='
    return begin < word.size() && word[begin] == '[' ? word.substr(0, begin) + quote + word.substr(begin)
                                                     : word;
}

std::string unquoted(const std::string& value)
{
    return !value.empty() && value.front() == quote ? value.substr(1) : value;
}

Error needsValue(const std::string& name, const OptionSpec& spec)
{
    return usageError(name + " needs a value: " + name + " " + spec.argument);
}

/// The options, each with what it takes, as CLI11 knows them. CLI11 only splits: it converts and checks
/// nothing.
class WordSplitter
{
public:
    explicit WordSplitter(const CommandOptions& known)
        : m_known(known)
    {
        m_word.names = {"WORD"};
        m_word.takes = Takes::Many;
        m_app.set_help_flag();
        m_app.allow_extras();
        for (const OptionSpec& spec : known.all()) {
            if (spec.takes != Takes::Rest)
                m_specs[add(spec)] = &spec;
        }
        // So that words without an option keep their place among the options.
        if (!known.positional())
            m_specs[add(m_word)] = &m_word;
    }

    /// `words` do not contain "--".
    Result<std::vector<GivenOption>> split(const std::vector<std::string>& words)
    {
        try {
            std::vector<std::string> reversed; // as CLI11 wants them
            std::transform(words.rbegin(), words.rend(), std::back_inserter(reversed), quoted);
            m_app.parse(std::move(reversed));
        } catch (const CLI::ParseError& error) { // a value is missing
            const std::string what = error.what();
            const std::string name = what.substr(0, what.find(':'));
            const OptionSpec* const spec = m_known.find(name);
            return spec ? needsValue(name, *spec) : usageError(what);
        }
        std::vector<GivenOption> given;
        std::map<const CLI::Option*, std::size_t> taken; // values of an option that is given repeatedly
        for (CLI::Option* const option : m_app.parse_order()) {
            const OptionSpec& spec = *m_specs.at(option);
            const std::vector<std::string>& values = option->results();
            GivenOption own{spec.isPositional() ? std::string() : spec.names.back(), {}};
            std::size_t& next = taken[option];
            const std::size_t end
                = spec.takes == Takes::Many && !spec.isPositional() ? values.size() : next + 1;
            for (; next < end; ++next) {
                if (values[next] != noValue)
                    own.values.push_back(unquoted(values[next]));
            }
            if (spec.takes == Takes::Nothing && !own.values.empty())
                return usageError(own.name + " takes no value.");
            if (spec.takes != Takes::Many || spec.isPositional() || !own.values.empty())
                given.push_back(std::move(own));
        }
        for (const std::string& extra : m_app.remaining()) {
            const std::string word = unquoted(extra);
            const bool isOption = word.size() > 1 && word.front() == '-';
            given.push_back(isOption ? GivenOption{word.substr(0, word.find('=')), {}}
                                     : GivenOption{"", {word}});
        }
        return given;
    }

private:
    CLI::Option* add(const OptionSpec& spec)
    {
        std::string names;
        const bool isFlag = spec.takes == Takes::Nothing || spec.takes == Takes::Optional;
        for (const std::string& name : spec.names) {
            names += (names.empty() ? "" : ",") + name;
            if (isFlag && !spec.isPositional())
                names += std::string("{") + noValue + "}";
        }
        if (isFlag && !spec.isPositional())
            return m_app.add_flag(names)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
        CLI::Option* const option
            = m_app.add_option(names)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
        if (spec.takes == Takes::Many || spec.isPositional())
            option->expected(1, CLI::detail::expected_max_vector_size)
                ->allow_extra_args(!spec.isPositional());
        return option;
    }

    const CommandOptions& m_known;
    OptionSpec m_word; ///< a word without an option
    CLI::App m_app;
    std::map<const CLI::Option*, const OptionSpec*> m_specs;
};

} // namespace

Result<std::vector<GivenOption>> splitWords(const CommandOptions& known,
                                            const std::vector<std::string>& words)
{
    const auto dashes = std::find(words.begin(), words.end(), "--");
    // CLI11 would take the next option for the value.
    for (auto word = words.begin(); word != dashes && word + 1 != dashes; ++word) {
        const OptionSpec* const spec = known.find(*word);
        const bool takesValue
            = spec && !spec->isPositional() && (spec->takes == Takes::One || spec->takes == Takes::Each);
        if (takesValue && word[1].starts_with("--") && known.find(word[1]))
            return needsValue(*word, *spec);
    }
    auto given = WordSplitter(known).split({words.begin(), dashes});
    if (!given || dashes == words.end())
        return given;
    if (known.find("--"))
        given->push_back({"--", {dashes + 1, words.end()}});
    else
        for (auto word = dashes + 1; word != words.end(); ++word)
            given->push_back({"", {*word}});
    return given;
}

namespace {

/// Returns the mistake in how an option is given.
Status checkGiven(const OptionSpec& spec, const GivenOption& given, bool isFirst, const std::string& program)
{
    if (!isFirst && (spec.takes == Takes::One || spec.takes == Takes::Optional))
        return usageError(given.name.empty() ? program + " takes one " + spec.names.front() + "."
                                             : given.name + " can be given only once.");
    const bool isOutput = spec.place == OptionSpec::Place::OutputFile
        || spec.place == OptionSpec::Place::OutputFolder || spec.place == OptionSpec::Place::Picture;
    // As from a variable that is not set: an output would go to the current folder.
    if (isOutput && std::find(given.values.begin(), given.values.end(), "") != given.values.end())
        return usageError((given.name.empty() ? spec.names.front() : given.name)
                          + " takes a path, not an empty text.");
    return {};
}

} // namespace

Status storeValues(const CommandOptions& options, const std::vector<GivenOption>& given,
                   std::string_view command)
{
    const std::string program = "collscope" + (command.empty() ? "" : " " + std::string(command));
    std::set<const OptionSpec*> stored;
    for (const GivenOption& one : given) {
        const auto& [name, values] = one;
        const OptionSpec* const spec = name.empty() ? options.positional() : options.find(name);
        if (!spec && name.empty())
            return usageError(program + " does not expect '" + values.front() + "'.");
        if (!spec)
            return usageError(program + " has no option " + name + "; its --help lists the options.");
        const bool isFirst = stored.insert(spec).second;
        if (Status allowed = checkGiven(*spec, one, isFirst, program); !allowed)
            return allowed;
        // A flag is set by its presence.
        for (const std::string& value :
             values.empty() && spec->takes != Takes::Rest ? std::vector<std::string>{""} : values) {
            if (Status set = spec->set(value); !set)
                return set;
        }
    }
    for (const OptionSpec& spec : options.all()) {
        if (spec.isRequired && !stored.contains(&spec))
            return usageError(spec.names.back() + " is required.");
    }
    return {};
}

} // namespace collscope
