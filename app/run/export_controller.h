// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/controller.h"

#include <functional>

class QMenu;
class QWidget;

namespace collscope {

class MetricsController;
class MetricsPanel;
class TimelineArea;

/// Writes what the window shows: metrics, tables, and pictures of its parts.
class ExportController : public Controller
{
    Q_OBJECT

public:
    /// The window has all its views: their tables are connected.
    ExportController(WindowContext& context, const MetricsController& metrics, MetricsPanel& panel,
                     const TimelineArea& area);

private:
    QString nameOfMetrics();
    void connectTables();
    void buildMenu(MetricsPanel& panel, const TimelineArea& area);
    void save(const QString& suggestion, const QString& filter, const QByteArray& content);
    /// Asks for a file and writes the current content of the widget into it. `part`: its name in file names
    /// and titles.
    void saveView(const QString& part, QWidget* widget);
};

} // namespace collscope
