// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/parts/metric_definitions.h"

#include "app/files/definition_files.h"
#include "app/files/user_folders.h"
#include "app/files/user_metrics.h"
#include "app/files/whole_file.h"

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QSettings>

#include <utility>

namespace collscope {

namespace {

const QString filesKey = QStringLiteral("metricDefinitions");

QStringList configuredFiles()
{
    QStringList files;
    for (const std::string& file : configuredDefinitionFiles())
        files << QString::fromStdString(file);
    return files;
}

Error ioError(const QString& message)
{
    return {Error::Kind::Io, message.toStdString()};
}

} // namespace

MetricDefinitions::MetricDefinitions(bool remembers, QObject* parent)
    : QObject(parent)
    , m_remembers(remembers)
{
    if (m_remembers)
        m_files = QSettings().value(filesKey).toStringList();
}

void MetricDefinitions::reload()
{
    MetricCatalog catalog;
    Status first;
    for (const QString& file : allFiles()) {
        auto more = readUserMetrics(file.toStdString(), catalog);
        if (more)
            catalog = std::move(*more);
        else if (first)
            first = more.error();
    }
    m_catalog = std::move(catalog);
    emit changed();
    if (!first)
        emit failed(QString::fromStdString(first.error().message));
}

QStringList MetricDefinitions::allFiles() const
{
    return m_remembers ? configuredFiles() + m_files : m_files;
}

std::vector<KernelRule> MetricDefinitions::kernelRules()
{
    std::vector<KernelRule> rules;
    Status first;
    for (const QString& file : allFiles()) {
        const auto more = readKernelRules(file.toStdString());
        if (more)
            rules.insert(rules.end(), more->begin(), more->end());
        else if (first)
            first = more.error();
    }
    rules.insert(rules.end(), m_unwrittenRules.begin(), m_unwrittenRules.end());
    if (!first)
        emit failed(QString::fromStdString(first.error().message));
    return rules;
}

Status MetricDefinitions::addKernelRule(const KernelRule& rule)
{
    if (!m_remembers) {
        m_unwrittenRules.push_back(rule);
        return {};
    }
    const QString config = QFile::decodeName(userConfigFolder().c_str());
    const QDir folder(config);
    if (config.isEmpty() || !folder.mkpath(QStringLiteral(".")))
        return ioError(tr("Cannot create the folder %1").arg(QDir::toNativeSeparators(folder.path())));
    const QString path = folder.filePath(QString::fromLatin1(kernelRulesFile));
    QByteArray text(
        "# Rules for kernel names, added in Collscope's timeline. If several match, the last one counts.\n");
    QFile file(path);
    if (file.exists()) {
        if (!file.open(QIODevice::ReadOnly))
            return ioError(tr("Cannot read %1").arg(QDir::toNativeSeparators(path)));
        text = file.readAll();
    }
    return writeWholeFile(QFile::encodeName(path).toStdString(), text.toStdString() + kernelRuleText(rule));
}

void MetricDefinitions::add(const QString& file)
{
    const QString path = QFileInfo(file).absoluteFilePath();
    if (m_files.contains(path)) {
        reload(); // chosen again because it has changed
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

void MetricDefinitions::remember()
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
        action->setObjectName(file);
        action->setCheckable(true);
        action->setChecked(true);
        // Queued, because removing a file refills the menu while the action would still be on the stack.
        connect(
            action, &QAction::triggered, this, [this, file] { remove(file); }, Qt::QueuedConnection);
    }
}

} // namespace collscope
