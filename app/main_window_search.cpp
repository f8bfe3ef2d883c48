// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Search in the main window: the line of the toolbar, its job, its tab.

#include "app/main_window.h"
#include "views/search_bar.h"
#include "views/search_results.h"
#include "views/timeline/timeline_view.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QTabWidget>

namespace collscope {

void MainWindow::connectSearch()
{
    m_actions->action(QStringLiteral("find"))
        ->setShortcuts({QKeySequence(QKeySequence::Find), QKeySequence(Qt::Key_Slash)});
    connect(m_search, &SearchBar::asked, this, &MainWindow::search);
    connect(m_search, &SearchBar::left, m_timeline, qOverload<>(&QWidget::setFocus));
    const auto update = [this] {
        const bool hasSome = m_state.matches() && m_state.matches()->size() > 0;
        for (const auto& id :
             {QStringLiteral("nextMatch"), QStringLiteral("previousMatch"), QStringLiteral("longestMatch")}) {
            QAction* action = m_actions->action(id);
            action->setEnabled(hasSome);
            action->setToolTip(hasSome ? QString() : tr("Search for a name first"));
        }
        QAction* same = m_actions->action(QStringLiteral("findSame"));
        same->setEnabled(static_cast<bool>(m_state.selectedSlice()));
        same->setToolTip(same->isEnabled() ? QString() : tr("Select a slice first"));
    };
    connect(&m_state, &ViewState::matchesChanged, this, update);
    connect(&m_state, &ViewState::selectedSliceChanged, this, update);
    connect(&m_state, &ViewState::modelChanged, this, update);
    update();
}

void MainWindow::search(const SliceQuestion& question)
{
    m_searchJob.cancel();
    m_searchPending = !question.isEmpty();
    if (question.isEmpty())
        return;
    m_searchJob.start(m_state.model(), MetricOptions(),
                      [test = question.test()](const TraceModel& model, const MetricOptions& options) {
                          return findSlices(model, test, options.cancelled);
                      });
}

void MainWindow::onFound(const SliceMatchesPtr& matches)
{
    m_searchPending = false;
    m_state.setMatches(matches);
}

void MainWindow::findSame()
{
    if (!m_state.selectedSlice())
        return;
    const std::string_view name = m_state.model()->nameOf(m_state.selectedSlice());
    m_search->ask({QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())), false, true});
    showTab(m_found);
}

void MainWindow::copyLocation()
{
    if (!m_state.model())
        return;
    const QString text = locationText(locationOf(m_state));
    QGuiApplication::clipboard()->setText(text);
    m_status->setText(tr("Copied %1: paste it into the search line, or give it to --goto").arg(text));
}

void MainWindow::goToLocation(const Location& location)
{
    m_goTo = location;
    if (m_state.model() && !m_collectivesPending && !isLoading())
        goToWanted();
}

/// The axis is known only when the clocks are.
void MainWindow::goToWanted()
{
    const std::optional<Location> wanted = std::exchange(m_goTo, std::nullopt);
    if (!wanted)
        return;
    if (const QString failure = goTo(m_state, *wanted); !failure.isEmpty())
        m_banner->showMessage({BannerTone::Warning, failure, QStringLiteral("location")});
    else
        m_banner->retract(QStringLiteral("location"));
}

/// Brings a tab of the panel at the bottom to the front, also where the panel was closed.
void MainWindow::showTab(QWidget* content)
{
    findChild<QWidget*>(QStringLiteral("dockDetails"))->show();
    m_tabs->setCurrentWidget(content);
}

} // namespace collscope
