// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Commands that only agents have. They print a JSON object, then one JSON object for each row.

#include "app/commands/batch_run.h"
#include "metrics/analysis/analysis.h"

#include <map>

namespace collscope {

/// A query about one run.
class AgentQuery : public MeasuringCommand
{
public:
    void declare() override;

protected:
    virtual void declareQuery() { }
    /// What the answer is made of.
    virtual RunContents contents() const { return RunContents::Events; }
    int measure(const HardwareDatabasePtr& hardware) const override;
    /// What is printed, or why nothing is.
    virtual Result<std::string> answer(Analysis& analysis) const = 0;
};

/// Options of queries with rows.
struct RowChoice
{
    int most = 200;
    void declare(CommandOptions& options);
};

/// The rows with the largest keys, as lines of JSON: memory is that of the rows that are kept.
class TopRows
{
public:
    explicit TopRows(int most)
        : m_most(static_cast<std::size_t>(most))
    { }

    /// `make`: returns the row; called if it is kept for now. Equal keys keep the order in which they are
    /// added.
    template<typename Make>
    void add(std::int64_t key, const Make& make)
    {
        const std::pair place{~key, m_count++}; // the largest key first, without an overflow
        if (m_lines.size() == m_most) {
            if (place > std::prev(m_lines.end())->first)
                return;
            m_lines.erase(std::prev(m_lines.end()));
        }
        m_lines.emplace(place, jsonLine(make()));
    }
    /// Of all rows that were added.
    std::int64_t count() const { return static_cast<std::int64_t>(m_count); }
    /// `head` with the numbers of rows, then the rows.
    std::string text(Value::Object head) const;

private:
    std::size_t m_most;
    std::size_t m_count = 0;
    std::map<std::pair<std::int64_t, std::size_t>, std::string> m_lines;
};

/// Text for a cell: a longer one ends with "...", so that no name fills a page.
Value shortCell(std::string_view text);
/// The text for --goto: a time range on the axis, of all ranks.
std::string locationOn(const TraceModel& model, TimeRange axis);
/// The text for --goto: a slice; if its track has too long a name, the time range.
std::string locationOf(const TraceModel& model, SliceRef slice, TimeRange axis);
/// The range of a slice on the axis.
TimeRange onAxis(Analysis& analysis, SliceRef slice);

// Made for the table of tools.
std::unique_ptr<ProgramCommand> openQuery();
std::unique_ptr<ProgramCommand> collectivesQuery();
std::unique_ptr<ProgramCommand> stragglersQuery();
std::unique_ptr<ProgramCommand> gapsQuery();
std::unique_ptr<ProgramCommand> slicesQuery();
std::unique_ptr<ProgramCommand> compareQuery();

} // namespace collscope
