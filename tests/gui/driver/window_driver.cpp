// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/gui/driver/window_driver.h"

#include "tests/support/workloads/run_writer.h"
#include "views/charts/nvlink_chart.h"
#include "views/timeline/timeline_view.h"

#include <QAction>
#include <QFileDialog>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

namespace collscope {

std::unique_ptr<MainWindow> shownWindow()
{
    auto window = std::make_unique<MainWindow>(UserSettings::Ignore);
    window->resize(1500, 1000);
    window->show();
    return QTest::qWaitForWindowExposed(window.get()) ? std::move(window) : nullptr;
}

bool openAndWait(MainWindow& window, const QStringList& paths, const LoadOptions& options)
{
    QSignalSpy opened(&window, &MainWindow::runOpened);
    window.openPaths(paths, options);
    const bool isOpen = opened.wait(30'000);
    const bool isDone = QTest::qWaitFor([&] { return !window.isComputing(); }, 30'000);
    QCoreApplication::processEvents();
    return isOpen && isDone;
}

void doubleClick(QWidget* widget, QPoint position)
{
    QTest::mouseDClick(widget, Qt::LeftButton, {}, position);
    QTest::mouseRelease(widget, Qt::LeftButton, {}, position);
}

WorkloadDescription smallWorkload()
{
    WorkloadDescription description;
    description.dataParallel = 1;
    description.peaks = {{0, 70}, {2, 150}};
    return description;
}

void writeSmallRun(const QString& folder)
{
    writeRun(planRun(smallWorkload()), folder.toStdString(), RunFiles());
}

QString writeKineto(const QString& path, int rank, const QStringList& events)
{
    const QString text = QStringLiteral("{\"schemaVersion\": 1, \"distributedInfo\": {\"rank\": %1, "
                                        "\"world_size\": 8},\n\"traceEvents\": [\n%2\n]}\n")
                             .arg(rank)
                             .arg(events.join(QStringLiteral(",\n")));
    std::filesystem::create_directories(std::filesystem::path(path.toStdString()).parent_path());
    writeFile(path.toStdString(), text.toStdString());
    return path;
}

QString completeEvent(const char* category, const QString& name, int pid, int tid, double startUs,
                      double durationUs)
{
    const QString args = QLatin1String(category) == QLatin1String("kernel")
        ? QStringLiteral(", \"args\": {\"device\": %1, \"stream\": %2}").arg(pid).arg(tid)
        : QString();
    return QStringLiteral(
               "{\"ph\": \"X\", \"cat\": \"%1\", \"name\": \"%2\", \"pid\": %3, \"tid\": %4, \"ts\": %5, "
               "\"dur\": %6%7}")
        .arg(QLatin1String(category), name)
        .arg(pid)
        .arg(tid)
        .arg(startUs, 0, 'f', 3)
        .arg(durationUs, 0, 'f', 3)
        .arg(args);
}

void dragOverTimeline(MainWindow& window, double from, double to)
{
    const QRect lanes = window.view<TimelineView>()->lanesRect();
    QWidget* viewport = window.view<TimelineView>()->viewport();
    const auto at = [&](double share) {
        return QPoint(lanes.left() + static_cast<int>(lanes.width() * share), lanes.center().y());
    };
    QTest::mousePress(viewport, Qt::LeftButton, {}, at(from));
    QTest::mouseMove(viewport, at((from + to) / 2));
    QTest::mouseMove(viewport, at(to));
    QTest::mouseRelease(viewport, Qt::LeftButton, {}, at(to));
}

void clickPeak(MainWindow& window, std::size_t index)
{
    NvlinkChart& chart = *window.view<NvlinkChart>();
    const QPoint marker = chart.peakPosition(index).value_or(QPoint());
    QTest::mouseClick(chart.viewport(), Qt::LeftButton, {}, chart.viewport()->mapFrom(&chart, marker));
}

QAction* entryNamed(const QWidget& of, const QString& name)
{
    const QList<QAction*> entries = of.actions();
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&](const QAction* entry) { return entry->objectName() == name; });
    return found == entries.end() ? nullptr : *found;
}

bool answerFileDialog(QWidget& window, const QString& path)
{
    auto* dialog = window.findChild<QFileDialog*>();
    if (!dialog)
        return false;
    auto* name = dialog->findChild<QLineEdit*>();
    name->setText(path);
    QMetaObject::invokeMethod(dialog, "accept");
    delete dialog; // at once: there is one at a time
    return true;
}

} // namespace collscope
