// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/metric_definitions.h"

#include "app/user_metrics.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QSettings>
#include <QStandardPaths>

#include <utility>

namespace collscope {

namespace {

const QString filesKey = QStringLiteral("metricDefinitions");

QString configuredFile()
{
    return QStandardPaths::locate(QStandardPaths::AppConfigLocation, QStringLiteral("metrics.toml"));
}

} // namespace

Result<MetricCatalog> loadMetricCatalog(const std::vector<std::string>& files)
{
    std::vector<std::string> all = files;
    if (const QString configured = configuredFile(); !configured.isEmpty())
        all.insert(all.begin(), configured.toStdString());
    MetricCatalog catalog;
    for (const std::string& file : all) {
        auto more = readUserMetrics(file, std::move(catalog));
        if (!more)
            return more;
        catalog = std::move(*more);
    }
    return catalog;
}

MetricDefinitions::MetricDefinitions(bool remembers, QObject* parent)
    : QObject(parent)
    , m_remembers(remembers)
{
    if (m_remembers)
        m_files = QSettings().value(filesKey).toStringList();
}

void MetricDefinitions::reload()
{
    QStringList files = m_files;
    if (const QString configured = configuredFile(); m_remembers && !configured.isEmpty())
        files.prepend(configured);
    MetricCatalog catalog;
    QString problem;
    for (const QString& file : std::as_const(files)) {
        auto more = readUserMetrics(file.toStdString(), catalog);
        if (more)
            catalog = std::move(*more);
        else if (problem.isEmpty())
            problem = QString::fromStdString(more.error().message);
    }
    m_catalog = std::move(catalog);
    emit changed();
    if (!problem.isEmpty())
        emit failed(problem);
}

void MetricDefinitions::add(const QString& file)
{
    const QString path = QFileInfo(file).absoluteFilePath();
    if (m_files.contains(path)) {
        reload(); // chosen again because it changed
        return;
    }
    auto more = readUserMetrics(path.toStdString(), m_catalog);
    if (!more) {
        emit failed(QString::fromStdString(more.error().message));
        return;
    }
    m_catalog = std::move(*more);
    m_files << path;
    remember();
    emit changed();
}

void MetricDefinitions::remove(const QString& file)
{
    m_files.removeAll(file);
    remember();
    reload();
}

void MetricDefinitions::remember() const
{
    if (m_remembers)
        QSettings().setValue(filesKey, m_files);
}

void MetricDefinitions::fill(QMenu* menu)
{
    menu->clear();
    menu->addAction(tr("&Add a file..."), this, [this, menu] {
        const QString file = QFileDialog::getOpenFileName(menu->window(), tr("Add metric definitions"), {},
                                                          tr("Metric definitions (*.toml);;All files (*)"));
        if (!file.isEmpty())
            add(file);
    });
    if (!m_files.isEmpty())
        menu->addSeparator();
    for (const QString& file : std::as_const(m_files)) {
        QAction* action = menu->addAction(QDir::toNativeSeparators(file));
        action->setCheckable(true);
        action->setChecked(true);
        // Not while the action itself is on the stack: to remove a file fills the menu again.
        connect(
            action, &QAction::triggered, this, [this, file] { remove(file); }, Qt::QueuedConnection);
    }
}

} // namespace collscope
