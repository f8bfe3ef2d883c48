// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Where user-defined metrics come from: metrics.toml of the configuration folder, then files that a person
// names.

#include "metrics/metric_catalog.h"
#include "model/result.h"

#include <QObject>
#include <QStringList>

#include <string>
#include <vector>

class QMenu;

namespace collscope {

/// The built-in metrics, metrics.toml of the configuration folder if there is one, then `files`. An error
/// names file and line.
Result<MetricCatalog> loadMetricCatalog(const std::vector<std::string>& files);

/// The metrics of the window, and its menu of definition files, which QSettings remembers.
class MetricDefinitions : public QObject
{
    Q_OBJECT

public:
    /// Without `remembers` nothing is read that a person has on this machine, and nothing written.
    explicit MetricDefinitions(bool remembers, QObject* parent = nullptr);

    const MetricCatalog& catalog() const { return m_catalog; }
    const QStringList& files() const { return m_files; }
    /// Reads all files again. One that is wrong is left out, and the first such problem is told.
    void reload();
    /// Adds a file; one with a mistake is told and not added.
    void add(const QString& file);
    void remove(const QString& file);
    /// Makes the menu offer a file dialog, and a tick to take away for each file.
    void fill(QMenu* menu);

signals:
    void changed(); ///< there are other metrics now
    void failed(const QString& problem);

private:
    void remember() const;

    bool m_remembers;
    QStringList m_files;
    MetricCatalog m_catalog;
};

} // namespace collscope
