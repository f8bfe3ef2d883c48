// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/suite/data_folders.h"

#include "tests/support/workloads/run_writer.h"

#include <QDirIterator>
#include <QTemporaryDir>
#include <QTest>

namespace collscope {

namespace {

QString folder(const char* variable, const QString& beside)
{
    QString path = qEnvironmentVariable(variable);
    if (path.isEmpty())
        path = QDir(QStringLiteral(COLLSCOPE_SOURCE_FOLDER)).filePath(beside);
    return QDir(path).exists() ? QDir(path).canonicalPath() : QString();
}

} // namespace

QString tracesFolder()
{
    return folder("COLLSCOPE_TRACES", QStringLiteral("../shared/traces"));
}

QString oracleFolder()
{
    return folder("COLLSCOPE_ORACLE", QStringLiteral("../shared/oracle"));
}

QString generatedRun()
{
    static const QTemporaryDir folder; // removed when the program ends
    static const QString run = [] {
        const QString path = folder.filePath(QStringLiteral("generated"));
        RunFiles files;
        files.nsys = true;
        writeRun(planRun({}), path.toStdString(), files);
        return path;
    }();
    return run;
}

QStringList allTraces(const QStringList& endings)
{
    QStringList filters;
    for (const QString& ending : endings)
        filters << QStringLiteral("*.") + ending;
    const auto tracesIn = [&](const QString& folder) {
        QStringList paths;
        QDirIterator files(folder, filters, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext())
            paths << files.next();
        paths.sort();
        return paths;
    };
    return tracesIn(generatedRun()) + (tracesFolder().isEmpty() ? QStringList() : tracesIn(tracesFolder()));
}

void addRecordedRuns()
{
    QTest::addColumn<QString>("run");
    QTest::newRow("generated") << generatedRun();
    QStringList folders{oracleFolder() + QStringLiteral("/inputs")};
    for (const auto* kind : {"multirank", "kineto", "nsys_sqlite", "odd", "pytorch_gloo"})
        folders << tracesFolder() + QLatin1Char('/') + QLatin1String(kind);
    for (const QString& folder : folders) {
        for (const QFileInfo& run : QDir(folder).entryInfoList(QDir::AllEntries | QDir::NoDotAndDotDot))
            QTest::newRow(qPrintable(run.dir().dirName() + QLatin1Char('/') + run.fileName()))
                << run.filePath();
    }
}

QString traceLabel(const QString& path)
{
    return path.startsWith(generatedRun())
        ? QDir(generatedRun() + QStringLiteral("/..")).relativeFilePath(path)
        : QDir(tracesFolder()).relativeFilePath(path);
}

} // namespace collscope
