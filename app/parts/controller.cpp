// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/parts/controller.h"

#include "app/parts/window_context.h"

#include <algorithm>

namespace collscope {

Controller::Controller(WindowContext& context)
    : m_context(context)
{ }

ViewState& Controller::state() const
{
    return m_context.state;
}

Controllers::~Controllers()
{
    while (!m_all.empty())
        m_all.pop_back();
}

void Controllers::restart()
{
    cancel();
    for (const auto& one : m_all)
        one->start();
}

void Controllers::cancel()
{
    for (const auto& one : m_all)
        one->cancel();
}

bool Controllers::isComputing() const
{
    return std::any_of(m_all.begin(), m_all.end(), [](const auto& one) { return one->isComputing(); });
}

} // namespace collscope
