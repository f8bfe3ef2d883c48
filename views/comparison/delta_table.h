// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A sheet of a comparison as a table that shows differences with sign, colour and verdict.

#include "metrics/comparison/compared_locations.h"
#include "views/tables/cell_table.h"

namespace collscope {

/// Emits the subject of a row that is clicked or reached by keys.
class DeltaTable : public CellTable
{
    Q_OBJECT

public:
    explicit DeltaTable(const QString& name, QWidget* parent = nullptr);

    /// `sheet`: asRead(). `base`, `test`: names of the runs.
    void setSheet(const ComparedSheet& sheet, const std::string& base, const std::string& test,
                  double thresholdPercent);
    const ComparedSheet& sheet() const { return m_sheet; }

signals:
    void subjectChosen(const collscope::ComparedSubject& subject);

private:
    ComparedSheet m_sheet;
};

} // namespace collscope
