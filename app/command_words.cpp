// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/command_words.h"

#include <algorithm>
#include <set>

namespace collscope {

namespace {

using Takes = OptionSpec::Takes;

/// Whether the word is an option, known or not. A negative number is not.
bool isOption(const std::string& word)
{
    return word.size() > 1 && word.front() == '-' && !(word[1] >= '0' && word[1] <= '9');
}

/// Reads words one after the other.
class WordReader
{
public:
    WordReader(const CommandOptions& known, const std::vector<std::string>& words)
        : m_known(known)
        , m_rest(words.rbegin(), words.rend())
    { }

    Result<std::vector<GivenOption>> read()
    {
        const OptionSpec* const rest = m_known.find("--");
        bool onlyPositionals = false;
        while (!m_rest.empty()) {
            const std::string word = next();
            if (onlyPositionals || !isOption(word)) {
                m_given.push_back({"", {word}});
            } else if (word == "--" && rest) {
                m_given.push_back({word, {m_rest.rbegin(), m_rest.rend()}});
                m_rest.clear();
            } else if (word == "--") {
                onlyPositionals = true;
            } else if (const Status taken = readOption(word); !taken) {
                return taken.error();
            }
        }
        return std::move(m_given);
    }

private:
    std::string next()
    {
        std::string word = std::move(m_rest.back());
        m_rest.pop_back();
        return word;
    }

    Status readOption(const std::string& word)
    {
        const bool isLong = word.starts_with("--");
        const std::size_t end = isLong ? std::min(word.find('='), word.size()) : 2;
        GivenOption& option = m_given.emplace_back(GivenOption{word.substr(0, end), {}});
        std::optional<std::string> value;
        if (end < word.size())
            value = word.substr(isLong ? end + 1 : end); // --csv=FILE, -j4
        const OptionSpec* const spec = m_known.find(option.name);
        const Takes takes = spec ? spec->takes : Takes::Nothing;
        if (takes == Takes::Nothing && value && !isLong) {
            m_rest.push_back("-" + *value); // -vj4
            return {};
        }
        if (takes == Takes::Nothing && value && spec)
            return usageError(option.name + " takes no value.");
        if (takes == Takes::Nothing || takes == Takes::Optional) {
            if (value)
                option.values.push_back(std::move(*value));
            return {};
        }
        if (!value && m_rest.empty())
            return usageError(option.name + " needs a value: " + option.name + " " + spec->argument);
        option.values.push_back(value ? std::move(*value) : next());
        while (takes == Takes::Many && !m_rest.empty() && !isOption(m_rest.back()))
            option.values.push_back(next());
        return {};
    }

    const CommandOptions& m_known;
    std::vector<std::string> m_rest; ///< the next word is the last
    std::vector<GivenOption> m_given;
};

} // namespace

Result<std::vector<GivenOption>> splitWords(const CommandOptions& known,
                                            const std::vector<std::string>& words)
{
    return WordReader(known, words).read();
}

Status storeValues(const CommandOptions& options, const std::vector<GivenOption>& given,
                   std::string_view command)
{
    const std::string program = "collscope" + (command.empty() ? "" : " " + std::string(command));
    std::set<const OptionSpec*> stored;
    for (const auto& [name, values] : given) {
        const OptionSpec* const spec = name.empty() ? options.positional() : options.find(name);
        if (!spec && name.empty())
            return usageError(program + " does not expect '" + values.front() + "'.");
        if (!spec)
            return usageError(program + " has no option " + name + "; its --help lists the options.");
        const bool isFirst = stored.insert(spec).second;
        if (!isFirst && (spec->takes == Takes::One || spec->takes == Takes::Optional))
            return usageError((name.empty() ? spec->names.front() : name) + " can be given only once.");
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
