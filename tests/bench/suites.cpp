// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/bench/suites.h"

#include <QStringList>

#include <array>
#include <utility>

namespace collscope::bench {

namespace {

using Suite = std::pair<const char*, void (*)(const Settings&, Report&)>;
constexpr std::array suites{Suite{"load", measureLoad},         Suite{"gzip", measureGzip},
                            Suite{"damage", measureDamage},     Suite{"ranks", measureRanks},
                            Suite{"nsys", measureNsys},         Suite{"window", measureWindowLoads},
                            Suite{"frames", measureFrames},     Suite{"lanes", measureLanes},
                            Suite{"lateness", measureLateness}, Suite{"collectives", measureCollectives},
                            Suite{"metrics", measureMetrics},   Suite{"memory", measureMemory},
                            Suite{"replay", measureReplay}};

} // namespace

QString suiteNames()
{
    QStringList names;
    for (const auto& [name, measure] : suites)
        names << QString::fromLatin1(name);
    return names.join(QStringLiteral(", "));
}

bool runSuites(const Settings& settings, const QString& only, Report& report)
{
    QStringList wanted;
    for (const QString& name : only.split(u',', Qt::SkipEmptyParts))
        wanted << name.trimmed();
    for (const auto& [name, measure] : suites) {
        const QString suite = QString::fromLatin1(name);
        if (!only.isEmpty() && !wanted.contains(suite))
            continue;
        wanted.removeAll(suite);
        measure(settings, report);
    }
    return wanted.isEmpty();
}

} // namespace collscope::bench
