// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Runs the real binary, as a script would: no display, no HOME to speak of.

#include <QByteArray>
#include <QMap>
#include <QString>
#include <QStringList>

#include <nlohmann/json_fwd.hpp>

#include <functional>

namespace collscope {

struct ProgramRun
{
    int exitCode = -1; ///< -1: crashed or did not end
    QByteArray out, err;
};

/// What is unusual about the process that the program runs in.
struct ProgramSurroundings
{
    std::function<void()> inChild; ///< called between fork() and exec()
    QMap<QString, QString> environment; ///< beside what is always set
    QString outFile = {}; ///< standard output goes there, if set
    QString program = QStringLiteral(COLLSCOPE_PROGRAM);
};

/// `collscope ARGUMENTS`, with neither DISPLAY nor QT_QPA_PLATFORM set.
ProgramRun runProgram(const QStringList& arguments, const ProgramSurroundings& surroundings = {});
/// `collscope --batch ARGUMENTS`.
ProgramRun runBatchProgram(const QStringList& arguments, const ProgramSurroundings& surroundings = {});
/// What is in a file; empty if it cannot be read.
QByteArray contentOf(const QString& path);
/// Writes a file. Ends the tests if it cannot: their results would say nothing.
void writeContent(const QString& path, const QByteArray& content);
/// stdout as JSON; a discarded value (is_discarded()) if it is none.
nlohmann::json jsonOf(const QByteArray& text);

/// What read_workbook.py, somebody else's reader, finds in an .xlsx file: sheet -> state, rows, tables,
/// scales. Discarded if it cannot be read.
nlohmann::json workbookOf(const QString& path);

} // namespace collscope
