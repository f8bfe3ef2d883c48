// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/detail_rows.h"

#include <array>
#include <charconv>
#include <utility>

namespace collscope {

namespace {

/// Key suffixes that name a unit.
constexpr std::array<std::pair<std::string_view, std::string_view>, 11> keyUnits{{{"_ms", "ms"},
                                                                                  {"_us", "us"},
                                                                                  {"_ns", "ns"},
                                                                                  {"_s", "s"},
                                                                                  {"_percent", "%"},
                                                                                  {"_percent_of_step", "%"},
                                                                                  {"_pct", "%"},
                                                                                  {"bytes", "bytes"},
                                                                                  {"_gb", "GB"},
                                                                                  {"_gbps", "GB/s"},
                                                                                  {"_ratio", "ratio"}}};

std::string unitOf(std::string_view key, const Value& value, const MetricResult& result)
{
    for (const auto& [ending, unit] : keyUnits) {
        if (key.ends_with(ending))
            return std::string(unit);
    }
    return value.as<std::int64_t>() ? "count" : result.unit;
}

template<typename T>
std::optional<T> wholeNumberIn(std::string_view text)
{
    T number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::string joined(const std::string& scope, std::string_view more)
{
    return std::string(scope).append(scope.empty() || more.empty() ? "" : ", ").append(more);
}

/// Walks the details and records what each number refers to.
class Walk
{
public:
    Walk(const MetricResult& result, std::vector<DetailRow>& rows)
        : m_result(result)
        , m_rows(rows)
    { }

    /// `itsKey`: key of the object. "per_rank" and "..._by_step" objects are numbered by rank or step, which
    /// have their own columns.
    void addObject(const Value::Object& object, const DetailRow& place, std::string_view itsKey)
    {
        const bool isByRank = itsKey == "per_rank";
        const bool isByStep = itsKey.ends_with("_by_step");
        for (const auto& [key, element] : object) {
            DetailRow own = place;
            if (isByRank)
                own.rank = wholeNumberIn<std::int32_t>(key);
            if (isByStep)
                own.step = wholeNumberIn<std::int64_t>(key);
            if (isByRank || isByStep)
                addValue(element, own, {});
            else if (key == "per_rank")
                addValue(element, own, key);
            else
                addValue(element, named(own, key), key);
        }
    }

private:
    static DetailRow named(DetailRow place, std::string_view name)
    {
        place.scope = joined(place.scope, name);
        return place;
    }
    void addValue(const Value& value, DetailRow place, std::string_view key)
    {
        if (const auto* nested = value.as<Value::Object>()) {
            addObject(*nested, place, key);
        } else if (const auto* list = value.as<Value::Array>()) {
            for (std::size_t i = 0; i < list->size(); ++i)
                addValue((*list)[i], named(place, nameOf((*list)[i], i + 1)), key);
        } else if (std::string text = numberTextOf(value); !text.empty()) {
            place.value = std::move(text);
            place.unit = unitOf(key, value, m_result);
            if (place.scope.empty())
                place.scope = place.step ? "step" : "rank";
            m_rows.push_back(std::move(place));
        }
    }
    /// Label of a list element: its name if it has one, else its number.
    static std::string nameOf(const Value& element, std::size_t number)
    {
        const auto* object = element.as<Value::Object>();
        for (const auto& [key, value] : object ? *object : Value::Object()) {
            if (const auto* name = value.as<std::string>(); name && key == "name")
                return *name;
        }
        return std::to_string(number);
    }

    const MetricResult& m_result;
    std::vector<DetailRow>& m_rows;
};

void addTable(const MetricTable& table, const MetricResult& result, std::vector<DetailRow>& rows)
{
    const Sheet& sheet = table.sheet;
    for (const Value::Array& cells : sheet.rows) {
        DetailRow row;
        row.scope = sheet.name;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const auto* whole = cells[i].as<std::int64_t>();
            if (whole && sheet.columns[i] == "rank")
                row.rank = static_cast<std::int32_t>(*whole);
            else if (whole && sheet.columns[i] == "step")
                row.step = *whole;
            else if (const auto* words = cells[i].as<std::string>())
                row.scope = joined(row.scope, sheet.columns[i] + " " + *words);
        }
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (sheet.columns[i] == "rank" || sheet.columns[i] == "step" || !numberOf(cells[i]))
                continue;
            DetailRow own = row;
            own.scope = joined(own.scope, sheet.columns[i]);
            own.value = numberTextOf(cells[i]);
            own.unit = unitOf(sheet.columns[i], cells[i], result);
            rows.push_back(std::move(own));
        }
    }
}

} // namespace

std::vector<DetailRow> detailRows(const MetricResult& result)
{
    std::vector<DetailRow> rows;
    for (const MetricTable& table : result.tables)
        addTable(table, result, rows);
    if (!result.value && result.state == MetricState::Value)
        Walk(result, rows).addObject(result.details, {}, {});
    return rows;
}

} // namespace collscope
