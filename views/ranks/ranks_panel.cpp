// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/ranks/ranks_panel.h"

#include "model/kernels/kernel_names.h"
#include "views/common/format.h"
#include "views/common/hatch.h"
#include "views/common/palette.h"
#include "views/common/theme.h"
#include "views/ranks/rank_tree.h"

#include <QFormLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

namespace collscope {

namespace {

constexpr int legendRow = 21;

QLabel* sectionTitle(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setObjectName(QStringLiteral("sectionTitle"));
    label->setContentsMargins(12, 10, 12, 4);
    return label;
}

} // namespace

RanksPanel::RanksPanel(ViewState* state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_ranks(new RankTree(state, this))
    , m_workload(new QWidget(this))
    , m_facts(new QFormLayout)
    , m_legendPart(new QWidget(this))
{
    setObjectName(QStringLiteral("ranksPanel"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_facts->setContentsMargins(12, 0, 12, 8);
    m_facts->setVerticalSpacing(4);
    m_facts->setHorizontalSpacing(12);
    auto* workload = new QVBoxLayout(m_workload);
    workload->setContentsMargins(0, 0, 0, 0);
    workload->setSpacing(0);
    workload->addWidget(sectionTitle(tr("WORKLOAD"), m_workload));
    workload->addLayout(m_facts);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_ranks, 1);
    layout->addWidget(m_workload);
    auto* legend = new QVBoxLayout(m_legendPart);
    legend->setContentsMargins(0, 0, 0, 0);
    legend->setSpacing(0);
    legend->addWidget(sectionTitle(tr("LEGEND"), m_legendPart));
    m_legend = new Legend(m_legendPart);
    legend->addWidget(m_legend);
    layout->addWidget(m_legendPart);
    connect(&state->run(), &RunContext::modelChanged, this, &RanksPanel::onModelChanged);
    onModelChanged();
}

void RanksPanel::onModelChanged()
{
    while (m_facts->rowCount() > 0)
        m_facts->removeRow(0);
    m_workload->setVisible(false);
    if (m_state->run().model())
        fillWorkload(*m_state->run().model());
    const TraceModelPtr& model = m_state->run().model();
    m_legend->setHasPasses(model && namesPasses(*model));
    // Its colours are those of slices.
    m_legendPart->setVisible(!model || (!model->timelines.empty() && !model->isSummarized()));
}

QTreeWidget* RanksPanel::tree() const
{
    return m_ranks->tree();
}

void RanksPanel::fillWorkload(const TraceModel& model)
{
    const auto add = [&](const QString& name, const QString& value) {
        if (value.isEmpty())
            return;
        auto* label = new QLabel(name, m_workload);
        QPalette dim = label->palette();
        dim.setColor(QPalette::WindowText, surfaces(palette()).dimText);
        label->setPalette(dim);
        auto* text = new QLabel(value, m_workload);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse);
        text->setMinimumWidth(0);
        text->setTextFormat(Qt::PlainText);
        text->setToolTip(plainToolTip(value));
        m_facts->addRow(label, text);
        m_workload->setVisible(true);
    };
    const auto number = [](const std::optional<std::int64_t>& value) {
        return value ? QString::number(*value) : QStringLiteral("?");
    };
    if (model.card) {
        const WorkloadCard& card = *model.card;
        add(tr("model"), toText(card.modelFamily));
        add(tr("phase"), toText(card.phase));
        add(tr("precision"), toText(card.precision));
        if (card.batchSize || card.seqLen)
            add(tr("batch \u00d7 seq"),
                number(card.batchSize) + QStringLiteral(" \u00d7 ") + number(card.seqLen));
        add(tr("parallelism"), toText(card.parallelism.label()));
        add(tr("framework"), toText(card.framework));
        add(tr("library"),
            toText(card.communicationLibrary + (card.communicationLibraryVersion.empty() ? "" : " ")
                   + card.communicationLibraryVersion));
    } else if (model.trainConfig) {
        const TrainConfig& config = *model.trainConfig;
        add(tr("model"), toText(config.modelName + " " + config.modelFlavor));
        add(tr("parallelism"), toText(config.parallelism.label()));
        if (config.seqLen)
            add(tr("seq"), number(config.seqLen));
    }
    if (model.worldSize)
        add(tr("world size"),
            model.isWorldSizeLeast ? tr("at least %1").arg(*model.worldSize)
                                   : QString::number(*model.worldSize));
    for (const Timeline& timeline : model.timelines) {
        if (timeline.deviceName) {
            add(tr("GPU"), shortDevice(toText(model.text(timeline.deviceName))));
            break;
        }
    }
}

Legend::Legend(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Legend"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void Legend::setHasPasses(bool hasPasses)
{
    m_hasPasses = hasPasses;
    updateGeometry();
    update();
}

QSize Legend::sizeHint() const
{
    // One row for waiting, one for passes.
    const auto rows = static_cast<int>((legendClasses().size() + 1) / 2) + 1 + (m_hasPasses ? 1 : 0);
    return {220, rows * legendRow + 12};
}

void Legend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Surfaces colors = surfaces(palette());
    const int columnWidth = (width() - 20) / 2;
    const auto entry = [&](std::size_t place, const QColor& color, const QString& name) {
        const int x = 12 + static_cast<int>(place % 2) * columnWidth;
        const int y = static_cast<int>(place / 2) * legendRow;
        painter.fillRect(x, y + 4, 12, 12, color);
        painter.setPen(colors.text);
        const QRect text(x + 18, y, columnWidth - 20, legendRow);
        painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(name, Qt::ElideRight, text.width()));
    };
    for (std::size_t i = 0; i < legendClasses().size(); ++i)
        entry(i, kernelColor(legendClasses()[i], palette()), toText(kernelClassName(legendClasses()[i])));
    if (m_hasPasses) {
        const std::size_t row = 2 * ((legendClasses().size() + 1) / 2 + 1);
        entry(row, passColor(PassKind::Prefill, palette()), tr("prefill"));
        entry(row + 1, passColor(PassKind::Decode, palette()), tr("decode"));
    }
    const int y = static_cast<int>((legendClasses().size() + 1) / 2) * legendRow;
    Hatch().paint(painter, QRect(12, y + 4, 12, 12), kernelColor(KernelClass::AllReduce, palette()),
                  palette());
    painter.setPen(colors.text);
    painter.drawText(
        QRect(30, y, width() - 42, legendRow), Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(tr("waiting for other ranks"), Qt::ElideRight, width() - 42));
}

} // namespace collscope
