// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/memory/memory_view.h"

#include "views/common/format.h"
#include "views/common/moment.h"
#include "views/memory/block_map.h"
#include "views/memory/memory_colors.h"
#include "views/tables/cell_table.h"
#include "views/widgets/content_stack.h"

#include <QComboBox>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSlider>
#include <QSplitter>
#include <QToolButton>

#include <algorithm>
#include <iterator>

namespace collscope {

namespace {

constexpr std::size_t mostStacks = 2000; ///< call stacks; the others hold a negligible amount

} // namespace

MemoryView::MemoryView(ViewState* state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_stack(new ContentStack(this))
    , m_chooser(new QComboBox(this))
    , m_peak(new QToolButton(this))
    , m_outOfMemory(new QToolButton(this))
    , m_end(new QToolButton(this))
    , m_slider(new QSlider(Qt::Horizontal, this))
    , m_moment(new QLabel(this))
    , m_summary(new QLabel(this))
    , m_map(new BlockMap(this))
    , m_table(new CellTable(tr("Call stacks with allocated memory at the selected moment"), this))
    , m_frames(new QPlainTextEdit(this))
{
    setObjectName(QStringLiteral("memoryView"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    auto* page = new QWidget(this);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* bar = new QHBoxLayout;
    buildBar(*bar);
    layout->addLayout(bar);
    m_summary->setObjectName(QStringLiteral("memorySummary"));
    m_summary->setContentsMargins(8, 0, 8, 4);
    m_summary->setWordWrap(true);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_summary);
    m_frames->setReadOnly(true);
    m_frames->setFrameShape(QFrame::NoFrame);
    m_frames->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_frames->setAccessibleName(tr("Frames of the selected call stack, innermost first"));
    auto* splitter = new QSplitter(Qt::Horizontal, page);
    splitter->addWidget(m_map);
    splitter->addWidget(m_table);
    splitter->addWidget(m_frames);
    splitter->setChildrenCollapsible(false);
    splitter->setSizes({300, 520, 240});
    for (int part = 0; part < splitter->count(); ++part)
        splitter->setStretchFactor(part, part == 1 ? 2 : 1);
    layout->addWidget(splitter, 1);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(m_stack);
    m_stack->addWidget(page);
    connect(m_map, &BlockMap::stackChosen, this, &MemoryView::chooseStack);
    const auto chooseRow = [this](int row) { chooseStack(m_uses[static_cast<std::size_t>(row)].stack); };
    connect(m_table, &CellTable::rowChosen, this, chooseRow);
    connect(m_table, &CellTable::rowActivated, this, chooseRow);
    connect(&state->run(), &RunContext::modelChanged, this, &MemoryView::onModelChanged);
    connect(&state->selection(), &ViewSelection::memoryMomentChanged, this, &MemoryView::onMomentChanged);
    connect(&state->preferences(), &ViewPreferences::timeFormatChanged, this, [this] {
        if (m_history)
            showMoment();
    });
    // With millions of allocations, dragging the slider would request more moments than can be shown.
    m_contents.setSingleShot(true);
    m_contents.setInterval(0);
    connect(&m_contents, &QTimer::timeout, this, &MemoryView::showContents);
    onModelChanged();
}

void MemoryView::buildBar(QHBoxLayout& bar)
{
    bar.setContentsMargins(8, 4, 8, 4);
    bar.setSpacing(6);
    m_chooser->setObjectName(QStringLiteral("memoryDevice"));
    m_chooser->setAccessibleName(tr("GPU whose memory is shown"));
    m_chooser->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_peak->setObjectName(QStringLiteral("memoryPeak"));
    m_peak->setText(tr("Peak"));
    m_peak->setToolTip(tr("The moment of peak allocation"));
    m_outOfMemory->setToolTip(tr("The next moment at which memory ran out"));
    m_end->setObjectName(QStringLiteral("memoryEnd"));
    m_end->setText(tr("Snapshot"));
    m_end->setToolTip(tr("The end of the record, when the snapshot was taken"));
    m_slider->setAccessibleName(tr("Moment, event by event"));
    m_slider->setMinimumWidth(160);
    bar.addWidget(m_chooser);
    for (QToolButton* button : {m_peak, m_outOfMemory, m_end})
        bar.addWidget(button);
    bar.addWidget(m_slider, 1);
    bar.addWidget(m_moment);
    connect(m_chooser, &QComboBox::activated, this, [this](int index) {
        m_state->selection().setMemoryMoment({m_devices[static_cast<std::size_t>(index)], std::nullopt});
    });
    connect(m_peak, &QToolButton::clicked, this, [this] { goTo(m_history->peak); });
    connect(m_end, &QToolButton::clicked, this, [this] { goTo(m_history->places() - 1); });
    connect(m_outOfMemory, &QToolButton::clicked, this, &MemoryView::goToOutOfMemory);
    connect(m_slider, &QSlider::valueChanged, this, [this](int value) {
        if (m_history)
            goTo(static_cast<std::size_t>(value));
    });
}

const MemorySnapshot& MemoryView::snapshot() const
{
    return m_state->run().model()->memory[m_state->selection().memoryMoment()->of.snapshot];
}

const MemoryDevice& MemoryView::device() const
{
    return snapshot().devices[m_state->selection().memoryMoment()->of.device];
}

std::size_t MemoryView::place() const
{
    if (!m_history || !m_state->selection().memoryMoment())
        return 0;
    return std::min(m_state->selection().memoryMoment()->place.value_or(m_history->peak),
                    m_history->places() - 1);
}

void MemoryView::onModelChanged()
{
    const bool was = isWanted();
    m_devices
        = m_state->run().model() ? memoryDevices(*m_state->run().model()) : std::vector<MemoryDeviceRef>();
    m_chosen.reset();
    m_chooser->clear();
    for (const MemoryDeviceRef& own : m_devices) {
        const MemorySnapshot& snapshot = m_state->run().model()->memory[own.snapshot];
        m_chooser->addItem(
            snapshot.devices.size() == 1
                ? tr("rank %1").arg(snapshot.rank)
                : tr("rank %1, GPU %2").arg(snapshot.rank).arg(snapshot.devices[own.device].device));
    }
    m_chooser->setVisible(m_devices.size() > 1);
    setHistory(nullptr);
    if (isWanted() != was)
        emit wantedChanged();
}

void MemoryView::onMomentChanged()
{
    if (!m_state->selection().memoryMoment())
        return;
    if (m_history && !(m_history->of == m_state->selection().memoryMoment()->of))
        setHistory(nullptr);
    const auto shown = std::find(m_devices.begin(), m_devices.end(), m_state->selection().memoryMoment()->of);
    m_chooser->setCurrentIndex(static_cast<int>(shown - m_devices.begin()));
    if (m_history)
        showMoment();
}

void MemoryView::setHistory(MemoryHistoryPtr history)
{
    m_history = std::move(history);
    if (!m_history) {
        m_uses.clear();
        m_active.clear();
        m_contents.stop();
        m_map->showMoment(nullptr, nullptr, 0, {});
        m_table->setTable({}, {});
        m_stack->present(nullptr,
                         isWanted() ? tr("Replaying the memory events\u2026")
                                    : tr("This run has no CUDA memory snapshots: record them with "
                                         "torch.cuda.memory._record_memory_history() and _dump_snapshot()."));
        return;
    }
    const std::size_t runsOut = m_history->outOfMemory.size();
    m_outOfMemory->setVisible(runsOut > 0);
    m_outOfMemory->setText(runsOut == 1 ? tr("Out of memory") : tr("Out of memory (%1)").arg(runsOut));
    m_slider->setVisible(m_history->places() > 1);
    {
        const QSignalBlocker quiet(m_slider);
        m_slider->setRange(0, static_cast<int>(m_history->places() - 1));
        m_slider->setPageStep(std::max(1, m_slider->maximum() / 50));
    }
    m_stack->present(m_stack->widget(m_stack->count() - 1), {});
    showMoment();
    if (isVisible())
        showContents();
}

void MemoryView::goTo(std::size_t place)
{
    if (m_history)
        m_state->selection().setMemoryMoment({m_history->of, place});
}

void MemoryView::goToOutOfMemory()
{
    const std::vector<std::size_t>& all = m_history->outOfMemory;
    const auto next = std::upper_bound(all.begin(), all.end(), place());
    goTo(next == all.end() ? all.front() : *next);
}

void MemoryView::showMoment()
{
    const std::size_t at = place();
    {
        const QSignalBlocker quiet(m_slider);
        m_slider->setValue(static_cast<int>(at));
    }
    const MemoryEvents& events = device().events;
    QString moment
        = tr("event %1 of %2")
              .arg(formatCount(at), formatCount(static_cast<std::uint64_t>(m_history->places() - 1)));
    const std::int64_t time = events.size() > 0 ? events.timeNs[at > 0 ? at - 1 : 0] : 0;
    if (snapshot().isOnAxis && events.size() > 0)
        moment = MomentText(*m_state).of(time, 1000) + QStringLiteral(" \u00b7 ") + moment;
    for (const MemoryAnnotation& named : snapshot().annotations) {
        if (named.device == device().device && named.range.contains(time))
            moment = toText(m_state->run().model()->text(named.name)) + QStringLiteral(" \u00b7 ") + moment;
    }
    m_moment->setText(moment);
    if (isVisible())
        m_contents.start();
}

void MemoryView::showContents()
{
    const TraceModelPtr model = m_state->run().model();
    if (!model || !m_history || !m_state->selection().memoryMoment())
        return;
    m_contents.stop();
    m_active = m_history->activeAt(place());
    m_map->showMoment(model, m_history, place(), m_active);
    m_summary->setText(summary());
    m_summary->setToolTip(plainToolTip(settingsText()));
    fillTable();
}

void MemoryView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    showContents();
}

QString MemoryView::summary() const
{
    const std::size_t at = place();
    const MemoryLevels& levels = m_history->levels;
    const auto bytes = [](std::int64_t value) {
        constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
        return tr("%1 (%2 GiB)")
            .arg(formatBytes(static_cast<double>(value)),
                 formatThreeDigits(static_cast<double>(value) / gibibyte));
    };
    QStringList facts{
        tr("allocated %1").arg(bytes(levels.allocated[at])), tr("active %1").arg(bytes(levels.active[at])),
        tr("reserved %1 in %2 segments").arg(bytes(levels.reserved[at]), formatCount(m_map->rowCount()))};
    const MemoryUse use = memoryUse(device());
    if (use.privatePools > 0)
        facts << tr("private pools %1").arg(formatBytes(static_cast<double>(use.privatePools)));
    if (use.expandable > 0)
        facts << tr("expandable segments %1").arg(formatBytes(static_cast<double>(use.expandable)));
    const MemoryEvents& events = device().events;
    if (at > 0 && at <= events.size() && events.action[at - 1] == MemoryAction::OutOfMemory)
        facts << tr("OUT OF MEMORY: %1 requested, %2 free on the GPU")
                     .arg(formatBytes(static_cast<double>(events.bytes[at - 1])),
                          formatBytes(static_cast<double>(events.address[at - 1])));
    if (snapshot().isCutOff)
        facts << tr("the file is truncated: only the memory at the snapshot is known");
    else if (events.size() == 0)
        facts << tr("no events: memory history was not recorded, only the snapshot");
    return (at == m_history->peak && events.size() > 0 ? tr("Peak: ") : QString())
        + facts.join(QStringLiteral(" \u00b7 "));
}

QString MemoryView::settingsText() const
{
    QStringList lines{tr("Allocator settings")};
    for (const auto& [name, value] : snapshot().settings)
        lines << QStringLiteral("%1 = %2").arg(toText(name), toText(value));
    return lines.size() > 1 ? lines.join(QLatin1Char('\n')) : QString();
}

void MemoryView::fillTable()
{
    m_uses = usesAt(m_history->allocations, m_active, place());
    const TraceModel& model = *m_state->run().model();
    const auto all = static_cast<double>(std::max<std::int64_t>(1, m_history->levels.allocated[place()]));
    std::vector<std::vector<TableCell>> rows;
    const QColor color = memoryColor(MemoryKind::Allocated, palette());
    if (m_uses.size() > mostStacks)
        m_uses.resize(mostStacks);
    for (const StackUse& use : m_uses) {
        const double share = 100.0 * static_cast<double>(use.bytes) / all;
        const QString where = toText(stackText(model, snapshot(), use.stack));
        TableCell bytes{formatBytes(static_cast<double>(use.bytes)),
                        static_cast<qlonglong>(use.bytes),
                        share / 100.0,
                        {},
                        {},
                        color};
        rows.push_back({std::move(bytes),
                        {where, {}, -1, {}, {}, {}, where},
                        {formatPercent(share), share, -1, {}, {}, {}},
                        {formatCount(use.count), static_cast<qulonglong>(use.count), -1, {}, {}, {}}});
    }
    const bool isFirst = m_table->model()->columnCount() == 0;
    m_table->setTable(
        {{tr("Allocated"), tr("Bytes that its allocations hold at the selected moment"),
          QStringLiteral("bytes")},
         {tr("Allocated by"), tr("The innermost frame outside of PyTorch and other installed libraries"),
          QStringLiteral("allocated_by"), false},
         {tr("Share"), tr("Share of all allocated memory"), QStringLiteral("share_percent")},
         {tr("Blocks"), tr("Live allocations"), QStringLiteral("allocations")}},
        std::move(rows));
    if (isFirst) {
        m_table->sortByColumn(0, Qt::DescendingOrder);
        m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
        m_table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    }
    chooseStack(m_chosen);
}

void MemoryView::chooseStack(std::optional<StackId> stack)
{
    m_chosen = stack;
    m_map->setChosenStack(stack);
    const auto row = std::find_if(m_uses.begin(), m_uses.end(),
                                  [&](const StackUse& use) { return stack && use.stack == *stack; });
    if (row != m_uses.end())
        m_table->selectRowOf(static_cast<int>(row - m_uses.begin()));
    else
        m_table->clearSelection();
    showFrames();
}

void MemoryView::showFrames()
{
    QStringList lines;
    const TraceModel& model = *m_state->run().model();
    const auto frames = m_chosen ? snapshot().stacks.framesOf(*m_chosen) : std::vector<const StackFrame*>();
    for (const StackFrame* frame : frames)
        lines << toText(frameText(model, *frame));
    if (m_chosen && frames.empty())
        lines << tr("The call stack of these allocations was not recorded: they were made before recording "
                    "started, or stacks were not recorded.");
    m_frames->setPlainText(lines.join(QLatin1Char('\n')));
    m_frames->setVisible(m_chosen.has_value()); // until then, its space belongs to the table
}

void MemoryView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && isVisible())
        m_contents.start();
}

} // namespace collscope
