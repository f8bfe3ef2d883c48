// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/bench/bench_report.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <QSysInfo>
#include <QThread>

#include <cstdio>

namespace collscope::bench {

namespace {

QString number(double value)
{
    return QString::number(value, 'g', value >= 1000 ? 5 : 4);
}

} // namespace

void Report::add(const Figure& figure)
{
    if (m_figures.empty() || m_figures.back().suite != figure.suite)
        std::printf("\n%-44s %12s %-9s %8s  %-26s %-12s\n", qPrintable(figure.suite), "median", "", "ratio",
                    "to", "goal");
    std::printf("  %-42s %12s %-9s %8s  %-26s %-12s %s\n", qPrintable(figure.name),
                qPrintable(number(figure.value)), qPrintable(figure.unit),
                figure.ratio ? qPrintable(number(*figure.ratio)) : "", qPrintable(figure.reference),
                qPrintable(figure.goal), figure.met ? (*figure.met ? "ok" : "MISSED") : "");
    std::fflush(stdout);
    m_figures.push_back(figure);
}

void Report::fail(const QString& what)
{
    std::printf("  WRONG: %s\n", qPrintable(what));
    ++m_failures;
}

bool Report::writeJson(const QString& path) const
{
    QJsonArray figures;
    for (const Figure& figure : m_figures) {
        QJsonObject object{{QStringLiteral("suite"), figure.suite},
                           {QStringLiteral("name"), figure.name},
                           {QStringLiteral("value"), figure.value},
                           {QStringLiteral("unit"), figure.unit}};
        if (figure.ratio)
            object[QStringLiteral("ratio")] = *figure.ratio;
        if (!figure.reference.isEmpty())
            object[QStringLiteral("reference")] = figure.reference;
        if (!figure.goal.isEmpty())
            object[QStringLiteral("goal")] = figure.goal;
        if (figure.met)
            object[QStringLiteral("met")] = *figure.met;
        figures.append(object);
    }
    const QJsonObject root{{QStringLiteral("schema"), QStringLiteral("collscope.bench/1")},
                           {QStringLiteral("version"), QStringLiteral(COLLSCOPE_VERSION)},
                           {QStringLiteral("cpu"), QSysInfo::currentCpuArchitecture()},
                           {QStringLiteral("cores"), QThread::idealThreadCount()},
                           {QStringLiteral("system"), QSysInfo::prettyProductName()},
                           {QStringLiteral("figures"), figures}};
    QSaveFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(root).toJson()) > 0 && file.commit();
}

} // namespace collscope::bench
