// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What the comparison window writes: the reports of --batch, a table, a picture.

#include "app/comparison_window.h"
#include "app/save_file.h"
#include "app/view_export.h"
#include "views/comparison/delta_table.h"
#include "views/format.h"

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
    m_exportJob.ask([runs, options = m_options, percent = m_threshold->value(),
                     name = QFile::encodeName(folder).toStdString()](
                        QPromise<std::shared_ptr<const WrittenReports>>& promise) {
        MetricOptions cancellable = options;
        cancellable.cancelled = [&] { return promise.isCanceled(); };
        auto written
            = std::make_shared<const WrittenReports>(writeComparison(runs, cancellable, percent, name));
        if (!promise.isCanceled())
            promise.addResult(std::move(written));
    });
}

void ComparisonWindow::onWritten(const WrittenReports& written)
{
    m_isExporting = false;
    updateActions();
    if (!isBusy())
        setBusy({});
    QStringList files;
    for (const std::string& file : written.files)
        files << QFile::decodeName(QByteArray::fromStdString(file));
    if (written.problem.empty())
        m_status->setText(tr("Wrote %1 files").arg(files.size()));
    else
        m_banner->showMessage({BannerTone::Error,
                               tr("The reports are not complete: %1").arg(toText(written.problem)),
                               QStringLiteral("export")});
    emit exported(files);
}

void ComparisonWindow::exportTable()
{
    QWidget* const tab = m_view->tabs()->currentWidget();
    auto* table = qobject_cast<DeltaTable*>(tab);
    if (!table && tab)
        table = tab->findChild<DeltaTable*>();
    if (!table)
        return;
    QList<int> rows;
    for (int row = 0; row < table->model()->rowCount(); ++row)
        rows << row;
    const QByteArray csv = tableAsCsv(*table->model(), rows).toUtf8();
    askWhereToSave(this, tr("Export"), table->objectName() + QStringLiteral(".csv"), {tr("CSV (*.csv)")},
                   [this, csv](const QString& path) { tellSaved(path, saveFile(path, csv)); });
}

void ComparisonWindow::exportPicture()
{
    const QStringList kinds{tr("PNG, pixels (*.png)"), tr("PDF, vectors (*.pdf)"),
                            tr("SVG, vectors (*.svg)")};
    askWhereToSave(this, tr("Export the window"), fileNameOf(windowTitle()) + QStringLiteral(".png"), kinds,
                   [this](const QString& path) {
                       if (const auto format = pictureFormatOf(path))
                           tellSaved(path, saveFile(path, pictureOf(*this, *format, windowTitle())));
                   });
}

void ComparisonWindow::tellSaved(const QString& path, const QString& problem)
{
    m_banner->retract(QStringLiteral("export"));
    if (problem.isEmpty())
        m_status->setText(tr("Wrote %1").arg(path));
    else
        m_banner->showMessage({BannerTone::Error, problem, QStringLiteral("export")});
}

} // namespace collscope
