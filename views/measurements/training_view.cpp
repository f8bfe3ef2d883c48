// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/measurements/training_view.h"

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/measurements/small_chart.h"

#include <QHBoxLayout>
#include <QScrollArea>

#include <set>

namespace collscope {

namespace {

/// A figure of a log line and the unit in which it is drawn.
struct LoggedFigure
{
    std::optional<double> LoggedStep::*member;
    const char* title;
    double unit;
};

constexpr double gigabyte = 1e9;
constexpr LoggedFigure figures[]
    = {{&LoggedStep::loss, QT_TRANSLATE_NOOP("collscope::TrainingView", "Loss"), 1},
       {&LoggedStep::gradientNorm, QT_TRANSLATE_NOOP("collscope::TrainingView", "Gradient norm"), 1},
       {&LoggedStep::tokensPerSecond, QT_TRANSLATE_NOOP("collscope::TrainingView", "Tokens/s per GPU"), 1},
       {&LoggedStep::memoryBytes, QT_TRANSLATE_NOOP("collscope::TrainingView", "Memory GB"), gigabyte},
       {&LoggedStep::mfuPercent, QT_TRANSLATE_NOOP("collscope::TrainingView", "MFU %"), 1},
       {&LoggedStep::learningRate, QT_TRANSLATE_NOOP("collscope::TrainingView", "Learning rate"), 1}};

} // namespace

TrainingView::TrainingView(ViewState* state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
{
    setObjectName(QStringLiteral("trainingView"));
    setAccessibleName(tr("Values logged by the training program, over steps"));
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    auto* area = new QScrollArea(this);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    auto* page = new QWidget(area);
    page->setBackgroundRole(QPalette::Base);
    m_row = new QHBoxLayout(page);
    m_row->setContentsMargins(4, 4, 4, 4);
    m_row->setSpacing(4);
    area->setWidget(page);
    all->addWidget(area);
    connect(&state->run(), &RunContext::modelChanged, this, &TrainingView::onModelChanged);
    onModelChanged();
}

void TrainingView::onModelChanged()
{
    m_run = m_state->run().model() ? loggedRun(*m_state->run().model()) : LoggedRun();
    showRun();
    emit wantedChanged();
}

void TrainingView::showRun()
{
    qDeleteAll(m_charts);
    m_charts.clear();
    std::set<std::int64_t> profiled; // steps after which a profile was written
    if (m_state->run().model()) {
        for (const Timeline& timeline : m_state->run().model()->timelines)
            profiled.insert(timeline.iteration);
    }
    for (const LoggedFigure& figure : figures) {
        SmallChartContent content;
        content.title = tr(figure.title);
        std::vector<std::int64_t> steps;
        for (const auto& [number, step] : m_run.steps) {
            if (const auto& value = step.*figure.member) {
                content.points.emplace_back(static_cast<double>(number), *value / figure.unit);
                steps.push_back(number);
            }
        }
        if (content.points.empty())
            continue;
        for (const std::int64_t step : profiled) {
            if (step >= 0)
                content.marks.push_back({static_cast<double>(step), tr("profile")});
        }
        content.color = lineColor(m_charts.size(), palette());
        content.describe = [title = content.title, points = content.points, steps](std::size_t point) {
            return tr("step %1: %2 %3")
                .arg(QString::number(steps[point]), title, QString::number(points[point].y(), 'g', 6));
        };
        auto* chart = new SmallChart(this);
        chart->setContent(std::move(content));
        m_row->addWidget(chart, 1);
        m_charts.push_back(chart);
    }
}

void TrainingView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        showRun(); // the lines' colours depend on the palette
    QWidget::changeEvent(event);
}

} // namespace collscope
