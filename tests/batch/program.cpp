// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/batch/program.h"

#include <QFile>
#include <QProcess>

#include <nlohmann/json.hpp>

namespace collscope {

ProgramRun runProgram(const QStringList& arguments, const ProgramSurroundings& surroundings)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "HOME", "XDG_RUNTIME_DIR"})
        environment.remove(QString::fromLatin1(variable));
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C"));
    for (auto it = surroundings.environment.begin(); it != surroundings.environment.end(); ++it)
        environment.insert(it.key(), it.value());
    process.setProcessEnvironment(environment);
    if (surroundings.inChild)
        process.setChildProcessModifier(surroundings.inChild);
    if (!surroundings.outFile.isEmpty())
        process.setStandardOutputFile(surroundings.outFile);
    process.start(surroundings.program, arguments);
    const bool ended = process.waitForFinished(300'000);
    ProgramRun run;
    if (ended && process.exitStatus() == QProcess::NormalExit)
        run.exitCode = process.exitCode();
    run.out = process.readAllStandardOutput();
    run.err = process.readAllStandardError();
    return run;
}

ProgramRun runBatchProgram(const QStringList& arguments, const ProgramSurroundings& surroundings)
{
    return runProgram(QStringList{QStringLiteral("--batch")} + arguments, surroundings);
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void writeContent(const QString& path, const QByteArray& content)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("cannot write %s", qUtf8Printable(path));
}

nlohmann::json jsonOf(const QByteArray& text)
{
    return nlohmann::json::parse(text.constData(), text.constData() + text.size(), nullptr, false);
}

nlohmann::json workbookOf(const QString& path)
{
    QProcess python;
    python.start(QStringLiteral("/usr/bin/python3"),
                 {QStringLiteral(COLLSCOPE_SOURCE_FOLDER "/tests/batch/read_workbook.py"), path});
    python.waitForFinished();
    const nlohmann::json books = jsonOf(python.readAllStandardOutput());
    return books.is_discarded() || books.empty() ? nlohmann::json(nlohmann::json::value_t::discarded)
                                                 : books.begin().value();
}

} // namespace collscope
