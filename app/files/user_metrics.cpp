// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/files/user_metrics.h"

#include "model/readers/text/nesting.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <limits>

#include <toml++/toml.h>

namespace collscope {

namespace {

constexpr std::size_t fileLimit = 1u << 20;
constexpr std::size_t definitionLimit = 500; ///< per kind, in one file
constexpr std::size_t termLimit = 50;

using Words = std::initializer_list<std::string_view>;

/// A mistake in a file and its line (0 = the file as a whole).
struct Mistake
{
    std::int64_t line = 0;
    std::string message;
};

[[noreturn]] void fail(const toml::node& where, std::string message)
{
    throw Mistake{static_cast<std::int64_t>(where.source().begin.line), std::move(message)};
}

template<typename List>
std::string joined(const List& words)
{
    std::string text;
    for (const auto& word : words)
        text.append(text.empty() ? "" : ", ").append(word);
    return text;
}

std::string quoted(std::string_view text)
{
    return std::string("'").append(text).append("'");
}

void checkKeys(const toml::table& table, Words known, std::string_view what)
{
    for (const auto& [key, node] : table) {
        if (std::find(known.begin(), known.end(), key.str()) == known.end())
            fail(node,
                 quoted(key.str()) + " is not a key of " + std::string(what) + "; expected one of "
                     + joined(known) + ".");
    }
}

/// Returns a single-line text; "" if the key is missing.
std::string textOf(const toml::table& table, std::string_view key, std::size_t limit)
{
    const toml::node* node = table.get(key);
    if (!node)
        return {};
    const auto text = node->value_exact<std::string>();
    if (!text || text->empty())
        fail(*node, quoted(key) + " must be a string in quotes.");
    if (text->size() > limit)
        fail(*node,
             quoted(key) + " has " + std::to_string(text->size()) + " characters; the limit is "
                 + std::to_string(limit) + ".");
    if (std::any_of(text->begin(), text->end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }))
        fail(*node, quoted(key) + " must be one line of text.");
    return *text;
}

double numberOf(const toml::node& node, std::string_view key)
{
    const auto number = node.is_number() ? node.value<double>() : std::nullopt;
    if (!number || !std::isfinite(*number))
        fail(node, quoted(key) + " must be a number.");
    return *number;
}

double factorOf(const toml::table& table)
{
    const toml::node* node = table.get("factor");
    return node ? numberOf(*node, "factor") : 1.0;
}

/// Returns the value of a word in a table of (word, value); `otherwise` if the key is missing.
template<typename T, typename Choices>
T choiceFrom(const toml::table& table, std::string_view key, T otherwise, const Choices& choices)
{
    const toml::node* node = table.get(key);
    if (!node)
        return otherwise;
    const auto word = node->value_exact<std::string>();
    std::string known;
    for (const auto& [name, value] : choices) {
        if (word && *word == name)
            return value;
        known.append(known.empty() ? "\"" : ", \"").append(name).append("\"");
    }
    fail(*node, quoted(key) + " must be one of " + known + ".");
}

template<typename T>
T choiceOf(const toml::table& table, std::string_view key, T otherwise,
           std::initializer_list<std::pair<std::string_view, T>> choices)
{
    return choiceFrom(table, key, otherwise, choices);
}

/// Returns the elements of an array, or the node itself.
std::vector<const toml::node*> elementsOf(const toml::node& node)
{
    const toml::array* array = node.as_array();
    if (!array)
        return {&node};
    std::vector<const toml::node*> elements;
    for (const toml::node& element : *array)
        elements.push_back(&element);
    return elements;
}

std::vector<std::int32_t> wholeNumbersOf(const toml::table& table, std::string_view key)
{
    std::vector<std::int32_t> numbers;
    const toml::node* node = table.get(key);
    if (!node)
        return numbers;
    for (const toml::node* element : elementsOf(*node)) {
        const auto number = element->value_exact<std::int64_t>();
        if (!number || *number < 0 || *number > std::numeric_limits<std::int32_t>::max())
            fail(*element, quoted(key) + " must be a whole number or a list of them, such as [0, 1].");
        numbers.push_back(static_cast<std::int32_t>(*number));
    }
    if (numbers.empty())
        fail(*node, quoted(key) + " is an empty list; omit it to count all.");
    return numbers;
}

std::vector<EventClass> classesOf(const toml::table& table)
{
    const auto known = [] {
        std::string words;
        for (const EventClass& c : eventClasses())
            words.append(words.empty() ? "" : ", ").append(c.word);
        return words;
    };
    const toml::node* node = table.get("class");
    if (!node)
        fail(table, "'class' is missing: it selects the events to count, one of " + known() + ".");
    std::vector<EventClass> classes;
    for (const toml::node* element : elementsOf(*node)) {
        const auto word = element->value_exact<std::string>();
        const auto found = std::find_if(eventClasses().begin(), eventClasses().end(),
                                        [&](const EventClass& c) { return word && c.word == *word; });
        if (found == eventClasses().end())
            fail(*element,
                 (word ? quoted(*word) + " is not a class of events" : "'class' must be a string")
                     + "; expected one of " + known() + ", or a list of them.");
        classes.push_back(*found);
    }
    if (classes.empty())
        fail(*node, "'class' is an empty list; expected one of " + known() + ".");
    return classes;
}

/// Reads the terms of one file; the catalogue contains the known metrics.
class TermReader
{
public:
    explicit TermReader(const MetricCatalog& catalog)
        : m_catalog(catalog)
    { }

