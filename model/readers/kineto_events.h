// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Text of a Kineto/Chrome trace -> FragmentBuilder. The hot path of the program.

#include "model/fragment.h"
#include "model/readers/args_steps.h"
#include "model/readers/merged_ranks.h"
#include "model/readers/text_blocks.h"
#include "model/readers/trace_document.h"

#include <functional>
#include <memory>

namespace collscope {

/// Parses the event list of a document that comes in blocks and counts what becomes of each event: shown, or
/// excluded under a diagnostic. Sound text costs one pass of simdjson; where a block is damaged, its events
/// are found one by one and repaired or set aside.
class KinetoEventParser
{
public:
    KinetoEventParser(TraceFragment& fragment, FragmentBuilder& builder);
    ~KinetoEventParser();

    /// Checks every value, also those that no view needs; `eventText`, if set, is given each event as valid
    /// JSON. Events that cannot be made valid, and what is no event, are not given.
    void setThorough(std::function<void(std::string_view json)> eventText);
    /// Polled while damaged text is read, which takes longest. Once it says so, nothing more is read, and
    /// what was read is not all.
    void setCancelled(std::function<bool()> cancelled);
    bool isCancelled() const;
    /// Blocks in the order of the file. The text is changed and put back.
    void parse(TextBlock& block);
    /// For a parser of a part of a file: its next block begins between two events.
    void beginAmidEvents();
    /// Moves what a parser of the text behind this one's has read to here, and empties that one (its fragment
    /// and builder too) for its next part.
    void takeFrom(KinetoEventParser& later);
    /// Accounts for what the end of the file leaves open. Call once, after the last parse().
    void finish();

    /// What was seen of the document around the events.
    const TraceDocument& document() const;
    /// Whether the next text begins between two events of the list.
    bool isBetweenEvents() const;
    /// After finish(): the file ends amid an event.
    bool hasOpenEvent() const;
    /// The earliest start of a duration event, in the file's own clock; 0 if there was none.
    std::int64_t firstStartNs() const;
    /// The `Rank` argument of the first collective that has one.
    std::optional<std::int32_t> collectiveRank() const;

    /// The ranks that the events of a merged file say, by pid.
    const RankOfPid& rankOfPid() const;
    /// The steps that events say in their args.
    const ArgsSteps& steps() const;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace collscope
