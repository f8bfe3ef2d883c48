// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/comparison/runs_window.h"

#include "app/parts/save_file.h"
#include "metrics/export/leaderboard.h"
#include "views/common/format.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QVBoxLayout>

#include <algorithm>

namespace collscope {

namespace {

/// Returns the card fields that distinguish runs; the CSV contains all fields.
QStringList shownFields()
{
    return QStringLiteral(
               "model_family hardware_model total_count tp pp dp_shard batch_size seq_len framework")
        .split(u' ');
}

QString fieldText(const Value& value)
{
    if (const auto* text = value.as<std::string>())
        return toText(*text);
    if (const auto* whole = value.as<std::int64_t>())
        return QString::number(*whole);
    if (const auto* number = value.as<double>())
        return toText(numberText(*number));
    if (const auto* flag = value.as<bool>())
        return *flag ? QStringLiteral("true") : QStringLiteral("false");
    return {};
}

/// Returns the dashboard's metrics and the user-defined metrics; the CSV contains all metrics.
std::vector<const MetricDescriptor*> shownMetrics(const std::vector<MetricRequest>& requests)
{
    std::vector<const MetricDescriptor*> metrics;
    for (const std::string_view id : dashboardMetrics()) {
        const auto request = findMetric(id);
        if (request && std::find(metrics.begin(), metrics.end(), request->metric) == metrics.end())
            metrics.push_back(request->metric);
    }
    for (const MetricRequest& request : requests) {
        if (request.user)
            metrics.push_back(request.metric);
    }
    return metrics;
}

} // namespace

RunsWindow::RunsWindow(std::vector<MetricRequest> requests, std::shared_ptr<const HardwareDatabase> hardware,
                       QWidget* parent)
    : QWidget(parent, Qt::Window)
    , m_requests(std::move(requests))
    , m_hardware(std::move(hardware))
    , m_banner(new Banner(this))
    , m_table(new RunTable(this))
{
    setWindowTitle(tr("Runs \u2014 Collscope"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/collscope.svg")));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_banner);
    layout->addWidget(m_table);
    resize(1300, 640);
    connect(m_table, &RunTable::foldersRequested, this, &RunsWindow::chooseFolder);
    connect(m_table, &RunTable::exportRequested, this, &RunsWindow::saveCsv);
    connect(m_table, &RunTable::runActivated, this,
            [this](const QString& label) { emit runActivated(m_paths.value(label, {label})); });
    connect(&m_job, &RunsJob::runsFound, this,
            [this](const std::shared_ptr<const LoadedRun>& list) { onRunsFound(*list); });
    connect(&m_job, &RunsJob::runLoaded, this,
            [this](const std::shared_ptr<const LoadedRun>& run) { onRunLoaded(*run); });
}

void RunsWindow::openFolders(const QStringList& folders)
{
    m_loaded.clear();
    m_banner->retract(QStringLiteral("others"));
    m_job.start(folders, m_requests, m_hardware);
}

void RunsWindow::onRunsFound(const LoadedRun& list)
{
    m_paths.clear();
    QStringList labels;
    for (const ListedRun& run : list.runs) {
        labels << toText(run.label);
        for (const std::string& path : run.paths)
            m_paths[labels.back()] << QFile::decodeName(QByteArray::fromStdString(path));
    }
    m_table->begin(labels, shownMetrics(m_requests), shownFields());
    QStringList others;
    for (const std::string& name : list.others)
        others << toText(name);
    if (!others.isEmpty())
        m_banner->showMessage({BannerTone::Information,
                               tr("These folders contain no runs: %1").arg(others.join(QStringLiteral(", "))),
                               QStringLiteral("others")});
}

void RunsWindow::onRunLoaded(const LoadedRun& run)
{
    RunRow row;
    row.path = toText(run.results.label);
    row.name = QFileInfo(row.path).fileName();
    row.status = run.status;
    row.isDone = true;
    for (const auto& [field, value] : run.results.card)
        row.card.emplace_back(toText(field), fieldText(value));
    for (const NamedResult& named : run.results.results)
        row.results.emplace_back(named.request, named.result);
    m_table->setRow(row);
    if (run.status)
        m_loaded.push_back(run.results);
}

QByteArray RunsWindow::csv() const
{
    std::vector<RunResults> shown;
    for (const QString& path : m_table->shownPaths()) {
        const auto found = std::find_if(m_loaded.begin(), m_loaded.end(),
                                        [&](const RunResults& run) { return toText(run.label) == path; });
        if (found != m_loaded.end())
            shown.push_back(*found);
    }
    return QByteArray::fromStdString(runsCsv(shown));
}

void RunsWindow::chooseFolder()
{
    const QString folder
        = QFileDialog::getExistingDirectory(this, tr("Choose a folder that contains several runs"));
    if (!folder.isEmpty())
        openFolders({folder});
}

void RunsWindow::saveCsv()
{
    askWhereToSave(this, tr("Export runs"), QStringLiteral("runs.csv"), {tr("CSV (*.csv)")},
                   [this](const QString& path) {
                       m_banner->retract(QStringLiteral("export"));
                       if (const Status written = saveFile(path, csv()); !written)
                           m_banner->showMessage({BannerTone::Error, toText(written.error().message),
                                                  QStringLiteral("export")});
                   });
}

} // namespace collscope
