// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Logs of jobs. One log has the steps of the training, their times (history/step_lines.h) and, at its end,
// what the watchdogs said: all of it is read, whatever the log was recognised by.

#include "model/readers/text/measurement_text.h"

#include <string>
#include <string_view>

namespace collscope {

/// Splits a stream into lines (at \n or \r: progress bars) and passes each to `take`, unless it is longer
/// than any that a program writes for people.
class LogLines
{
public:
    template<typename Take>
    void add(std::string_view text, const Take& take)
    {
        while (true) {
            const std::size_t end = text.find_first_of("\r\n");
            const std::string_view part = text.substr(0, end);
            if (m_open.size() + part.size() <= longestLine)
                m_open.append(part);
            else
                m_tooLong = true;
            if (end == std::string_view::npos)
                return;
            ++m_count;
            if (!m_tooLong)
                take(std::string_view(m_open));
            m_open.clear();
            m_tooLong = false;
            text.remove_prefix(end + 1);
        }
    }

    /// The number of the line that is passed on, from 1.
    std::uint64_t count() const { return m_count; }

private:
    static constexpr std::size_t longestLine = std::size_t{64} * 1024;
    std::string m_open;
    std::uint64_t m_count = 0;
    bool m_tooLong = false;
};

/// The step that a line reports; nullopt if it is another line.
std::optional<LoggedStep> loggedStep(std::string_view line);

/// Reads steps, their times and lines of watchdogs. `kind`: what the log was recognised as; an error if it
/// has none of them.
Result<TraceFragment> readLog(const SourceFile& file, const ReadContext& context, SourceKind kind);

} // namespace collscope
