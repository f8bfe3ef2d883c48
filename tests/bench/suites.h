// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What is measured, in suites that can be run one by one.

#include "tests/bench/bench_report.h"

namespace collscope::bench {

struct Settings
{
    QString folder; ///< for generated files; those that are there are used again
    int runs = 5;
    bool smoke = false;
    QString prototype; ///< "" or a program that loads trace files (-t THREADS FILE...)
};

/// "load, gzip, damage, ranks, nsys, window, frames, lanes, lateness, collectives, metrics, memory, replay"
QString suiteNames();
/// The generated Kineto file of so many MB; made if it is not there.
QString kinetoFile(const Settings& settings, const QString& name, int megabytes, int rank, int ranks);
/// Runs the named suites (a comma-separated list; "" = all). False if a name is unknown.
bool runSuites(const Settings& settings, const QString& only, Report& report);

void measureLoad(const Settings& settings, Report& report);
void measureGzip(const Settings& settings, Report& report);
void measureDamage(const Settings& settings, Report& report);
void measureRanks(const Settings& settings, Report& report);
void measureNsys(const Settings& settings, Report& report);
void measureWindowLoads(const Settings& settings, Report& report);
void measureFrames(const Settings& settings, Report& report);
void measureLanes(const Settings& settings, Report& report);
void measureLateness(const Settings& settings, Report& report);
void measureCollectives(const Settings& settings, Report& report);
void measureMetrics(const Settings& settings, Report& report);
void measureMemory(const Settings& settings, Report& report);
void measureReplay(const Settings& settings, Report& report);

} // namespace collscope::bench
