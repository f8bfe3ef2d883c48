// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/kineto_file.h"

#include <array>
#include <utility>

namespace collscope {

namespace {

/// Below this the threads cost more than they save.
constexpr std::uint64_t smallFileBytes = std::uint64_t{4} << 20;
/// A first look is given after so much text, if this is a small share of the file.
constexpr std::uint64_t firstLookBytes = std::uint64_t{32} << 20;
constexpr double firstLookShare = 0.25;

enum class Outcome
{
    Done,
    Cancelled,
    NeedsOneThread ///< an event reaches over a cut, or a cut was wrong
};

/// What happens now and then while a file is read: room for what is to come, a first look, progress.
class Milestones
{
public:
    Milestones(const ReadContext& context, KinetoFile& file, KinetoFirstLook firstLook)
        : m_context(context)
        , m_file(file)
        , m_firstLook(std::move(firstLook))
    { }

    /// So many bytes of the file on disk are read. False if the user cancelled.
    bool pass(std::uint64_t diskBytes)
    {
        const double share
            = static_cast<double>(diskBytes) / static_cast<double>(m_file.fragment.source.bytes);
        if (share >= m_nextExpectation && share < 1) { // false, too, for an empty file: 0 / 0
            m_file.builder.expectTotal(share);
            m_nextExpectation = share * 3;
        }
        if (m_firstLook && m_file.textBytes >= firstLookBytes) {
            if (share <= firstLookShare)
                m_firstLook(m_file);
            m_firstLook = nullptr;
        }
        m_context.progress(diskBytes);
        return !m_context.cancelled();
    }

private:
    const ReadContext& m_context;
    KinetoFile& m_file;
    KinetoFirstLook m_firstLook;
    double m_nextExpectation = 0.04;
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
        if (!milestones.pass(source.diskBytesRead()))
            return Outcome::Cancelled;
    } while (!block.isLast());
    return Outcome::Done;
}

/// A stretch of text and what one thread reads of it.
struct Part
{
    explicit Part(const std::string& path)
        : file(path)
    { }
    TextBlock block;
    KinetoFile file;
};

/// Parts that are parsed at the same time. Strings and tracks of a part stay from one batch to the next, so
/// only new ones cost anything.
class Batch
{
public:
    Batch(std::size_t size, const std::string& path)
    {
        for (std::size_t i = 0; i < size; ++i)
            m_parts.push_back(std::make_unique<Part>(path));
    }
    std::size_t size() const { return m_filled; }
    bool isLast() const { return m_isLast; }

    void fill(TextBlockReader& reader)
    {
        for (m_filled = 0; m_filled < m_parts.size() && !m_isLast; ++m_filled) {
            reader.next(m_parts[m_filled]->block);
            m_isLast = m_parts[m_filled]->block.isLast();
        }
    }
    void parse(std::size_t i)
    {
        m_parts[i]->file.parser.beginAmidEvents();
        m_parts[i]->file.parser.parse(m_parts[i]->block);
    }
    /// True if each part ended between two events, as the next one assumed; the file's last may end anywhere.
    bool isSound() const
    {
        for (std::size_t i = 0; i < m_filled; ++i) {
            const bool last = m_isLast && i + 1 == m_filled;
            if (!last && !m_parts[i]->file.parser.document().isBetweenEvents())
                return false;
        }
        return true;
    }
    void moveTo(KinetoFile& whole)
    {
        for (std::size_t i = 0; i < m_filled; ++i) {
            Part& part = *m_parts[i];
            whole.parser.takeFrom(part.file.parser);
            whole.textBytes = part.block.offset() + part.block.size();
        }
        m_filled = 0;
    }

private:
    std::vector<std::unique_ptr<Part>> m_parts;
    std::size_t m_filled = 0;
    bool m_isLast = false;
};

/// Rounds: while one batch is parsed, one body merges the batch before in the order of the file, then fills
/// it with the text that comes next. So inflating, parsing and merging overlap, and memory does not grow.
Outcome readInParallel(ByteSource& source, const Parallel& parallel, Milestones& milestones, KinetoFile& file)
{
    TextBlockReader reader(source);
    TextBlock head;
    do
        readOn(reader, head, file);
    while (!head.isLast() && !file.parser.document().isBetweenEvents());
    if (head.isLast())
        return Outcome::Done;

    const auto partCount = 8 * static_cast<std::size_t>(parallel.threads());
    std::array<Batch, 2> batches{Batch(partCount, file.fragment.source.path),
                                 Batch(partCount, file.fragment.source.path)};
    batches[0].fill(reader);
    for (std::size_t round = 0;; ++round) {
        Batch& parsed = batches[round % 2];
        Batch& other = batches[1 - round % 2];
        parallel.forEach(parsed.size() + 1, [&](std::size_t i) {
            if (i > 0)
                return parsed.parse(i - 1);
            other.moveTo(file);
            if (!parsed.isLast())
                other.fill(reader);
        });
        if (!parsed.isSound())
            return Outcome::NeedsOneThread;
        if (!milestones.pass(source.diskBytesRead()))
            return Outcome::Cancelled;
        if (parsed.isLast()) {
            parsed.moveTo(file);
            return Outcome::Done;
        }
    }
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
    bool parallel = context.parallel.threads() > 1 && file.bytes >= smallFileBytes;
    for (;;) {
        auto source = ByteSource::open(file.path);
        if (!source)
            return source.error();
        auto result = std::make_unique<KinetoFile>(file.path);
        result->fragment.source.bytes = file.bytes;
        result->fragment.source.iteration = file.iteration;
        Milestones milestones(context, *result, firstLook);
        const Outcome outcome = parallel ? readInParallel(**source, context.parallel, milestones, *result)
                                         : readSerially(**source, milestones, *result);
        if (outcome == Outcome::Cancelled)
            return Error{Error::Kind::Cancelled, "Loading was cancelled.", file.path};
        parallel = false;
        firstLook = nullptr;
        if (outcome == Outcome::NeedsOneThread)
            continue;
        result->damage = (*source)->damage();
        result->parser.finish();
        return result;
    }
}

} // namespace collscope
