// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/search/search_bar.h"

#include "views/common/format.h"
#include "views/common/location.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QShortcut>
#include <QToolButton>

#include <utility>

namespace collscope {

namespace {

constexpr int searchSettleMs = 150;

QToolButton* button(QWidget* parent, const QString& text, const QString& toolTip)
{
    auto* result = new QToolButton(parent);
    result->setText(text);
    result->setToolTip(toolTip);
    result->setAccessibleName(toolTip);
    return result;
}

} // namespace

SearchBar::SearchBar(ViewState* state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_line(new QLineEdit(this))
    , m_pattern(button(this, QStringLiteral(".*"), tr("Regular expression")))
    , m_count(new QLabel(this))
    , m_previous(button(this, QStringLiteral("\u2039"), tr("Previous match (Shift+F3)")))
    , m_next(button(this, QStringLiteral("\u203a"), tr("Next match (F3)")))
{
    setObjectName(QStringLiteral("searchBar"));
    m_line->setPlaceholderText(tr("Search slices  /"));
    m_line->setAccessibleName(tr("Search slices by name or arg"));
    m_line->setToolTip(
        tr("Part of a kernel, operator or call name\narg:stream=7  an arg with this value\narg:bfloat16  "
           "part of any arg\ngemm arg:stream=7  both\nor a copied location"));
    m_line->setClearButtonEnabled(true);
    m_line->setMinimumWidth(150);
    m_line->setMaximumWidth(320);
    m_pattern->setObjectName(QStringLiteral("searchPattern"));
    m_pattern->setCheckable(true);
    m_count->setForegroundRole(QPalette::PlaceholderText);
    m_count->setMinimumWidth(m_count->fontMetrics().horizontalAdvance(QStringLiteral("999 of 9 999")));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(m_line, 1);
    layout->addWidget(m_pattern);
    layout->addWidget(m_count);
    layout->addWidget(m_previous);
    layout->addWidget(m_next);

    m_settled.setSingleShot(true);
    m_settled.setInterval(searchSettleMs);
    connect(&m_settled, &QTimer::timeout, this, &SearchBar::askNow);
    connect(m_line, &QLineEdit::textEdited, this, [this] {
        m_isWhole = false;
        m_settled.start();
    });
    connect(m_line, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (text.isEmpty())
            askNow(); // also triggered by the clear button
    });
    connect(m_pattern, &QToolButton::clicked, this, [this] {
        m_isWhole = false;
        askNow();
    });
    connect(m_previous, &QToolButton::clicked, this, [this] { step(-1); });
    connect(m_next, &QToolButton::clicked, this, [this] { step(1); });
    const auto key = [this](const QKeySequence& keys, const std::function<void()>& act) {
        const auto* shortcut = new QShortcut(keys, m_line, nullptr, nullptr, Qt::WidgetShortcut);
        connect(shortcut, &QShortcut::activated, this, act);
    };
    for (const Qt::Key enter : {Qt::Key_Return, Qt::Key_Enter}) {
        key(QKeySequence(enter), [this] { step(1); });
        key(QKeySequence(Qt::SHIFT | enter), [this] { step(-1); });
    }
    key(QKeySequence(Qt::Key_Escape), [this] {
        clear();
        emit left();
    });
    connect(&state->emphasis(), &Emphasis::matchesChanged, this, [this] {
        updateCount();
        if (m_state->emphasis().matches() && m_wantedStep != 0)
            step(std::exchange(m_wantedStep, 0));
    });
    connect(&state->selection(), &ViewSelection::sliceChanged, this, &SearchBar::updateCount);
    connect(&state->run(), &RunContext::clocksChanged, this, &SearchBar::updateCount);
    connect(&state->run(), &RunContext::modelChanged, this, [this] {
        m_asked = location() ? question() : SliceQuestion(); // a location in another run is invalid
        m_shown = {};
        updateCount();
        askNow();
    });
    updateCount();
}

SliceQuestion SearchBar::question() const
{
    return {m_line->text(), m_pattern->isChecked() && !m_isWhole, m_isWhole, std::nullopt, {}};
}

std::optional<Location> SearchBar::location() const
{
    return m_isWhole ? std::nullopt : parseLocation(m_line->text().toStdString());
}

void SearchBar::ask(const SliceQuestion& question)
{
    m_isWhole = question.isWhole;
    m_line->setText(question.text);
    m_pattern->setChecked(question.isPattern);
    askNow();
}

void SearchBar::focusLine()
{
    m_line->setFocus();
    m_line->selectAll();
}

void SearchBar::clear()
{
    m_isWhole = false;
    m_line->clear();
}

bool SearchBar::isEmpty() const
{
    return m_line->text().isEmpty();
}

void SearchBar::askNow()
{
    m_settled.stop();
    const SliceQuestion now = question();
    if (now == m_asked)
        return;
    m_asked = now;
    m_wantedStep = 0;
    m_state->emphasis().setMatches(nullptr);
    const auto place = location();
    m_shown = place ? goTo(*m_state, *place) : Status();
    emit asked(m_state->run().model() && !place && now.check() ? now : SliceQuestion());
    updateCount();
}

void SearchBar::step(int direction)
{
    if (location())
        m_asked = {}; // go to the location again
    askNow();
    m_wantedStep = m_state->emphasis().matches() || isEmpty() ? 0 : direction;
    if (!m_state->emphasis().matches())
        return;
    if (const auto place = matchBeside(*m_state, *m_state->emphasis().matches(), direction))
        m_state->revealSlice(place->slice, true);
}

void SearchBar::showLongest()
{
    if (m_state->emphasis().matches() && !m_state->emphasis().matches()->longest.empty())
        m_state->revealSlice(m_state->emphasis().matches()->longest.front());
}

QString SearchBar::countText() const
{
    if (isEmpty() || !m_state->run().model())
        return {};
    if (location())
        return m_shown ? tr("location") : tr("not in this run");
    if (!question().check())
        return question().isPattern ? tr("invalid pattern") : tr("arg: needs a value");
    const SliceMatchesPtr& matches = m_state->emphasis().matches();
    if (!matches)
        return tr("searching\u2026");
    if (matches->size() == 0)
        return tr("none");
    const SliceRef selected = m_state->selection().slice();
    const std::size_t number = selected ? numberOfMatch(*m_state, *matches, selected) : 0;
    const bool isMatch = selected && matches->contains(selected);
    return isMatch ? tr("%1 of %2").arg(formatCount(number), formatCount(matches->size()))
                   : formatCount(matches->size());
}

void SearchBar::updateCount()
{
    m_count->setText(countText());
    const Status problem = m_shown ? question().check() : m_shown;
    m_count->setToolTip(problem ? QString() : toText(problem.error().message));
    const bool hasSome = m_state->emphasis().matches() && m_state->emphasis().matches()->size() > 0;
    for (QToolButton* const step : {m_previous, m_next})
        step->setEnabled(hasSome);
}

} // namespace collscope