    /// Returns the term or list of terms under a key; empty if the key is missing.
    std::vector<UserTerm> read(const toml::table& metric, std::string_view key) const
    {
        std::vector<UserTerm> terms;
        const toml::node* node = metric.get(key);
        if (!node)
            return terms;
        for (const toml::node* element : elementsOf(*node))
            terms.push_back(termOf(*element, key));
        if (terms.empty())
            fail(*node, quoted(key) + " is an empty list; expected at least one term.");
        if (terms.size() > termLimit)
            fail(*node,
                 quoted(key) + " has " + std::to_string(terms.size()) + " terms; the limit is "
                     + std::to_string(termLimit) + ".");
        return terms;
    }

private:
    UserTerm termOf(const toml::node& node, std::string_view key) const
    {
        UserTerm term;
        if (node.is_number()) {
            term.number = numberOf(node, key);
            return term;
        }
        const toml::table* table = node.as_table();
        if (!table)
            fail(node,
                 quoted(key)
                     + " must be a number, a term such as { metric = \"avg_step_time\" }, or a "
                       "list of terms.");
        static constexpr std::array<std::string_view, 5> measures{"time", "bytes", "count", "metric",
                                                                  "window"};
        checkKeys(*table,
                  {"time", "bytes", "count", "metric", "window", "class", "name", "group", "ranks", "streams",
                   "factor"},
                  "a term");
        const auto given = std::count_if(measures.begin(), measures.end(),
                                         [&](std::string_view measure) { return table->contains(measure); });
        if (given != 1)
            fail(*table,
                 std::string("a term has ") + (given == 0 ? "nothing to measure" : "more than one measure")
                     + "; expected exactly one of " + joined(measures) + ".");
        term.factor = factorOf(*table);
        if (table->contains("metric"))
            readMetric(*table, term);
        else if (table->contains("window"))
            term.kind
                = choiceOf(*table, "window", UserTerm::Kind::WindowTime,
                           {{"time", UserTerm::Kind::WindowTime}, {"steps", UserTerm::Kind::WindowSteps}});
        else
            readEvents(*table, term);
        if (!term.isOfEvents()) {
            for (const std::string_view filter : {"class", "name", "group", "ranks", "streams"}) {
                if (const toml::node* other = table->get(filter))
                    fail(*other, quoted(filter) + " selects events; use it with time, bytes or count.");
            }
        }
        return term;
    }

    void readMetric(const toml::table& table, UserTerm& term) const
    {
        term.kind = UserTerm::Kind::Metric;
        const std::string name = textOf(table, "metric", 100);
        const auto request = m_catalog.find(name);
        if (!request)
            fail(*table.get("metric"),
                 "unknown metric " + quoted(name) + ". Nearest: " + joined(nearestMetrics(name)) + ".");
        // Nested definitions could grow exponentially; sums of terms express the same.
        if (request->user)
            fail(*table.get("metric"), quoted(name) + " is itself user-defined; expected a built-in metric.");
        term.metric = *request;
    }

