// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Where the data lies that tests use but the repository does not hold.

#include <QStringList>

namespace collscope {

/// Real traces: COLLSCOPE_TRACES, else ../shared/traces beside the sources; empty if there is none.
QString tracesFolder();
/// Oracle cases and inputs: COLLSCOPE_ORACLE, else ../shared/oracle; empty if there is none.
QString oracleFolder();
/// Files with these endings ("json.gz"): generated ones, which are always here, then those below
/// tracesFolder().
QStringList allTraces(const QStringList& endings);
/// "generated/rank0.json", or where a file lies below tracesFolder().
QString traceLabel(const QString& path);
/// A folder with the generated run: four ranks as Kineto, Nsight, NVLink samples and a workload card.
QString generatedRun();

/// Adds a row of the column "run" for the generated run, for each of the oracle's inputs and for each real
/// file or folder that may be a run.
void addRecordedRuns();

} // namespace collscope
