// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/collectives/lateness_map.h"

#include "views/collectives/collectives_table.h"
#include "views/common/palette.h"
#include "views/common/theme.h"
#include "views/widgets/content_stack.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace collscope {

namespace {

constexpr int swatch = 12;
constexpr int rampWidth = 96;
constexpr int space = 6;

} // namespace

LatenessLegend::LatenessLegend(QWidget* parent)
    : QWidget(parent)
    , m_absentWord(tr("not a member"))
{
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred); // never widens the window
    setAccessibleName(tr("Legend of the lateness map"));
}

void LatenessLegend::setScale(const LatenessScale& scale, LatenessColumns columns, bool isKnown)
{
    m_scale = scale;
    m_columns = columns;
    m_isKnown = isKnown;
    const QString limit = columns == LatenessColumns::Collectives
        ? tr("A rank that arrived at most %1 after the first rank counts as on time: the difference is "
             "insignificant or within the clock uncertainty.")
        : tr("A rank counts as on time in a step if, in the mean of its collectives, it arrived at most %1 "
             "after the first rank: the difference is insignificant or within the clock uncertainty.");
    const QString pixels = columns == LatenessColumns::Collectives
        ? tr("A pixel that covers several collectives shows the largest lateness.")
        : tr("A pixel that covers several steps shows the largest lateness.");
    const QString colors = tr("Between %1 and %2 the scale is logarithmic.").arg(leastText(), mostText());
    setToolTip(isKnown ? limit.arg(leastText()) + u'\n' + colors + u' ' + pixels : QString());
    updateGeometry();
    update();
}

void LatenessLegend::setAbsentWord(const QString& word)
{
    m_absentWord = word;
    updateGeometry();
    update();
}

QString LatenessLegend::onTimeText() const
{
    return m_columns == LatenessColumns::StepSum ? tr("on time (up to %1 each)").arg(leastText())
                                                 : tr("on time");
}

QString LatenessLegend::leastText() const
{
    return formatDuration(std::llround(m_scale.leastNs()));
}

QString LatenessLegend::mostText() const
{
    return formatDuration(std::llround(m_scale.mostNs()));
}

QSize LatenessLegend::sizeHint() const
{
    const QFontMetrics metrics = fontMetrics();
    int words = 0;
    for (const QString& word : {onTimeText(), leastText(), tr("%1 late").arg(mostText()), m_absentWord})
        words += metrics.horizontalAdvance(word);
    return {words + rampWidth + 2 * swatch + 8 * space, std::max(24, metrics.height() + 4)};
}

void LatenessLegend::paintEvent(QPaintEvent*)
{
    if (!m_isKnown || width() < sizeHint().width())
        return;
    QPainter painter(this);
    const Surfaces colors = surfaces(palette());
    const int top = (height() - swatch) / 2;
    int x = 0;
    const auto drawWord = [&](const QString& text) {
        painter.setPen(colors.dimText);
        const int width = fontMetrics().horizontalAdvance(text);
        painter.drawText(QRect(x, 0, width + 1, height()), Qt::AlignLeft | Qt::AlignVCenter, text);
        x += width + space;
    };
    painter.fillRect(x, top, swatch, swatch, onTimeColor(palette()));
    x += swatch + space;
    drawWord(onTimeText());
    x += space;
    drawWord(leastText());
    for (int i = 0; i < rampWidth; ++i)
        painter.fillRect(x + i, top, 1, swatch,
                         QColor::fromRgb(m_scale.colorAt(static_cast<double>(i) / (rampWidth - 1))));
    x += rampWidth + space;
    drawWord(tr("%1 late").arg(mostText()));
    x += space;
    painter.fillRect(x, top, swatch, swatch, QBrush(absentColor(palette()), Qt::BDiagPattern));
    painter.setPen(absentColor(palette()));
    painter.drawRect(x, top, swatch - 1, swatch - 1);
    x += swatch + space;
    drawWord(m_absentWord);
}

