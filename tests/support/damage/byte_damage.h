// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One damaged byte costs one event at most, and every event of the file stays in the ledger: the rule that
// unit tests and a fuzz target hold the Kineto reader to. Knows no Qt, so that fuzz targets can link it.

#include "model/readers/reader.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

/// How many events a reader found in a text, and what became of them.
struct Ledger
{
    std::int64_t events = -1, shown = 0, excluded = 0; ///< events: -1 if nothing could be read
    std::int64_t partners = 0; ///< left out because a begin or an end is missing
    friend bool operator==(const Ledger&, const Ledger&) = default;
};

Ledger ledgerOf(const Result<TraceFragment>& fragment);
/// Of the Kineto JSON in a file, as the window loads it and as the doctor examines it.
Ledger loadedLedger(const std::string& path);
Ledger examinedLedger(const std::string& path);
/// "events = shown + excluded"
std::string textOf(const Ledger& ledger);

/// Places of the quotes, brackets, commas and colons that JSON is made of.
std::vector<std::size_t> structuralBytes(std::string_view text);

/// The ways in which a byte is damaged: it is lost, it becomes a blank or a letter, one of its eight bits
/// flips, or it becomes one of the seven characters of JSON's structure.
inline constexpr int waysOfDamage = 18;
std::string damaged(std::string text, std::size_t at, int way);

/// What is wrong with how a file is read that was damaged in one byte; "" if nothing is. `sound`: the ledger
/// of the file before.
std::string mistakeAfterDamage(const std::string& path, const Ledger& sound);

} // namespace collscope