    static void readEvents(const toml::table& table, UserTerm& term)
    {
        for (const std::string_view measure : {"bytes", "count"}) {
            const toml::node* node = table.get(measure);
            if (node && node->value_exact<bool>() != true)
                fail(*node, quoted(measure) + " must be true.");
        }
        term.kind = table.contains("bytes") ? UserTerm::Kind::EventBytes
            : table.contains("count")
            ? UserTerm::Kind::EventCount
            : choiceOf(table, "time", UserTerm::Kind::EventUnion,
                       {{"union", UserTerm::Kind::EventUnion}, {"sum", UserTerm::Kind::EventSum}});
        EventFilter& events = term.events;
        events.classes = classesOf(table);
        if (term.kind == UserTerm::Kind::EventBytes && !events.canHaveBytes())
            fail(*table.get("bytes"),
                 "only collectives and copies have bytes; expected a class such as communication, allreduce, "
                 "copy or memset.");
        if (const toml::node* name = table.get("name")) {
            const auto pattern = name->value_exact<std::string>();
            if (!pattern)
                fail(*name, "'name' must be a regular expression in quotes.");
            if (const std::string wrong = setNamePattern(events, *pattern); !wrong.empty())
                fail(*name, "'name' " + wrong + ".");
        }
        events.group = textOf(table, "group", 200);
        events.ranks = wholeNumbersOf(table, "ranks");
        events.streams = wholeNumbersOf(table, "streams");
        if (!events.streams.empty()
            && std::any_of(events.classes.begin(), events.classes.end(),
                           [](const EventClass& c) { return c.categories != 0; }))
            fail(*table.get("streams"), "'streams' applies to GPU events; the classes include CPU events.");
    }

    const MetricCatalog& m_catalog;
};

std::string idOf(const toml::table& table)
{
    std::string id = textOf(table, "id", 64);
    if (id.empty())
        fail(table, "'id' is missing: the name of the metric, such as id = \"my_share\".");
    const auto isAllowed
        = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
    if (!std::all_of(id.begin(), id.end(), isAllowed) || id[0] < 'a' || id[0] > 'z')
        fail(*table.get("id"),
             quoted(id) + " is not a valid id; expected a-z, 0-9 and _, starting with a letter.");
    return id;
}

UserMetric metricOf(const toml::table& table, const MetricCatalog& catalog)
{
    checkKeys(
        table,
        {"id", "title", "unit", "meaning", "better", "numerator", "denominator", "sum", "factor", "reduce"},
        "a [[metric]]");
    UserMetric metric;
    metric.line = static_cast<std::int64_t>(table.source().begin.line);
    metric.id = idOf(table);
    metric.title = textOf(table, "title", 60);
    metric.unit = textOf(table, "unit", 20);
    metric.meaning = textOf(table, "meaning", 500);
    if (metric.unit.empty())
        fail(table,
             "'unit' is missing, such as unit = \"%\"; a plain number has the unit \"count\" or "
             "\"ratio\".");
    metric.direction = choiceOf(table, "better", MetricDirection::Neutral,
                                {{"lower", MetricDirection::LowerIsBetter},
                                 {"higher", MetricDirection::HigherIsBetter},
                                 {"neutral", MetricDirection::Neutral}});
    const TermReader terms(catalog);
    if (table.contains("numerator") && table.contains("sum"))
        fail(*table.get("sum"), "'sum' and 'numerator' mean the same thing; expected one of them.");
    metric.numerator = terms.read(table, table.contains("sum") ? "sum" : "numerator");
    metric.denominator = terms.read(table, "denominator");
    if (metric.numerator.empty())
        fail(table, "nothing to compute; expected numerator = { ... } or sum = [ { ... }, ... ].");
    metric.factor = factorOf(table);
    const auto measures = [](const UserTerm& term) { return term.kind != UserTerm::Kind::Number; };
    if (std::none_of(metric.numerator.begin(), metric.numerator.end(), measures)
        && std::none_of(metric.denominator.begin(), metric.denominator.end(), measures))
        fail(table, "the metric measures nothing: all its terms are numbers.");
    using Reduce = UserMetric::Reduce;
    metric.reduce = choiceOf(table, "reduce", metric.needsTimeline() ? Reduce::Mean : Reduce::Values,
                             {{"mean of ranks", Reduce::Mean},
                              {"pooled", Reduce::Pooled},
                              {"max", Reduce::Max},
                              {"min", Reduce::Min},
                              {"sum", Reduce::Sum},
                              {"values", Reduce::Values}});
    if (metric.reduce == Reduce::Values && metric.needsTimeline())
        fail(*table.get("reduce"),
             "\"values\" applies to terms that are metrics or numbers; events and windows have one number "
             "per rank.");
    if (metric.title.empty())
        metric.title = metric.id;
    if (metric.meaning.empty())
        metric.meaning = metric.formula() + ".";
    return metric;
}

std::string contentOf(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::string text;
    char buffer[4096];
    while (file && text.size() <= fileLimit && (file.read(buffer, sizeof buffer) || file.gcount() > 0))
        text.append(buffer, static_cast<std::size_t>(file.gcount()));
    if (!file.eof() && text.size() <= fileLimit)
        throw Mistake{0, "cannot be read."};
    if (text.size() > fileLimit)
        throw Mistake{0, "is larger than 1 MiB; expected a file of metric definitions."};
    if (hasTooManyDots(text))
        throw Mistake{0, "has a line that nests tables too deeply."};
    return text;
}

KernelRule ruleOf(const toml::table& table)
{
    constexpr std::size_t longestName = 200;
    checkKeys(table, {"name", "class", "note"}, "a [[communication]] rule");
    KernelRule rule;
    rule.name = textOf(table, "name", longestName);
    if (rule.name.empty())
        fail(table,
             "'name' is missing: a text that the kernel names contain, such as name = \"my_exchange\".");
    if (std::all_of(rule.name.begin(), rule.name.end(), [](char c) { return c == '*' || c == ' '; }))
        fail(*table.get("name"), "'name' would match every kernel; expected a part of the kernel names.");
    textOf(table, "note", 500);
    if (!table.contains("class"))
        fail(table, "'class' is missing: what these kernels do, such as class = \"alltoall\".");
    rule.kernelClass = choiceFrom(table, "class", KernelClass::None, kernelRuleWords());
    return rule;
}

/// Returns the tables of an array of tables; nullptr if it is missing.
const toml::array* tablesOf(const toml::table& root, std::string_view key)
{
    const toml::node* node = root.get(key);
    if (!node)
        return nullptr;
    const toml::array* tables = node->as_array();
    if (!tables)
        fail(*node, "expected tables that start with [[" + std::string(key) + "]].");
    if (tables->size() > definitionLimit)
        fail(*node,
             std::to_string(tables->size()) + " definitions; the limit is " + std::to_string(definitionLimit)
                 + ".");
    for (const toml::node& table : *tables) {
        if (!table.is_table())
            fail(table, "expected a table that starts with [[" + std::string(key) + "]].");
    }
    return tables;
}

toml::table parse(const std::string& text)
{
    try {
        return toml::parse(text);
    } catch (const toml::parse_error& error) {
        throw Mistake{static_cast<std::int64_t>(error.source().begin.line),
                      "this is not valid TOML: " + std::string(error.description()) + "."};
    }
}

/// Returns the answer of `read` for the file, or its mistake with the location.
template<typename Answer, typename Read>
Result<Answer> fromFile(const std::string& path, const Read& read)
{
    try {
        return read(parse(contentOf(path)));
    } catch (const Mistake& mistake) {
        const std::string where = mistake.line > 0 ? path + ":" + std::to_string(mistake.line) : path;
        return Error{Error::Kind::Format, where + ": " + mistake.message, path};
    }
}

} // namespace

