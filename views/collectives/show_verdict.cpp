// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/collectives/show_verdict.h"

#include "views/common/format.h"
#include "views/widgets/answer_page.h"

#include <QCoreApplication>

namespace collscope {

namespace {

struct StragglerVerdictText
{
    Q_DECLARE_TR_FUNCTIONS(StragglerVerdict)
};

} // namespace

void showVerdict(const StragglerReport& report, AnswerPage& page)
{
    QStringList basis{
        StragglerVerdictText::tr("%1 collectives in the window (%2).")
            .arg(formatCount(static_cast<std::uint64_t>(report.collectives)), toText(report.window)),
        toText(report.clocks)};
    for (const std::string& warning : report.warnings) {
        if (warning != report.clocks) // with raw clocks they warn in the same words
            basis << toText(warning);
    }
    page.showAnswer(toText(report.verdictText), basis.join(QLatin1Char(' ')), basis.join(QLatin1Char('\n')));
}

} // namespace collscope
