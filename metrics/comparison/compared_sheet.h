// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A table of a comparison. Each column says what its cells are, and each row has its subject beside it, so
// that nobody needs the titles.

#include "metrics/comparison/delta.h"
#include "metrics/core/sheet_columns.h"
#include "metrics/reports/run_values.h"

namespace collscope {

struct CompareOptions
{
    double thresholdPercent = 1.0; ///< a smaller change is "Similar"
};

/// A step of the baseline and the step of the test to compare it with, as numbers from the traces.
struct StepPair
{
    std::optional<std::int64_t> base, test; ///< at least one of the two
    friend bool operator==(const StepPair&, const StepPair&) = default;
};

/// The calls of one kind, in both runs.
struct CallSubject
{
    CallKind kind; ///< without the rank
    CallKeys known; ///< the members of `kind` that must agree
    bool waitsForAll = false; ///< only collectives in which all ranks wait for all

    /// Whether a call of that kind belongs to it.
    bool contains(const CallKind& call) const;
    friend bool operator==(const CallSubject&, const CallSubject&) = default;
};

/// The subject of a row of a comparison; unset members do not restrict it.
struct ComparedSubject
{
    std::optional<std::int32_t> rank = std::nullopt;
    std::optional<StepPart> part = std::nullopt;
    unsigned kinds = 0; ///< ActiveKind bits of GPU slices; 0 = none
    std::string kernelClass = {}, kernel = {}; ///< names; empty = any
    std::optional<CallSubject> call = std::nullopt;
    std::optional<StepPair> steps = std::nullopt; ///< the row covers these two steps

    friend bool operator==(const ComparedSubject&, const ComparedSubject&) = default;
};

/// ActiveKind bits of the slices that form a part; 0 for idle time.
unsigned kindsOf(StepPart part);

enum class ComparisonKind : std::uint8_t
{
    Dashboard,
    GpuTimes,
    RankGpuTimes,
    Collectives,
    Calls,
    UnitTimes, ///< GPU times per unit of work
    RankUnitTimes,
    Waterfall,
    Steps,
    KernelClasses,
    Kernels,
    Operators,
    RankSteps
};

/// What the cells of a column are.
enum class ColumnRole : std::uint8_t
{
    Word,
    Rank,
    Class, ///< of kernels
    Name, ///< of a kernel or an operator
    Figure, ///< of one of the runs
    Difference, ///< test - baseline
    Change, ///< Delta::change
    Improvement, ///< Delta::improvement, as scripts expect it; asRead() makes it a Change
    Ratio, ///< test / baseline
    Share, ///< of the whole difference, in percent
    Status
};

enum class TimeUnit : std::uint8_t
{
    Ms,
    MsPerStep,
    MsPerUnit,
    MsPerCapture,
    UsPerCall,
    Us
};

struct ComparedColumn
{
    ColumnRole role = ColumnRole::Word;
    std::string name; ///< of the figure, without the run; empty for the percentage and ratio of the only one
    TimeUnit unit = TimeUnit::Ms; ///< of a time
    bool moreIsBetter = false; ///< else less is better
    int run = -1; ///< 0: the baseline, 1: the test, -1: both
};

struct ComparedSheet : Sheet
{
    ComparisonKind comparison = ComparisonKind::Dashboard;
    std::vector<ComparedColumn> roles; ///< of the columns
    std::vector<ComparedSubject> subjects; ///< of the rows

    /// Index of the first column with that role; nullopt without one.
    std::optional<std::size_t> first(ColumnRole role) const;
};

/// A comparison for display: percentages have the sign of the difference next to them, in columns that start
/// with "change_percent". Workbooks have "percent_change" for scripts, with positive = better.
ComparedSheet asRead(const ComparedSheet& sheet);

/// The table of columns of a comparison with rows of one type.
template<typename Row>
class ComparedTable
{
public:
    using Cell = std::function<Value(const Row&)>;

    ComparedTable(const RunSheets& base, const RunSheets& test)
        : m_labels{base.label, test.label}
    { }

