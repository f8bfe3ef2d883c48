// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Event objects of a Kineto/Chrome trace -> FragmentBuilder. The hot path of the program.

#include "model/fragment.h"
#include "model/readers/json_event_splitter.h"

#include <memory>
#include <span>
#include <string>

namespace collscope {

/// Parses complete event objects and counts what becomes of each: shown, or excluded under a diagnostic.
class KinetoEventParser
{
public:
    KinetoEventParser(TraceFragment& fragment, FragmentBuilder& builder);
    ~KinetoEventParser();

    /// Room that the caller leaves around the text it passes to parse(): the bytes there are changed and put
    /// back.
    static constexpr std::size_t frontMargin = 1;
    static constexpr std::size_t backMargin = 128;

    /// `text` lies in a writable buffer with the margins around it; `events` are spans of it; `fileOffset` is
    /// where the text begins in the inflated file.
    void parse(char* text, std::size_t size, std::span<const JsonEventSplitter::Span> events,
               std::uint64_t fileOffset);
    /// Accounts for begin events that never ended. Call once, after the last parse().
    void finish();

    /// The earliest start of a duration event, in the file's own clock; 0 if there was none.
    std::int64_t firstStartNs() const;
    /// The `Rank` argument of the first collective that has one.
    std::optional<std::int32_t> collectiveRank() const;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace collscope
