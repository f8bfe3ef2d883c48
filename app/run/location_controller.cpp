// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/run/location_controller.h"

#include "app/controllers/match_controller.h"
#include "app/parts/actions.h"
#include "app/parts/window_context.h"
#include "app/run/run_controller.h"
#include "views/common/format.h"
#include "views/widgets/banner.h"

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
    if (!state().run().model())
        return;
    const QString text = toText(locationText(locationOf(state())));
    QGuiApplication::clipboard()->setText(text);
    context().tell(tr("Copied %1: paste it into the search line or pass it to --goto").arg(text));
}

void LocationController::goToLocation(const Location& location)
{
    m_wanted = location;
    if (state().run().model() && !context().run.isMatching && !m_run.isLoading())
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
