// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/run/recent_runs.h"

#include "app/parts/actions.h"
#include "app/parts/window_context.h"
#include "app/remote/remote_address.h"
#include "app/run/run_controller.h"
#include "views/welcome_page.h"

#include <QDir>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <QSettings>

namespace collscope {

namespace {

constexpr int recentLimit = 10;
const QString recentKey = QStringLiteral("recentRuns");

} // namespace

RecentRuns::RecentRuns(WindowContext& context, RunController& run, WelcomePage& welcome)
    : Controller(context)
    , m_run(run)
    , m_welcome(welcome)
    , m_menu(new QMenu(tr("Open recen&t"), &context.window))
{
    const Actions& actions = *context.actions;
    actions.menu(MenuId::File)->insertMenu(actions.action(QStringLiteral("openDemo")), m_menu);
    connect(&run, &RunController::loaded, this,
            [this] { remember(this->context().run.opened.paths.value(0)); });
    connect(&run, &RunController::runsFound, this,
            [this] { remember(this->context().run.pending.paths.value(0)); });
    connect(&welcome, &WelcomePage::recentRequested, this,
            [this](const QString& path) { m_run.openPaths({path}); });
    show();
}

QStringList RecentRuns::recent() const
{
    const bool isUsed = context().settings == UserSettings::Use;
    return isUsed ? QSettings().value(recentKey).toStringList() : QStringList();
}

void RecentRuns::remember(const QString& path)
{
    if (context().settings == UserSettings::Ignore || path.isEmpty())
        return;
    QStringList paths = recent();
    const QString absolute
        = isRemote(QFile::encodeName(path).toStdString()) ? path : QFileInfo(path).absoluteFilePath();
    paths.removeAll(absolute);
    paths.prepend(absolute);
    QSettings().setValue(recentKey, paths.mid(0, recentLimit));
    show();
}

void RecentRuns::show()
{
    m_menu->clear();
    const QStringList paths = recent();
    for (const QString& path : paths)
        m_menu->addAction(QDir::toNativeSeparators(path), this, [this, path] { m_run.openPaths({path}); });
    m_menu->setEnabled(!paths.isEmpty());
    m_welcome.setRecent(paths);
}

} // namespace collscope
