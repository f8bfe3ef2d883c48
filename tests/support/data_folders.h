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
/// Files below tracesFolder() with these endings ("json.gz"), sorted; empty if there are none.
QStringList realTraces(const QStringList& endings);

} // namespace collscope