LatenessMap::LatenessMap(ViewState* state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_groups(new QComboBox(this))
    , m_columns(new QComboBox(this))
    , m_legend(new LatenessLegend(this))
    , m_pages(new ContentStack(this))
    , m_canvas(new LatenessCanvas(state, this))
{
    setObjectName(QStringLiteral("lateness"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_groups->setAccessibleName(tr("Process group of the lateness map"));
    setUpGroups(*m_groups);
    m_columns->setObjectName(QStringLiteral("latenessColumns"));
    m_columns->setAccessibleName(tr("Meaning of a column"));
    m_columns->addItem(tr("per collective"), static_cast<int>(LatenessColumns::Collectives));
    m_columns->addItem(tr("per step, mean"), static_cast<int>(LatenessColumns::StepMean));
    m_columns->addItem(tr("per step, sum"), static_cast<int>(LatenessColumns::StepSum));
    m_pages->addWidget(m_canvas);
    auto* controls = new QHBoxLayout;
    controls->setContentsMargins(10, 6, 10, 2);
    controls->setSpacing(8);
    controls->addWidget(m_groups);
    controls->addWidget(m_columns);
    controls->addStretch(1);
    controls->addWidget(m_legend);
    m_legend->hide(); // until it is known that it does not widen the window
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(controls);
    layout->addWidget(m_pages, 1);
    connect(m_groups, &QComboBox::currentIndexChanged, this, &LatenessMap::ask);
    connect(m_columns, &QComboBox::currentIndexChanged, this, &LatenessMap::ask);
    connect(&state->preferences(), &ViewPreferences::firstRanksChanged, this, &LatenessMap::ask);
    connect(&state->preferences(), &ViewPreferences::rankFoldsChanged, this, &LatenessMap::ask);
    connect(&state->run(), &RunContext::modelChanged, this, [this] { setCollectives(nullptr); });
    setCollectives(nullptr);
}

LatenessRequest LatenessMap::request() const
{
    return {chosenGroups(*m_groups), static_cast<LatenessColumns>(m_columns->currentData().toInt()),
            m_state->preferences().firstRanks(), m_state->preferences().foldedRanks()};
}

void LatenessMap::setCollectives(CollectiveRowsPtr collectives)
{
    m_collectives = std::move(collectives);
    fillGroups(*m_groups, m_collectives.get(), true);
    m_columns->setEnabled(m_collectives && !m_collectives->rows.empty());
    if (!m_collectives)
        setGrid(nullptr);
    ask();
}

void LatenessMap::ask()
{
    // Defer the computation while the view is hidden.
    m_isStale = m_collectives && !isVisible();
    if (m_collectives && !m_isStale)
        emit gridWanted(m_collectives, request());
    showPage();
}

void LatenessMap::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_isStale)
        ask();
}

void LatenessMap::resizeEvent(QResizeEvent* event)
{
    constexpr int roomForLegend = 620;
    QWidget::resizeEvent(event);
    m_legend->setVisible(width() >= roomForLegend);
}

void LatenessMap::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_canvas->grid())
        showScale(LatenessScale(*m_canvas->grid(), palette()));
}

void LatenessMap::setGrid(LatenessGridPtr grid)
{
    if (grid && grid->collectives != m_collectives)
        return;
    m_canvas->setGrid(std::move(grid));
    showScale(m_canvas->scale());
    showPage();
}

void LatenessMap::showScale(const LatenessScale& scale)
{
    const LatenessGridPtr& grid = m_canvas->grid();
    m_legend->setScale(scale, grid ? grid->request.columns : LatenessColumns::Collectives,
                       grid && !grid->columns.empty());
}

QString LatenessMap::emptyText() const
{
    if (QString why = whyNoCollectives(*m_state, m_collectives.get()); !why.isEmpty())
        return why;
    if (!m_canvas->grid())
        return tr("Computing arrival times\u2026");
    if (!m_canvas->grid()->columns.empty())
        return {};
    return request().columns == LatenessColumns::Collectives
        ? tr("Only sends and receives were matched, and these have no late rank. Choose a pair of ranks "
             "above to see when they communicated.")
        : tr("None of these collectives is in a step that the trace marks. Choose \"per collective\".");
}

void LatenessMap::showPage()
{
    m_pages->present(m_canvas, emptyText());
}

} // namespace collscope
