// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Tool tips of the timeline. Times are on the common axis.

#include <QPoint>
#include <QString>

namespace collscope {

class TimelineGeometry;

/// Describes what is at a position of the viewport; empty if there is nothing.
QString timelineToolTip(const TimelineGeometry& geometry, QPoint position);

} // namespace collscope
