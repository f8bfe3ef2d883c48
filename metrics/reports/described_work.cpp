// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/reports/described_work.h"

#include "metrics/core/sheet_columns.h"

namespace collscope {

DescribedWork describedWork(const Workload& workload)
{
    const auto said = [](const Known<std::int64_t>& figure) {
        return figure.assumed ? std::optional<std::int64_t>() : figure.value;
    };
    // Without the number of accumulation steps, the local batch does not determine the work of a step.
    return {workload.modelName,
            workload.isBatchOfOnePass ? std::optional<std::int64_t>() : said(workload.globalBatch),
            said(workload.seqLen), !workload.isInference()};
}

Sheet describedSheet(const DescribedWork& work)
{
    using Row = DescribedWork;
    std::vector<Row> rows;
    if (!work.model.empty() || work.batch || work.seqLen)
        rows.push_back(work);
    return sheetOf<Row>(
        "Described_Work",
        {{"model", [](const Row& row) { return textCell(row.model); }},
         {"batch", [](const Row& row) { return countCell(row.batch); }},
         {"sequence length", [](const Row& row) { return countCell(row.seqLen); }},
         {"all tokens", [](const Row& row) { return Value(row.doesAllTokens ? "yes" : "no"); }}},
        rows);
}

} // namespace collscope
