// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/kineto/kineto_file.h"

#include <utility>

namespace collscope {

namespace {

/// Below this size, threads cost more than they save.
constexpr std::uint64_t smallFileBytes = std::uint64_t{4} << 20;
/// A first look is given after this much text, if this is at most firstLookShare of the file.
constexpr std::uint64_t firstLookBytes = std::uint64_t{32} << 20;
constexpr double firstLookShare = 0.25;
/// Trace writers do not write this much text between two events.
constexpr std::uint64_t barrenBytes = std::uint64_t{256} << 20;

enum class Outcome
{
    Done,
    Cancelled,
    Barren ///< too much text without an event: continuing is pointless
};

/// Tasks done repeatedly while a file is read: reserve memory for the rest, give a first look, report
/// progress.
class Milestones
{
public:
    Milestones(const ReadContext& context, KinetoFile& file, KinetoFirstLook firstLook)
        : m_context(context)
        , m_file(file)
        , m_firstLook(std::move(firstLook))
    { }

    /// Called when `diskBytes` bytes of the file have been read. Done: continue.
    Outcome pass(std::uint64_t diskBytes)
    {
        const double share
            = static_cast<double>(diskBytes) / static_cast<double>(m_file.fragment.source.bytes);
        if (share >= m_nextExpectation && share < 1) { // also false for an empty file: 0 / 0
            m_file.builder.expectTotal(share);
            m_nextExpectation = share * 3;
        }
        if (m_firstLook && m_file.textBytes >= firstLookBytes) {
            if (share <= firstLookShare)
                m_firstLook(m_file);
            m_firstLook = nullptr;
        }
        m_context.progress(
            static_cast<std::uint64_t>(static_cast<double>(diskBytes) * ReadContext::readShare));
        if (m_file.parser.isStopped() || m_context.mustStop())
            return Outcome::Cancelled;
        if (m_file.fragment.source.eventsInFile != m_eventsBefore) {
            m_eventsBefore = m_file.fragment.source.eventsInFile;
            m_lastEventAt = m_file.textBytes;
        }
        return m_file.textBytes - m_lastEventAt > barrenBytes ? Outcome::Barren : Outcome::Done;
    }

private:
    const ReadContext& m_context;
    KinetoFile& m_file;
    KinetoFirstLook m_firstLook;
    double m_nextExpectation = 0.04;
    std::uint64_t m_eventsBefore = 0;
    std::uint64_t m_lastEventAt = 0; ///< approximate position in the text
};

void readOn(TextBlockReader& reader, TextBlock& block, KinetoFile& file)
{
    reader.next(block);
    file.parser.parse(block);
    file.textBytes = block.offset() + block.size();
}

Outcome readSerially(ByteSource& source, Milestones& milestones, KinetoFile& file)
{
    TextBlockReader reader(source);
    TextBlock block;
    do {
        readOn(reader, block, file);
        if (const Outcome outcome = milestones.pass(source.diskBytesRead()); outcome != Outcome::Done)
            return outcome;
    } while (!block.isLast());
    return Outcome::Done;
}

/// A block of text and the events read from it. Strings and tracks are kept from block to block, so only new
/// ones cost time; they are added in file order, since a part is reused only after it was merged.
struct Part
{
    explicit Part(const std::string& path)
        : file(std::make_unique<KinetoFile>(path))
    { }
    TextBlock block;
    std::unique_ptr<KinetoFile> file;
    std::uint64_t diskBytes = 0; ///< read from disk at the end of the block
};

Outcome readInParallel(ByteSource& source, const Parallel& parallel, Milestones& milestones, KinetoFile& file)
{
    TextBlockReader reader(source);
    TextBlock head;
    do {
        readOn(reader, head, file);
        if (const Outcome outcome = milestones.pass(source.diskBytesRead()); outcome != Outcome::Done)
            return outcome;
    } while (!head.isLast() && !file.parser.isBetweenEvents());

    std::vector<std::unique_ptr<Part>> parts(2 * static_cast<std::size_t>(parallel.threads()) + 2);
    for (std::unique_ptr<Part>& part : parts)
        part = std::make_unique<Part>(file.fragment.source.path);
    Outcome outcome = Outcome::Done;
    bool isLast = head.isLast();
    Parallel::Stages stages;
    stages.read = [&](std::size_t i) {
        if (isLast)
            return false;
        reader.next(parts[i]->block);
        parts[i]->diskBytes = source.diskBytesRead();
        isLast = parts[i]->block.isLast();
        return true;
    };
    stages.work = [&](std::size_t i) {
        parts[i]->file->parser.beginAmidEvents();
        parts[i]->file->parser.parse(parts[i]->block);
    };
    stages.take = [&](std::size_t i) {
        Part& part = *parts[i];
        if (file.parser.isBetweenEvents()) {
            file.parser.takeFrom(part.file->parser);
        } else { // the text before this part did not end between two events
            file.parser.parse(part.block);
            part.file = std::make_unique<KinetoFile>(file.fragment.source.path);
        }
        file.textBytes = part.block.offset() + part.block.size();
        outcome = milestones.pass(part.diskBytes);
        return outcome == Outcome::Done;
    };
    parallel.forPieces(parts.size(), stages);
    return outcome;
}

} // namespace

KinetoFile::KinetoFile(const std::string& path)
{
    fragment.source.path = path;
    fragment.source.kind = SourceKind::Kineto;
}

Result<std::unique_ptr<KinetoFile>> readKinetoFile(const SourceFile& file, const ReadContext& context,
                                                   KinetoFirstLook firstLook)
{
    const bool parallel
        = context.parallel.threads() > 1 && file.bytes >= smallFileBytes && !context.isThorough;
    auto source = ByteSource::open(file.path);
    if (!source)
        return source.error();
    auto result = std::make_unique<KinetoFile>(file.path);
    result->fragment.source.bytes = file.bytes;
    result->fragment.source.iteration = file.iteration;
    if (context.isThorough)
        result->parser.setThorough(context.eventText);
    result->parser.setMustStop([&context] { return context.mustStop(); });
    if (!context.keepsEvents)
        result->builder.keepNothing();
    Milestones milestones(context, *result, std::move(firstLook));
    Outcome outcome = parallel ? readInParallel(**source, context.parallel, milestones, *result)
                               : readSerially(**source, milestones, *result);
    if (outcome != Outcome::Cancelled) {
        result->parser.finish();
        outcome = result->parser.isStopped() ? Outcome::Cancelled : outcome;
    }
    if (outcome == Outcome::Cancelled)
        return Error{Error::Kind::Cancelled, "Loading was cancelled.", file.path};
    result->damage = (*source)->damage();
    if (outcome == Outcome::Barren)
        result->damage
            = StreamDamage{"no_events",
                           "The file contains 256 MiB of text without an event; reading stopped there, and "
                           "the events before it are shown."};
    return result;
}

} // namespace collscope
