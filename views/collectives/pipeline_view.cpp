// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/collectives/pipeline_view.h"

#include "metrics/calls/workload.h"
#include "views/collectives/pipeline_lanes.h"
#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/widgets/content_stack.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>

#include <algorithm>

namespace collscope {

namespace {

/// Whether ranks with unknown stages send to each other.
bool sendsToOthers(const RunCollectives& run)
{
    return std::any_of(run.matching.groups.begin(), run.matching.groups.end(), [](const ProcessGroup& group) {
        return group.kind == ProcessGroup::Kind::Pair || group.kind == ProcessGroup::Kind::Unpaired;
    });
}

QString percent(double share)
{
    return formatPercent(100 * share);
}

} // namespace

PipelineView::PipelineView(ViewState* state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_pages(new ContentStack(this))
    , m_page(new QWidget(this))
    , m_summary(new QLabel(this))
    , m_chooserLabel(new QLabel(tr("&Ranks"), this))
    , m_chooser(new QComboBox(this))
    , m_lanes(new PipelineLanes(state, this))
{
    setObjectName(QStringLiteral("pipelineView"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_summary->installEventFilter(this);
    m_summary->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_chooserLabel->setBuddy(m_chooser);
    m_chooser->setObjectName(QStringLiteral("pipelineRanks"));
    m_chooser->setAccessibleName(tr("Ranks that represent their stages"));
    m_chooser->setToolTip(tr("Each stage is represented by the rank at this position in the mesh"));
    m_chooser->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(10, 3, 10, 3);
    bar->setSpacing(8);
    bar->addWidget(m_summary, 1);
    bar->addWidget(new PipelineLegend(m_page));
    bar->addWidget(m_chooserLabel);
    bar->addWidget(m_chooser);
    auto* layout = new QVBoxLayout(m_page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_lanes, 1);
    m_pages->addWidget(m_page);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(m_pages);
    connect(&state->run(), &RunContext::modelChanged, this, &PipelineView::onModelChanged);
    connect(&state->run(), &RunContext::collectivesChanged, this, &PipelineView::onMeshChanged);
    connect(m_chooser, &QComboBox::currentIndexChanged, this, &PipelineView::chooseRanks);
    connect(m_lanes, &PipelineLanes::copyRequested, this, &PipelineView::copy);
    onModelChanged();
}

bool PipelineView::hasStages() const
{
    const TraceModelPtr& model = m_state->run().model();
    return model && !model->isSummarized() && m_state->run().mesh().extent(MeshDimension::Pipeline).size > 1;
}

bool PipelineView::hasStreams() const
{
    const auto& tracks = m_state->run().model()->tracks;
    return std::any_of(tracks.begin(), tracks.end(),
                       [](const Track& track) { return track.kind == TrackKind::GpuStream; });
}

void PipelineView::onModelChanged()
{
    m_bubbles.reset();
    m_lanes->setBubbles(nullptr);
    onMeshChanged();
}

void PipelineView::onMeshChanged()
{
    m_isWanted = hasStages()
        || (m_state->run().collectives() && m_state->run().mesh().extent(MeshDimension::Pipeline).size == 0
            && sendsToOthers(*m_state->run().collectives()));
    fillChooser();
    chooseRanks();
    updateSummary();
    m_pages->present(m_page, hasStages() && hasStreams() ? QString() : whyEmpty());
    emit wantedChanged();
}

QString PipelineView::whyEmpty() const
{
    if (!m_state->run().model())
        return tr("Open a run with pipeline stages.");
    const MeshExtent& extent = m_state->run().mesh().extent(MeshDimension::Pipeline);
    if (hasStages())
        return tr("The traces contain no GPU work, which this view needs to determine when a stage works and "
                  "when it waits. For a run on CPUs, the timeline shows the steps, sends and receives.");
    if (extent.size == 1)
        return tr("This run has no pipeline stages: pp = 1 (%1).").arg(toText(extent.source));
    if (m_isWanted)
        return tr("Ranks send to each other, but the run does not define which rank belongs to which "
                  "pipeline stage. Put a workload_card.yaml with pp, tp and dp into the run directory, or "
                  "record traces whose process groups have descriptions (mesh_pp).");
    return tr("This run has no pipeline stages: neither a card or TOML with pp nor a process group named pp "
              "was found.");
}

/// Adds one entry per place in the mesh at which every stage has a rank: "TP0 DP0", ...
void PipelineView::fillChooser()
{
    const QSignalBlocker quiet(m_chooser);
    const QString chosen = m_chooser->currentText();
    m_chooser->clear();
    const RankMesh& mesh = m_state->run().mesh();
    for (const RankPlace& place : mesh.ranks) {
        const QString label = toText(mesh.labelWithout(place.rank, MeshDimension::Pipeline));
        if (hasStages() && place.at(MeshDimension::Pipeline) >= 0 && m_chooser->findText(label) < 0)
            m_chooser->addItem(label);
    }
    m_chooser->setCurrentIndex(std::max(0, m_chooser->findText(chosen)));
    const bool choice = m_chooser->count() > 1;
    m_chooser->setVisible(choice);
    m_chooserLabel->setVisible(choice);
}

void PipelineView::chooseRanks()
{
    const RankMesh& mesh = m_state->run().mesh();
    std::vector<PipelineStage> stages;
    for (std::int32_t number = 0; hasStages() && number < mesh.extent(MeshDimension::Pipeline).size;
         ++number) {
        PipelineStage& stage = stages.emplace_back();
        stage.stage = number;
        for (const RankPlace& place : mesh.ranks) {
            const bool fits = place.at(MeshDimension::Pipeline) == number
                && toText(mesh.labelWithout(place.rank, MeshDimension::Pipeline)) == m_chooser->currentText();
            if (fits && !stage.rank)
                stage.rank = place.rank;
        }
        const auto& timelines = m_state->run().model()->timelines;
        std::optional<SourceKind> kind; // a rank recorded by two profilers is shown once
        for (std::uint32_t i = 0; i < timelines.size(); ++i) {
            if (!stage.rank || timelines[i].rank != *stage.rank
                || kind.value_or(timelines[i].kind) != timelines[i].kind)
                continue;
            kind = timelines[i].kind;
            stage.timelines.push_back(TimelineId{i});
        }
    }
    m_lanes->setStages(std::move(stages));
}

void PipelineView::setBubbles(BubbleTablePtr bubbles)
{
    m_bubbles = std::move(bubbles);
    m_lanes->setBubbles(m_bubbles);
    updateSummary();
}

/// Updates the summary on resize, because it is elided to the width.
bool PipelineView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_summary && event->type() == QEvent::Resize)
        updateSummary();
    return QWidget::eventFilter(watched, event);
}

void PipelineView::updateSummary()
{
    QStringList parts;
    QString details;
    if (hasStages()) {
        const std::int32_t stages = m_state->run().mesh().extent(MeshDimension::Pipeline).size;
        if (m_bubbles && m_bubbles->failure) {
            parts << toText(m_bubbles->failure->reason);
        } else if (m_bubbles) {
            parts << tr("Bubble %1").arg(percent(m_bubbles->all.share().value_or(0)));
            const Workload workload = describeWorkload(*m_state->run().model(), nullptr);
            if (workload.microBatches && *workload.microBatches > 0) {
                const auto p = static_cast<double>(stages);
                const auto m = static_cast<double>(*workload.microBatches);
                parts << tr("schedule alone %1").arg(percent((p - 1) / (m + p - 1)));
                details = tr("With %1 stages and %2 micro-batches, the schedule alone leaves (p - 1) / (m + "
                             "p - 1) of a step idle.")
                              .arg(stages)
                              .arg(*workload.microBatches);
            }
        }
    }
    const QString text = parts.join(QStringLiteral(" \u00b7 "));
    m_summary->setText(m_summary->fontMetrics().elidedText(text, Qt::ElideRight, m_summary->width()));
    m_summary->setToolTip(text + (details.isEmpty() ? QString() : QStringLiteral("\n") + details));
    m_lanes->setAccessibleDescription(text);
}

QString PipelineView::numbersAsText() const
{
    QStringList lines{QStringLiteral("stage\trank\tstep\twindow (ns)\tbusy (ns)\tcomputing (ns)\twaiting in "
                                     "send/recv (ns)\tbubble (ns)\tbubble (ratio)")};
    const auto add
        = [&](const QString& stage, const QString& rank, const QString& step, const Bubble& bubble) {
              QStringList cells{stage, rank, step};
              for (const std::int64_t ns :
                   {bubble.windowNs, bubble.busyNs(), bubble.computeNs, bubble.waitingNs, bubble.ns()})
                  cells << QString::number(ns);
              cells << QString::number(bubble.share().value_or(0), 'g', 12);
              lines << cells.join(QLatin1Char('\t'));
          };
    for (const PipelineStage& stage : m_lanes->stages()) {
        const RankBubble* const own = m_lanes->bubblesOf(stage);
        if (!own)
            continue;
        for (const StepBubble& step : own->steps)
            add(QString::number(stage.stage), QString::number(own->rank), QString::number(step.number),
                step.bubble);
        add(QString::number(stage.stage), QString::number(own->rank), QStringLiteral("counted"), own->total);
    }
    if (m_bubbles && !m_bubbles->failure)
        add(QStringLiteral("all"), QStringLiteral("all"), QStringLiteral("counted"), m_bubbles->all);
    return lines.join(QLatin1Char('\n'));
}

void PipelineView::copy()
{
    QGuiApplication::clipboard()->setText(numbersAsText());
}

} // namespace collscope
