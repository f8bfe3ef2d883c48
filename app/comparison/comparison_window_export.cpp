// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Output of the comparison window: the reports of --batch, a table, a picture.

#include "app/comparison/comparison_window.h"
#include "app/parts/save_file.h"
#include "app/parts/view_export.h"
#include "app/runtime/stop_request.h"
#include "views/common/format.h"
#include "views/tables/table_text.h"

#include <QDoubleSpinBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QTabWidget>

namespace collscope {

void ComparisonWindow::exportReports(bool ofAllRuns)
{
    std::vector<ComparisonRun> runs{m_base};
    for (std::size_t i = 0; i < m_tests.size(); ++i) {
        if (ofAllRuns || static_cast<int>(i) == m_shown)
            runs.push_back(m_tests[i]);
    }
    auto* dialog = new QFileDialog(this, tr("Write reports into a folder"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, runs](const QString& folder) { writeReports(runs, folder); });
    dialog->open();
}

void ComparisonWindow::writeReports(const std::vector<ComparisonRun>& runs, const QString& folder)
{
    m_isExporting = true;
    m_banner->retract(QStringLiteral("export"));
    setBusy(tr("Writing reports into %1\u2026").arg(folder));
    updateActions();
    m_exportJob.ask(
        [runs, options = m_options, percent = m_threshold->value(),
         name = QFile::encodeName(folder).toStdString()](
            QPromise<std::shared_ptr<const WrittenReports>>& promise, const std::stop_token& stop) {
            MetricOptions cancellable = options;
            cancellable.cancelled = asksWhetherToStop(stop);
            auto written
                = std::make_shared<const WrittenReports>(writeComparison(runs, cancellable, percent, name));
            if (!stop.stop_requested())
                promise.addResult(std::move(written));
        });
}

void ComparisonWindow::onWritten(const WrittenReports& written)
{
    m_isExporting = false;
    updateActions();
    if (!isWorking())
        setBusy({});
    QStringList files;
    for (const std::string& file : written.files)
        files << QFile::decodeName(QByteArray::fromStdString(file));
    if (written.status)
        tellInPassing(m_bar, tr("Wrote %n file(s)", nullptr, static_cast<int>(files.size())));
    else
        m_banner->showMessage(
            {BannerTone::Error,
             tr("The reports are incomplete: %1").arg(toText(written.status.error().message)),
             QStringLiteral("export")});
    emit exported(files);
}

void ComparisonWindow::exportTable()
{
    const QWidget* const tab = m_view->tabs()->currentWidget();
    if (auto* const table = tab ? tab->findChild<TableExport*>() : nullptr)
        table->ask();
}

void ComparisonWindow::exportPicture()
{
    askWhereToSave(this, tr("Export the window"), fileNameOf(windowTitle()) + QStringLiteral(".png"),
                   pictureFilters(), [this](const QString& path) {
                       tellSaved(m_bar, *m_banner, path, savePicture(path, *this, windowTitle()));
                   });
}

} // namespace collscope
