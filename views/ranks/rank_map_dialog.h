// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Assigns ranks to trace files, for runs whose files do not state their rank or state a wrong one.

#include "model/trace_model.h"

#include <QDialog>

#include <map>

class QTableWidget;

namespace collscope {

class RankMapDialog : public QDialog
{
    Q_OBJECT

public:
    /// Keyed by the end of a file's path, like LoadOptions::ranks.
    using Ranks = std::map<std::string, std::int32_t>;

    /// Lists the trace files of a run with the ranks that they were loaded as.
    RankMapDialog(const TraceModel& model, Ranks chosen, QWidget* parent = nullptr);

    /// The earlier choices and the changes made now; files with an unchanged rank are not included.
    Ranks ranks() const;
    QTableWidget* table() const { return m_table; }

private:
    struct File
    {
        std::string end; ///< end of its path, relative to the opened folder
        std::optional<std::int32_t> found; ///< rank that the file was loaded as
    };
    void forgetChoices();

    std::vector<File> m_files; ///< in the order of the rows
    Ranks m_chosen;
    QTableWidget* m_table;
};

} // namespace collscope