    void add(ColumnRole role, std::string name, Cell cell)
    {
        addColumn({role, std::move(name)}, std::move(cell));
    }
    /// A figure of each run.
    void addBoth(const std::string& name, Cell base, Cell test)
    {
        addColumn({ColumnRole::Figure, name, TimeUnit::Ms, false, 0}, std::move(base));
        addColumn({ColumnRole::Figure, name, TimeUnit::Ms, false, 1}, std::move(test));
    }
    /// Baseline, test, and test - baseline.
    void addDifference(const ComparedColumn& figure, const std::function<const Delta&(const Row&)>& delta)
    {
        const auto addOne = [&](ColumnRole role, int run, std::optional<double> Delta::*member) {
            ComparedColumn column = figure;
            column.role = role;
            column.run = run;
            addColumn(std::move(column),
                      [delta, member](const Row& row) { return numberCell(delta(row).*member); });
        };
        addOne(ColumnRole::Figure, 0, &Delta::base);
        addOne(ColumnRole::Figure, 1, &Delta::test);
        addOne(ColumnRole::Difference, -1, &Delta::difference);
    }
    /// The columns of addDifference(), the change in percent and the status.
    void addDelta(const std::string& name, TimeUnit unit,
                  const std::function<const Delta&(const Row&)>& delta)
    {
        addDifference({ColumnRole::Figure, name, unit}, delta);
        add(ColumnRole::Change, {}, [delta](const Row& row) { return numberCell(delta(row).change); });
        add(ColumnRole::Status, "status",
            [delta](const Row& row) { return Value(deltaStatusName(delta(row).status)); });
    }
    void addColumn(ComparedColumn column, Cell cell)
    {
        m_columns.push_back({titleOf(column), std::move(cell)});
        m_roles.push_back(std::move(column));
    }

    ComparedSheet sheet(ComparisonKind kind, std::string name, const std::vector<Row>& rows,
                        const std::function<ComparedSubject(const Row&)>& subject) const
    {
        ComparedSheet sheet{sheetOf(std::move(name), m_columns, rows), kind, m_roles, {}};
        for (const Row& row : rows)
            sheet.subjects.push_back(subject(row));
        return sheet;
    }

private:
    std::string titleOf(const ComparedColumn& column) const
    {
        const std::string suffix = column.name.empty() ? "" : "_" + column.name;
        switch (column.role) {
        case ColumnRole::Difference:
            return "diff" + suffix;
        case ColumnRole::Change:
            return "change_percent" + suffix;
        case ColumnRole::Improvement:
            return "percent_change" + suffix;
        case ColumnRole::Ratio:
            return "ratio" + suffix;
        default:
            return column.run < 0 ? column.name : m_labels[static_cast<std::size_t>(column.run)] + suffix;
        }
    }

    std::array<std::string, 2> m_labels; ///< of the runs
    std::vector<SheetColumn<Row>> m_columns;
    std::vector<ComparedColumn> m_roles;
};

/// Sorts the largest change first, including new and removed rows. Equal changes keep their order.
template<typename Row>
void sortByChange(std::vector<Row>& rows, const std::function<const Delta&(const Row&)>& delta)
{
    const auto change = [&delta](const Row& row) {
        const Delta& own = delta(row);
        return std::abs(own.difference.value_or(own.base.value_or(own.test.value_or(0))));
    };
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const Row& a, const Row& b) { return change(a) > change(b); });
}

/// Joins the rows of several runs. Rows with the same key are joined in order: the first row of each run,
/// then the second. All rows are kept: those of the first run in its order, then those that only the second
/// run has, and so on. `runs`: nullptr if a run has no such rows; they must outlive the result. Returns a row
/// of each run, or nullptr, for each joined row. O(rows log rows).
template<typename Row, typename KeyOf>
std::vector<std::vector<const Row*>> joinedRows(const std::vector<const std::vector<Row>*>& runs,
                                                const KeyOf& keyOf)
{
    using Key = std::decay_t<decltype(keyOf(std::declval<const Row&>()))>;
    std::vector<std::vector<const Row*>> joined;
    std::map<Key, std::vector<std::size_t>> known; // joined rows by key
    for (std::size_t run = 0; run < runs.size(); ++run) {
        if (!runs[run])
            continue;
        std::map<Key, std::size_t> taken; // by this run
        for (const Row& row : *runs[run]) {
            Key key = keyOf(row);
            std::vector<std::size_t>& own = known[key];
            std::size_t& next = taken[std::move(key)];
            if (next == own.size()) {
                own.push_back(joined.size());
                joined.emplace_back(runs.size(), nullptr);
            }
            joined[own[next++]][run] = &row;
        }
    }
    return joined;
}

/// The first row that exists.
template<typename Row>
const Row& anyOf(const std::vector<const Row*>& rows)
{
    return **std::find_if(rows.begin(), rows.end(), [](const Row* row) { return row; });
}

} // namespace collscope
