// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/controllers/display_controller.h"

#include "app/parts/actions.h"
#include "app/parts/window_context.h"
#include "views/timeline/timeline_view.h"

#include <QActionGroup>
#include <QApplication>
#include <QMenu>
#include <QSettings>

#include <array>

namespace collscope {

namespace {

const QString wheelKey = QStringLiteral("wheelZooms");

} // namespace

DisplayController::DisplayController(WindowContext& context, TimelineView& timeline)
    : Controller(context)
{
    connectClocks();
    connectGridAndWheel(timeline);
    connectTimeFormats();
    connectThemes();
}

void DisplayController::connectClocks()
{
    QAction* raw = context().actions->action(QStringLiteral("rawClocks"));
    context().actions->bind(QStringLiteral("rawClocks"), this, [this, raw] {
        state().setClockChoice(raw->isChecked() ? ClockChoice::Raw : ClockChoice::Auto);
    });
    connect(&state().run(), &RunContext::modelChanged, this, &DisplayController::updateClocks);
    connect(&state().run(), &RunContext::collectivesChanged, this, &DisplayController::updateClocks);
    connect(&state().run(), &RunContext::clocksChanged, this, &DisplayController::updateClocks);
    updateClocks();
}

void DisplayController::updateClocks()
{
    QAction* raw = context().actions->action(QStringLiteral("rawClocks"));
    const RunCollectivesPtr& run = state().run().collectives();
    const bool aligned = run && run->clocks.isUsed(ClockChoice::Auto);
    raw->setChecked(aligned && state().run().clockChoice() == ClockChoice::Raw);
    context().actions->enable(raw->objectName(), aligned,
                              aligned    ? tr("Show each rank on its own clock, as recorded")
                                  : !run ? tr("Open a run with several ranks first")
                                         : QString::fromStdString(run->clocks.summary(ClockChoice::Auto)));
}

void DisplayController::connectGridAndWheel(TimelineView& timeline)
{
    QAction* grid = context().actions->action(QStringLiteral("grid"));
    grid->setChecked(true);
    context().actions->bind(QStringLiteral("grid"), &timeline,
                            [grid, &timeline] { timeline.setGridShown(grid->isChecked()); });
    QAction* wheel = context().actions->action(QStringLiteral("wheelZooms"));
    if (context().settings == UserSettings::Use) {
        wheel->setChecked(QSettings().value(wheelKey).toBool());
        connect(wheel, &QAction::toggled, this, [](bool zooms) { QSettings().setValue(wheelKey, zooms); });
    }
    state().preferences().setWheelZooms(wheel->isChecked());
    context().actions->bind(QStringLiteral("wheelZooms"), this,
                            [this, wheel] { state().preferences().setWheelZooms(wheel->isChecked()); });
}

/// Enables the time of day only if the files record it.
void DisplayController::connectTimeFormats()
{
    Actions& actions = *context().actions;
    auto* formats = new QActionGroup(this);
    const std::pair<QString, TimeFormat> entries[]{
        {QStringLiteral("timeRelative"), TimeFormat::Relative},
        {QStringLiteral("timeWallClock"), TimeFormat::WallClock},
        {QStringLiteral("timeNanoseconds"), TimeFormat::Nanoseconds}};
    for (const auto& [id, format] : entries) {
        formats->addAction(actions.action(id));
        actions.bind(id, this, [this, chosen = format] { state().preferences().setTimeFormat(chosen); });
    }
    const auto update = [this, &actions, entries = std::to_array(entries)] {
        for (const auto& [id, format] : entries)
            actions.action(id)->setChecked(state().preferences().timeFormat() == format);
        const bool known = state().run().model() && state().run().model()->hasWallClock;
        QAction* wallClock = actions.action(QStringLiteral("timeWallClock"));
        wallClock->setEnabled(known);
        wallClock->setToolTip(known ? QString() : tr("The files of this run do not record the time of day"));
    };
    connect(&state().preferences(), &ViewPreferences::timeFormatChanged, this, update);
    connect(&state().run(), &RunContext::modelChanged, this, update);
    update();
}

/// Updates the checked theme when the menu opens, because another window may have changed it.
void DisplayController::connectThemes()
{
    Actions& actions = *context().actions;
    auto* themes = new QActionGroup(this);
    const std::pair<QString, ThemeChoice> entries[]{{QStringLiteral("themeSystem"), ThemeChoice::System},
                                                    {QStringLiteral("themeLight"), ThemeChoice::Light},
                                                    {QStringLiteral("themeDark"), ThemeChoice::Dark}};
    for (const auto& [id, choice] : entries) {
        themes->addAction(actions.action(id));
        actions.bind(id, this, [this, chosen = choice] { chooseTheme(chosen); });
    }
    connect(actions.menu(MenuId::View), &QMenu::aboutToShow, this,
            [&actions, entries = std::to_array(entries)] {
                for (const auto& [id, choice] : entries)
                    actions.action(id)->setChecked(appliedTheme() == choice);
            });
}

void DisplayController::chooseTheme(ThemeChoice choice)
{
    applyTheme(*qApp, choice);
    if (context().settings == UserSettings::Use)
        QSettings().setValue(QLatin1String(themeSetting), static_cast<int>(choice));
    emit themeChosen();
}

} // namespace collscope
