// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/collective_rows_job.h"
#include "app/parts/controller.h"

namespace collscope {

class CollectivesTable;
class LatenessMap;
class MatchController;

/// Lists the matched collectives, on the selected clocks, for the tabs "Collectives" and "Lateness".
class CollectivesController : public Controller
{
    Q_OBJECT

public:
    CollectivesController(WindowContext& context, const MatchController& match);

    CollectivesTable* table() const { return m_table; }
    LatenessMap* map() const { return m_map; }
    void cancel() override { m_job.cancel(); }
    bool isComputing() const override { return m_job.isPending(); }

signals:
    void ready();

private:
    /// Lists the collectives again, because they have been matched or their clocks have changed.
    void list();

    CollectivesTable* m_table;
    LatenessMap* m_map;
    CollectiveRowsJob m_job;
};

} // namespace collscope
