// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Reads what the NCCL Inspector wrote: lines of JSON, one for each operation, or Prometheus text.

#include "model/readers/history/inspector_blocks.h"
#include "model/readers/history/inspector_metrics.h"
#include "model/readers/reader.h"
#include "model/readers/text/measurement_text.h"

#include <memory>
#include <utility>

namespace collscope {

namespace {

/// Below this size, threads cost more than they save.
constexpr std::uint64_t smallInspectorBytes = std::uint64_t{4} << 20;
/// No writer writes this much text without a record.
constexpr std::uint64_t barrenInspectorBytes = std::uint64_t{256} << 20;

class InspectorReading
{
public:
    InspectorReading(const SourceFile& file, const ReadContext& context)
        : m_file(file)
        , m_context(context)
        , m_fragment(fragmentOf(file, SourceKind::NcclInspector))
    { }

    Result<TraceFragment> read(ByteSource& source);

private:
    bool isDone(const InspectorPart& part);
    void report();
    void note(Severity severity, std::string_view code, const InspectorRows::Loss& loss,
              std::string_view explanation, bool isExcluded);

    const SourceFile& m_file;
    const ReadContext& m_context;
    TraceFragment m_fragment;
    InspectorBlocks m_blocks;
    std::uint64_t m_recordsBefore = 0, m_lastRecordAt = 0, m_end = 0;
    bool m_isCancelled = false, m_isBarren = false;
};

/// Called after each block. True: reading ends here.
bool InspectorReading::isDone(const InspectorPart& part)
{
    m_end = part.block.offset + part.block.size;
    m_context.progress(
        static_cast<std::uint64_t>(static_cast<double>(part.block.diskBytes) * ReadContext::readShare));
    m_isCancelled = m_context.mustStop();
    if (m_blocks.records != m_recordsBefore) {
        m_recordsBefore = m_blocks.records;
        m_lastRecordAt = m_end;
    }
    m_isBarren = m_end - m_lastRecordAt > barrenInspectorBytes;
    return m_isCancelled || m_isBarren;
}

Result<TraceFragment> InspectorReading::read(ByteSource& source)
{
    LineBlockReader reader(source);
    const bool isParallel = m_context.parallel.threads() > 1 && m_file.bytes >= smallInspectorBytes;
    const std::size_t slots = isParallel ? 2 * static_cast<std::size_t>(m_context.parallel.threads()) + 2 : 1;
    std::vector<std::unique_ptr<InspectorPart>> parts(slots);
    for (auto& part : parts)
        part = std::make_unique<InspectorPart>();
    bool isLast = false;
    Parallel::Stages stages;
    stages.read = [&](std::size_t slot) {
        if (isLast)
            return false;
        reader.next(parts[slot]->block);
        isLast = parts[slot]->block.isLast;
        return true;
    };
    stages.work = [&](std::size_t slot) {
        parts[slot]->clear();
        parts[slot]->lines.parse(parts[slot]->block, parts[slot]->rows);
    };
    stages.take = [&](std::size_t slot) {
        m_blocks.take(*parts[slot]);
        return !isDone(*parts[slot]);
    };
    if (isParallel)
        m_context.parallel.forPieces(slots, stages);
    else
        Parallel().forPieces(slots, stages);
    if (m_isCancelled)
        return Error{Error::Kind::Cancelled, "Loading was cancelled.", m_file.path, 0};
    noteDamage(source, m_file.path, m_end, m_fragment.problems);
    report();
    if (m_blocks.operations + m_blocks.markers == 0)
        return Error{Error::Kind::Format, "The file contains no readable record of the NCCL Inspector.",
                     m_file.path, 0};
    m_fragment.history = std::make_shared<JobHistory>(std::move(m_blocks.builder().history()));
    return std::move(m_fragment);
}

void InspectorReading::note(Severity severity, std::string_view code, const InspectorRows::Loss& loss,
                            std::string_view explanation, bool isExcluded)
{
    if (loss.count > 0)
        m_fragment.problems.add(severity, code, m_file.path, loss.offset,
                                std::to_string(loss.count) + std::string(explanation),
                                isExcluded ? loss.count : 0);
}

void InspectorReading::report()
{
    SourceInfo& source = m_fragment.source;
    source.eventsInFile = m_blocks.records;
    source.shown = m_blocks.operations + m_blocks.markers;
    source.excluded = source.eventsInFile - source.shown;
    note(Severity::DataLoss, "bad_record", m_blocks.damaged,
         " records of the NCCL Inspector are not valid JSON, or two of them are mixed on one line.", true);
    note(Severity::DataLoss, "incomplete_record", m_blocks.incomplete,
         " records of the NCCL Inspector lack the operation, its number, size or duration, or state "
         "impossible ones.",
         true);
    note(Severity::DataLoss, "too_many_members", m_blocks.tooMany,
         " records are of more processes, communicators or sizes than any job has.", true);
    note(Severity::DataLoss, "record_without_header", m_blocks.orphans,
         " records do not say which communicator and process they belong to, and no record before them "
         "(dump_stats) counts them.",
         true);
    note(Severity::Notice, "other_text", m_blocks.otherText,
         " lines are not records of the NCCL Inspector; they were skipped.", false);
    if (m_blocks.proxyLines > 0)
        m_fragment.problems.add(Severity::Info, "proxy_records", m_file.path, 0,
                                std::to_string(m_blocks.proxyLines)
                                    + " records of proxy operations are not used: they have CPU times of "
                                      "network progress only.",
                                m_blocks.proxyLines);
    if (m_blocks.unfinishedDumps > 0)
        m_fragment.problems.add(Severity::DataLoss, "unfinished_dump", m_file.path, 0,
                                std::to_string(m_blocks.unfinishedDumps)
                                    + " dumps announce more records than follow: the file was cut off or "
                                      "changed.");
    if (m_blocks.skippedBytes > 0)
        m_fragment.problems.add(Severity::DataLoss, "line_too_long", m_file.path, 0,
                                "Lines of more than 4 MiB were skipped: no record is that long.");
    if (m_isBarren)
        m_fragment.problems.add(Severity::DataLoss, "no_events", m_file.path, m_lastRecordAt,
                                "The file contains 256 MiB of text without a record; reading stopped there, "
                                "and what it found before is used.");
}

Sniff sniffInspector(std::string_view, std::string_view head)
{
    return holdsInspectorLines(head) || holdsInspectorMetrics(head) ? Sniff::Yes : Sniff::No;
}

Result<TraceFragment> readInspectorText(const SourceFile& file, const ReadContext& context)
{
    TraceFragment fragment = fragmentOf(file, SourceKind::NcclInspector);
    const auto text = readText(file, context, fragment.problems);
    if (!text)
        return text.error();
    readInspectorMetrics(*text, fragment);
    if (fragment.source.shown == 0)
        return Error{Error::Kind::Format, "The file contains no readable sample of the NCCL Inspector.",
                     file.path, 0};
    return fragment;
}

Result<TraceFragment> readInspector(const SourceFile& file, const ReadContext& context)
{
    const Result<std::string> head = readHead(file.path, std::size_t{64} * 1024);
    if (!head)
        return head.error();
    if (!holdsInspectorLines(*head) && holdsInspectorMetrics(*head))
        return readInspectorText(file, context);
    auto source = ByteSource::open(file.path);
    if (!source)
        return source.error();
    return InspectorReading(file, context).read(**source);
}

} // namespace

extern const ReaderDescriptor ncclInspectorReader;
const ReaderDescriptor ncclInspectorReader{"nccl_inspector", "NCCL Inspector (JSON lines, Prometheus text)",
                                           SourceKind::NcclInspector, sniffInspector, readInspector};

} // namespace collscope
