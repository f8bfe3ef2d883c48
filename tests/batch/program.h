// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Runs the real binary, as a script would: no display, no HOME to speak of.

#include <QByteArray>
#include <QStringList>

#include <nlohmann/json_fwd.hpp>

namespace collscope {

struct ProgramRun
{
    int exitCode = -1; ///< -1: crashed or did not end
    QByteArray out, err;
};

/// `collscope ARGUMENTS`, with neither DISPLAY nor QT_QPA_PLATFORM set.
ProgramRun runProgram(const QStringList& arguments);
/// `collscope --batch ARGUMENTS`.
ProgramRun runBatchProgram(const QStringList& arguments);
/// stdout as JSON; a discarded value (is_discarded()) if it is none.
nlohmann::json jsonOf(const QByteArray& text);

} // namespace collscope
