// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Parses the text of a Kineto/Chrome trace into a FragmentBuilder. The hot path of the program.

#include "model/building/fragment.h"
#include "model/readers/kineto/args_steps.h"
#include "model/readers/text/text_blocks.h"
#include "model/readers/text/trace_document.h"
#include "model/readers/xla/merged_ranks.h"

#include <functional>
#include <memory>

namespace collscope {

class KinetoListParser;

/// Parses the event list of a document given in blocks and counts each event as shown, or as excluded under a
/// diagnostic. Sound text costs one pass of simdjson; in a damaged block, events are found one by one and
/// repaired or set aside.
class KinetoEventParser
{
public:
    KinetoEventParser(TraceFragment& fragment, FragmentBuilder& builder);
    ~KinetoEventParser();

    /// Checks every value, including those that views do not need. `eventText`, if set, is called with each
    /// event as valid JSON, except for events that cannot be made valid and elements that are not events.
    void setThorough(std::function<void(std::string_view json)> eventText);
    /// `mustStop`, see ReadContext, is polled while damaged text is read, which takes longest. Once it
    /// returns true, reading stops and the result is incomplete.
    void setMustStop(std::function<bool()> mustStop);
    bool isStopped() const;
    /// Parses the next block in file order. Its text is changed temporarily and restored.
    void parse(TextBlock& block);
    /// For a parser of a part of a file: its next block starts between two events.
    void beginAmidEvents();
    /// Moves everything read by a parser of the text that follows into this one, and empties that parser (and
    /// its fragment and builder) for its next part.
    void takeFrom(KinetoEventParser& later);
    /// Accounts for elements that are still open at the end of the file. Call once, after the last parse().
    void finish();

    /// The document around the events, as read so far.
    const TraceDocument& document() const;
    /// Whether the next text starts between two events of the list.
    bool isBetweenEvents() const;
    /// After finish(): whether the file ends inside an event.
    bool hasOpenEvent() const;
    /// The earliest start of a duration event, in the file's own clock; 0 without one.
    std::int64_t firstStartNs() const;
    /// The `Rank` argument of the first collective that has one.
    std::optional<std::int32_t> collectiveRank() const;

    /// The ranks stated by the events of a merged file, by pid.
    const RankOfPid& rankOfPid() const;
    /// The steps that events state in their args.
    const ArgsSteps& steps() const;

private:
    std::unique_ptr<KinetoListParser> m_impl;
};

} // namespace collscope
