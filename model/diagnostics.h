// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Data that a load could not use or had to repair: counted, capped, each with file and offset. Shown in the
// Problems view and on stderr.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace collscope {

enum class Severity : std::uint8_t
{
    Info, ///< worth knowing, nothing lost
    Notice, ///< something was assumed or repaired
    DataLoss, ///< something in the file is not in the model
    Error ///< a file could not be used at all
};

/// One kind of finding in one file. Repeated findings only increase `count`.
struct Diagnostic
{
    Severity severity = Severity::Info;
    std::string code; ///< stable snake_case id, e.g. "truncated"
    std::string file; ///< path as given by the user; empty for the run as a whole
    std::uint64_t firstOffset = 0; ///< byte of the first occurrence in the inflated file, 0 = unknown
    std::uint64_t count = 0;
    std::uint64_t excludedEvents = 0; ///< events that are not in the model because of this
    std::string explanation; ///< one sentence a user can act on
};

class Diagnostics
{
public:
    /// Adds one occurrence; the same (code, file) is one entry. O(1).
    void add(Severity severity, std::string_view code, std::string_view file, std::uint64_t offset,
             std::string_view explanation, std::uint64_t excludedEvents = 0);
    void merge(const Diagnostics& other);
    /// Adds all occurrences of a problem.
    void merge(const Diagnostic& problem);

    /// Appends a sentence to the explanation of an entry, if present, for facts that are known only at the
    /// end.
    void explainMore(std::string_view code, std::string_view file, std::string_view sentence);

    const std::vector<Diagnostic>& entries() const { return m_entries; }
    bool isEmpty() const { return m_entries.empty(); }
    std::uint64_t excludedEvents() const;

private:
    Diagnostic* find(std::string_view code, std::string_view file);
    void append(Diagnostic&& problem);

    std::vector<Diagnostic> m_entries;
    /// Entries by hash of code and file; used once there are more than a few.
    std::unordered_multimap<std::size_t, std::size_t> m_index;
};

std::string_view severityName(Severity severity);

} // namespace collscope
