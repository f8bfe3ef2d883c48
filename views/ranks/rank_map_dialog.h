// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which rank each trace file is, for runs whose files do not say it, or say it wrong.

#include "model/trace_model.h"

#include <QDialog>

#include <map>

class QTableWidget;

namespace collscope {

class RankMapDialog : public QDialog
{
    Q_OBJECT

public:
    /// By the end of a file's path, as LoadOptions::ranks.
    using Ranks = std::map<std::string, std::int32_t>;

    /// The trace files of a run with the ranks that they were taken for.
    RankMapDialog(const TraceModel& model, Ranks chosen, QWidget* parent = nullptr);

    /// What was chosen before and what is changed now; files that are as they were found are not in it.
    Ranks ranks() const;
    QTableWidget* table() const { return m_table; }

private:
    struct File
    {
        std::string end; ///< of its path, from the folder that was opened on
        std::optional<std::int32_t> found; ///< rank that it was taken for
    };
    void forgetChoices();

    std::vector<File> m_files; ///< as rows
    Ranks m_chosen;
    QTableWidget* m_table;
};

} // namespace collscope
