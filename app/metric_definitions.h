// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Where user-defined metrics and rules for kernel names come from: metrics.toml and communication.toml of the
// configuration folder, then files that a person names.

#include "metrics/metric_catalog.h"
#include "model/kernel_rules.h"
#include "model/result.h"

#include <QObject>
#include <QStringList>

#include <string>
#include <vector>

class QMenu;

namespace collscope {

/// The built-in metrics, those of the configuration folder, then those of `files`. An error names file and
/// line.
Result<MetricCatalog> loadMetricCatalog(const std::vector<std::string>& files);
/// The rules for kernel names of the same files, in the same order: later ones outrank earlier ones.
Result<std::vector<KernelRule>> loadKernelRules(const std::vector<std::string>& files);

/// The metrics of the window, and its menu of definition files, which QSettings remembers.
class MetricDefinitions : public QObject
{
    Q_OBJECT

public:
    /// Without `remembers` nothing is read that a person has on this machine, and nothing written.
    explicit MetricDefinitions(bool remembers, QObject* parent = nullptr);

    const MetricCatalog& catalog() const { return m_catalog; }
    const QStringList& files() const { return m_files; }
    /// The rules for kernel names that the files say now; a wrong file is left out and told. Read anew each
    /// time: a run is loaded with what is there.
    std::vector<KernelRule> kernelRules();
    /// Adds a rule to communication.toml of the configuration folder. Where nothing is remembered it holds as
    /// long as the window. The answer: "", or why it was not written.
    QString addKernelRule(const KernelRule& rule);
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
    QStringList allFiles() const; ///< of the configuration folder, then those added

    bool m_remembers;
    QStringList m_files;
    std::vector<KernelRule> m_unwrittenRules; ///< added where nothing is remembered
    MetricCatalog m_catalog;
};

} // namespace collscope
