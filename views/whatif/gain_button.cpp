// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/whatif/gain_button.h"

#include "metrics/whatif/what_if_text.h"
#include "views/common/format.h"

namespace collscope {

GainButton::GainButton(QWidget* parent)
    : QToolButton(parent)
{
    setObjectName(QStringLiteral("gain"));
    hide();
    connect(this, &QToolButton::clicked, this, [this] {
        if (m_scenario)
            emit whatIfWanted(*m_scenario);
    });
}

void GainButton::setScenario(std::optional<Scenario> scenario)
{
    m_scenario = std::move(scenario);
    setText(tr("What if?"));
    setToolTip(tr("Show what it would help to change this"));
    setVisible(m_scenario.has_value());
    if (m_scenario)
        emit gainWanted(*m_scenario);
}

void GainButton::setGain(const std::shared_ptr<const ScenarioAnswer>& answer)
{
    if (!m_scenario || m_scenario->spec != answer->scenario.spec)
        return;
    const QString text = toText(answer->text);
    if (!answer->basis.refused.empty()) {
        setToolTip(tr("%1, not answered: %2").arg(text, toText(answer->basis.refused)));
        return;
    }
    const auto changeOf
        = [&](double gainNs) { return toText(changeText(gainNs, answer->stepNs + answer->gainNs)); };
    const QString change = changeOf(answer->gainNs);
    setText((answer->basis.isBound ? tr("What if? At most %1") : tr("What if? %1")).arg(change));
    setToolTip(
        tr("%1: %2 (%3 \u2026 %4)").arg(text, change, changeOf(answer->lowNs), changeOf(answer->highNs)));
}

} // namespace collscope
