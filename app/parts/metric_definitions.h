// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The user-defined metrics and kernel rules of the window, and the menu of their files (definition_files.h).

#include "metrics/definitions/metric_catalog.h"
#include "model/building/kernel_rules.h"
#include "model/result.h"

#include <QObject>
#include <QStringList>

#include <string>
#include <vector>

class QMenu;

namespace collscope {

/// The metrics of the window and its menu of definition files, which are stored in QSettings.
class MetricDefinitions : public QObject
{
    Q_OBJECT

public:
    /// Without `remembers`, the user's files on this machine are neither read nor written.
    explicit MetricDefinitions(bool remembers, QObject* parent = nullptr);

    const MetricCatalog& catalog() const { return m_catalog; }
    const QStringList& files() const { return m_files; }
    /// Returns the current kernel rules. A file with an error is skipped and reported. The files are read
    /// each time, so that a run is always loaded with their current content.
    std::vector<KernelRule> kernelRules();
    /// Adds a rule to communication.toml of the configuration folder; without `remembers`, for the lifetime
    /// of the window only.
    Status addKernelRule(const KernelRule& rule);
    /// Reads all files again. Files with errors are skipped, and the first error is reported.
    void reload();
    /// Adds a file. A file with an error is reported and not added.
    void add(const QString& file);
    void remove(const QString& file);
    /// Fills the menu with a file dialog and a check mark per file, which removes it.
    void fill(QMenu* menu);

signals:
    void changed(); ///< the set of metrics has changed
    void failed(const QString& problem);

private:
    void remember();
    QStringList allFiles() const; ///< those of the configuration folder, then the added files

    bool m_remembers;
    QStringList m_files;
    std::vector<KernelRule> m_unwrittenRules; ///< added without `remembers`
    MetricCatalog m_catalog;
};

} // namespace collscope
