// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which rows of the oracle's expected.json (what existing tools print) the program reproduces with
// --definition reference, and which not and why.

#include <QStringList>

#include <nlohmann/json.hpp>

namespace collscope {

/// One row and how to ask for it.
struct ReferenceClaim
{
    const char* kase; ///< `case` of the row
    const char* row; ///< `metric` of the row
    const char* id; ///< our metric
    const char* name = ""; ///< the alias to ask for, if it is not the id
    double factor = 1; ///< from the row's unit to that of the id
    const char* scalar = ""; ///< JSON pointer to the scalar in the row's value; "-" = the tool prints none
    const char* options = ""; ///< besides the trace
    QByteArray label() const { return QByteArray(kase) + ": " + row + " as " + (*name ? name : id); }
    std::string asked() const { return *name ? name : id; }
};

struct UnclaimedRow
{
    const char* kase;
    const char* row;
    const char* why;
};

extern const std::vector<ReferenceClaim> referenceClaims;
extern const std::vector<UnclaimedRow> unclaimedRows;

/// All rows; empty without the oracle.
nlohmann::json expectedRows();
/// The row of a claim; throws if there is none.
nlohmann::json rowOf(const nlohmann::json& rows, const char* kase, const char* row);
/// What to open for a case, "" if it is not here. HTA's file "as kineto_trace_0.json" is copied to `scratch`.
QString pathOfCase(const QString& kase, const QString& scratch);
/// The claim's options as arguments, with the oracle's folder put in.
QStringList optionsOf(const ReferenceClaim& claim);

/// "" if a result says what the row says: `value` (null: none), and members of the row's object in `details`.
/// `factor` brings the row's scalar into the unit of `value`.
QString disagreement(const ReferenceClaim& claim, const nlohmann::json& row, const nlohmann::json& value,
                     const nlohmann::json& details, double factor);

} // namespace collscope
