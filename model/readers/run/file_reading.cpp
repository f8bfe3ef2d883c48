// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/run/file_reading.h"

#include "model/readers/nsys/nsys_rep.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <new>

namespace collscope {

namespace {

/// Putting a file's events in order temporarily takes about this multiple of the memory that reading them
/// took.
constexpr double whenSettled = 1.6;

/// Shows whether a file is still the one that was opened.
struct FileState
{
    std::uint64_t bytes = 0, inode = 0;
    std::int64_t changedS = 0, changedNs = 0;
    friend bool operator==(const FileState&, const FileState&) = default;
};

std::optional<FileState> stateOf(const std::string& path)
{
    struct stat info = {};
    if (::stat(path.c_str(), &info) != 0)
        return std::nullopt;
    return FileState{static_cast<std::uint64_t>(info.st_size), static_cast<std::uint64_t>(info.st_ino),
                     info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
}

void noteChange(const std::string& path, const std::optional<FileState>& before, TraceFragment& fragment)
{
    const std::optional<FileState> after = stateOf(path);
    if (before == after)
        return;
    std::string how = "was removed";
    if (before && after)
        how = before->bytes == after->bytes ? "was written to"
                                            : "changed from " + std::to_string(before->bytes) + " to "
                + std::to_string(after->bytes) + " bytes";
    fragment.problems.add(Severity::DataLoss, "changed_while_read", path, 0,
                          "The file " + how
                              + " while it was read; the content shown may match neither the old nor the new "
                                "file. Load it again when no program is writing to it.");
}

std::string gibText(double bytes)
{
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), bytes / (1024.0 * 1024 * 1024),
                                   std::chars_format::general, 3);
    return std::string(text.data(), end.ptr) + " GiB";
}

} // namespace

Result<TraceFragment> readPlanned(const PlannedFile& planned, const ReadContext& context)
{
    SourceFile file = planned.file;
    const ReaderDescriptor* reader = planned.reader;
    if (!reader) {
        auto database = sqliteForNsysReport(planned.file.path, context);
        if (!database)
            return database.error();
        file.path = *database;
        reader = &readerOf(SourceKind::Nsys);
    }
    const std::optional<FileState> before = stateOf(file.path);
    if (before && planned.reader)
        file.bytes = before->bytes; // it may have grown since planning
    auto fragment = reader->read(file, context);
    if (fragment)
        noteChange(file.path, before, *fragment);
    return fragment;
}

FileReading::FileReading(const LoadPlan& plan, const LoadContext& context, ParallelismKind parallelismKind)
    : m_plan(plan)
    , m_context(context)
    , m_parallelismKind(parallelismKind)
    , m_parts(plan.files.size())
    , m_inUseBefore(context.memory.inUse())
{ }

bool FileReading::isOverLimit(const std::function<std::uint64_t()>& inUse) const
{
    return m_context.memory.bytes > 0 && inUse() > m_context.memory.bytes;
}

void FileReading::read(std::size_t file, const Parallel& parallel,
                       const std::function<void(TraceFragment&&)>& firstLook)
{
    Part& part = m_parts[file];
    if (m_context.stop.stop_requested())
        return;
    const MemoryLimit& memory = m_context.memory;
    if (isOverLimit(memory.inUse)) {
        part.refused = true;
        return;
    }
    const std::uint64_t inUseBefore = memory.inUse();
    std::uint64_t done = 0;
    ReadContext reading;
    reading.cacheFolder = m_context.cacheFolder;
    reading.exportsReports = m_context.exportsReports;
    reading.memoryLeft = [&memory] { return memory.left(); };
    reading.parallel = parallel;
    reading.firstLook = firstLook;
    reading.isThorough = m_parallelismKind == ParallelismKind::Examine;
    reading.keepsEvents = m_parallelismKind != ParallelismKind::Examine;
    reading.progress = [&](std::uint64_t bytes) {
        done = bytes;
        m_context.progress(file, bytes);
    };
    const auto& inUseLately = memory.inUseLately ? memory.inUseLately : memory.inUse;
    // Once most of the file is read, memory must be left to put its events in order.
    const double nearlyAll = 0.85 * static_cast<double>(m_plan.files[file].file.bytes);
    std::uint64_t inUse = 0;
    const auto expected = [&] {
        inUse = inUseLately();
        const double more = static_cast<double>(inUse - std::min(inUse, inUseBefore)) * (whenSettled - 1);
        return inUse + (static_cast<double>(done) > nearlyAll ? static_cast<std::uint64_t>(more) : 0);
    };
    reading.stop = m_context.stop;
    reading.isExhausted = [&] { return isOverLimit(expected); };
    try {
        part.result = readPlanned(m_plan.files[file], reading);
        const bool stopped = !*part.result && part.result->error().kind == Error::Kind::Cancelled;
        part.refused = stopped && !m_context.stop.stop_requested();
    } catch (const std::bad_alloc&) {
        part.refused = true;
    }
    if (!part.refused)
        return;
    part.result.reset();
    if (done == 0)
        return;
    const auto bytesInFile = static_cast<double>(m_plan.files[file].file.bytes);
    part.neededBytes = whenSettled * static_cast<double>(std::max(inUse, inUseBefore) - inUseBefore)
        * ReadContext::readShare * bytesInFile / static_cast<double>(done);
}

double FileReading::memoryPerByte() const
{
    double memory = static_cast<double>(m_context.memory.inUse()) - static_cast<double>(m_inUseBefore);
    double bytes = 0;
    double most = 0;
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        const auto onDisk = static_cast<double>(m_plan.files[i].file.bytes);
        if (m_parts[i].result && *m_parts[i].result)
            bytes += onDisk;
        else if (onDisk > 0)
            most = std::max(most, m_parts[i].neededBytes / onDisk);
    }
    return bytes > 0 && memory > 0 ? memory / bytes : most;
}

void FileReading::readRefusedAgain(const std::function<void(std::size_t file)>& done)
{
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        if (!m_parts[i].refused)
            continue;
        const double needed = static_cast<double>(m_context.memory.inUse())
            + memoryPerByte() * static_cast<double>(m_plan.files[i].file.bytes);
        if (needed > static_cast<double>(m_context.memory.bytes))
            continue;
        m_parts[i] = Part();
        read(i, m_context.parallel);
        done(i);
    }
}

Result<TraceFragment>* FileReading::result(std::size_t file)
{
    return m_parts[file].result ? &*m_parts[file].result : nullptr;
}

std::string FileReading::refusal() const
{
    const double perByte = memoryPerByte();
    auto needed = static_cast<double>(m_context.memory.inUse());
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        const double byRate = perByte * static_cast<double>(m_plan.files[i].file.bytes);
        needed += m_parts[i].refused ? std::max(byRate, m_parts[i].neededBytes) : 0;
    }
    const std::string allowed = m_context.memory.bytes > 0
        ? ", and " + gibText(static_cast<double>(m_context.memory.bytes)) + " are allowed"
        : std::string(", and the system cannot provide more");
    return "Not loaded because memory is insufficient: the run needs about " + gibText(needed) + allowed
        + ". Load fewer ranks (--max-ranks) or one iteration (--iteration), or allow more (--max-memory).";
}

} // namespace collscope
