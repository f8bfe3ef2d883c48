// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/location_controller.h"

#include "app/actions.h"
#include "app/match_controller.h"
#include "app/run_controller.h"
#include "app/window_context.h"
#include "views/banner.h"
#include "views/format.h"

#include <QClipboard>
#include <QGuiApplication>

#include <utility>

namespace collscope {

LocationController::LocationController(WindowContext& context, const RunController& run,
                                       const MatchController& match)
    : Controller(context)
    , m_run(run)
{
    context.actions->bind(QStringLiteral("copyLocation"), this, [this] { copy(); });
    connect(&match, &MatchController::matched, this, &LocationController::goToWanted);
}

void LocationController::copy()
{
    if (!state().model())
        return;
    const QString text = locationText(locationOf(state()));
    QGuiApplication::clipboard()->setText(text);
    context().tell(tr("Copied %1: paste it into the search line or pass it to --goto").arg(text));
}

void LocationController::goToLocation(const Location& location)
{
    m_wanted = location;
    if (state().model() && !context().run.isMatching && !m_run.isLoading())
        goToWanted();
}

void LocationController::goToWanted()
{
    const std::optional<Location> wanted = std::exchange(m_wanted, std::nullopt);
    if (!wanted)
        return;
    if (const Status shown = goTo(state(), *wanted); !shown)
        context().banner->showMessage(
            {BannerTone::Warning, toText(shown.error().message), QStringLiteral("location")});
    else
        context().banner->retract(QStringLiteral("location"));
}

} // namespace collscope
