// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/reports/what_if_sheet.h"

#include "metrics/core/sheet_columns.h"
#include "metrics/whatif/what_if_text.h"

namespace collscope {

namespace {

struct ScenarioRow
{
    std::string_view list; ///< that the answer is in
    const ScenarioAnswer* answer = nullptr;
};

} // namespace

Sheet whatIfSheet(const TraceModel& model, const WhatIfAnswer& answer)
{
    std::vector<ScenarioRow> rows;
    const auto add = [&](std::string_view list, const std::vector<ScenarioAnswer>& answers) {
        for (const ScenarioAnswer& own : answers)
            rows.push_back({list, &own});
    };
    add("scenarios", answer.scenarios);
    add("after", answer.after);
    add("limits", answer.limits);
    const double measuredNs = answer.replay->measuredNs();
    const auto unlessRefused = [](const ScenarioRow& row, double number) {
        return row.answer->basis.refused.empty() ? Value(number) : Value();
    };
    const auto percentOf = [&](double gainNs) { return measuredNs > 0 ? 100 * gainNs / measuredNs : 0; };
    const std::vector<SheetColumn<ScenarioRow>> columns{
        {"list", [](const ScenarioRow& row) { return Value(row.list); }},
        {"scenario", [](const ScenarioRow& row) { return Value(row.answer->scenario.spec); }},
        {"text", [](const ScenarioRow& row) { return Value(row.answer->text); }},
        {"step_ms", [&](const ScenarioRow& row) { return unlessRefused(row, row.answer->stepNs / 1e6); }},
        {"gain_ms", [&](const ScenarioRow& row) { return unlessRefused(row, row.answer->gainNs / 1e6); }},
        {"gain_percent",
         [&](const ScenarioRow& row) { return unlessRefused(row, percentOf(row.answer->gainNs)); }},
        {"low_percent",
         [&](const ScenarioRow& row) { return unlessRefused(row, percentOf(row.answer->lowNs)); }},
        {"high_percent",
         [&](const ScenarioRow& row) { return unlessRefused(row, percentOf(row.answer->highNs)); }},
        {"basis",
         [&](const ScenarioRow& row) {
             return row.answer->basis.refused.empty() ? textCell(basisText(model, *row.answer)) : Value();
         }},
        {"refused", [](const ScenarioRow& row) { return textCell(row.answer->basis.refused); }}};
    return sheetOf("what_if", columns, rows);
}

} // namespace collscope
