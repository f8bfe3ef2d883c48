// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/kineto_file.h"

#include <array>

namespace collscope {

namespace {

/// Below this the threads cost more than they save.
constexpr std::uint64_t smallFileBytes = std::uint64_t{4} << 20;

enum class Outcome
{
    Done,
    Cancelled,
    NeedsOneThread ///< an event reaches over a cut, or a cut was wrong
};

/// Tells the builder early, and once more when the file's later parts have shown what they hold.
class Expectation
{
public:
    explicit Expectation(std::uint64_t fileBytes)
        : m_fileBytes(static_cast<double>(fileBytes))
    { }
    void update(std::uint64_t bytesRead, FragmentBuilder& builder)
    {
        const double share = static_cast<double>(bytesRead) / m_fileBytes;
        if (!(share >= m_next && share < 1)) // also for an empty file (0 / 0)
            return;
        builder.expectTotal(share);
        m_next = share * 3;
    }

private:
    double m_fileBytes;
    double m_next = 0.04;
};

void readOn(TextBlockReader& reader, TextBlock& block, KinetoFile& file)
{
    reader.next(block);
    file.parser.parse(block);
    file.textBytes = block.offset() + block.size();
}

Outcome readSerially(ByteSource& source, const ReadContext& context, KinetoFile& file)
{
    TextBlockReader reader(source);
    TextBlock block;
    Expectation expectation(file.fragment.source.bytes);
    do {
        readOn(reader, block, file);
        expectation.update(source.diskBytesRead(), file.builder);
        context.progress(source.diskBytesRead());
        if (context.cancelled())
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
Outcome readInParallel(ByteSource& source, const ReadContext& context, KinetoFile& file)
{
    TextBlockReader reader(source);
    TextBlock head;
    do
        readOn(reader, head, file);
    while (!head.isLast() && !file.parser.document().isBetweenEvents());
    if (head.isLast())
        return Outcome::Done;

    const auto partCount = static_cast<std::size_t>(2 * context.parallel.threads());
    std::array<Batch, 2> batches{Batch(partCount, file.fragment.source.path),
                                 Batch(partCount, file.fragment.source.path)};
    batches[0].fill(reader);
    Expectation expectation(file.fragment.source.bytes);
    for (std::size_t round = 0;; ++round) {
        Batch& parsed = batches[round % 2];
        Batch& other = batches[1 - round % 2];
        context.parallel.forEach(parsed.size() + 1, [&](std::size_t i) {
            if (i > 0)
                return parsed.parse(i - 1);
            other.moveTo(file);
            if (!parsed.isLast())
                other.fill(reader);
        });
        if (!parsed.isSound())
            return Outcome::NeedsOneThread;
        expectation.update(source.diskBytesRead(), file.builder);
        context.progress(source.diskBytesRead());
        if (context.cancelled())
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

Result<std::unique_ptr<KinetoFile>> readKinetoFile(const SourceFile& file, const ReadContext& context)
{
    bool parallel = context.parallel.threads() > 1 && file.bytes >= smallFileBytes;
    for (;;) {
        auto source = ByteSource::open(file.path);
        if (!source)
            return source.error();
        auto result = std::make_unique<KinetoFile>(file.path);
        result->fragment.source.bytes = file.bytes;
        result->fragment.source.iteration = file.iteration;
        const Outcome outcome = parallel ? readInParallel(**source, context, *result)
                                         : readSerially(**source, context, *result);
        if (outcome == Outcome::Cancelled)
            return Error{Error::Kind::Cancelled, "Loading was cancelled.", file.path};
        parallel = false;
        if (outcome == Outcome::NeedsOneThread)
            continue;
        result->damage = (*source)->damage();
        result->parser.finish();
        return result;
    }
}

} // namespace collscope
