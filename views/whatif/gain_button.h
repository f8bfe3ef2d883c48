// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// "What if?", beside what costs time: a scenario about it, and what it gains as soon as that is known.

#include "metrics/whatif/what_if_replay.h"

#include <QToolButton>

#include <memory>
#include <optional>

namespace collscope {

class GainButton : public QToolButton
{
    Q_OBJECT

public:
    explicit GainButton(QWidget* parent = nullptr);

    /// Hidden without a scenario.
    void setScenario(std::optional<Scenario> scenario);
    /// An answer to another scenario is ignored.
    void setGain(const std::shared_ptr<const ScenarioAnswer>& answer);

signals:
    /// Requests setGain().
    void gainWanted(const collscope::Scenario& scenario);
    /// The user wants to see the scenario among the others.
    void whatIfWanted(const collscope::Scenario& scenario);

private:
    std::optional<Scenario> m_scenario;
};

} // namespace collscope