Result<MetricCatalog> readUserMetrics(const std::string& path, MetricCatalog catalog)
{
    return fromFile<MetricCatalog>(path, [&](const toml::table& root) {
        checkKeys(root, {"metric", "communication"}, "a file of definitions");
        const toml::array* metrics = tablesOf(root, "metric");
        const toml::array* rules = tablesOf(root, "communication");
        if ((!metrics || metrics->empty()) && (!rules || rules->empty()))
            throw Mistake{
                1, "no definitions found; expected tables that start with [[metric]] or [[communication]]."};
        for (std::size_t i = 0; metrics && i < metrics->size(); ++i) {
            const toml::table& table = *metrics->get(i)->as_table();
            UserMetric metric = metricOf(table, catalog);
            metric.file = path;
            if (std::string wrong = catalog.add(std::move(metric)); !wrong.empty())
                fail(*table.get("id"), std::move(wrong));
        }
        for (std::size_t i = 0; rules && i < rules->size(); ++i)
            ruleOf(*rules->get(i)->as_table()); // a mistake in a rule makes the file invalid
        return catalog;
    });
}

Result<std::vector<KernelRule>> readKernelRules(const std::string& path)
{
    return fromFile<std::vector<KernelRule>>(path, [](const toml::table& root) {
        std::vector<KernelRule> rules;
        const toml::array* tables = tablesOf(root, "communication");
        for (std::size_t i = 0; tables && i < tables->size(); ++i)
            rules.push_back(ruleOf(*tables->get(i)->as_table()));
        return rules;
    });
}

} // namespace collscope
