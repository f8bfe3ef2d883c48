// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/controller.h"

#include <QTimer>

namespace collscope {

class TimelineView;

/// Offers to show the highlighted items of a metric if none of them is visible.
class EvidenceController : public Controller
{
    Q_OBJECT

public:
    EvidenceController(WindowContext& context, const TimelineView& timeline);

private:
    void offer();
    void showNearest();

    const TimelineView& m_timeline;
    QTimer m_settled; ///< runs until the highlighted items and the visible range have settled
    bool m_isNew = false;
};

} // namespace collscope
