// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/kineto_pipeline.h"

#include <thread>

namespace collscope {

/// A block of text and what is read of it. Strings and tracks stay from one block to the next, so only new
/// ones cost anything; a part is used again when it is merged, so its strings are known in the file's order.
struct KinetoPipeline::Part
{
    explicit Part(const std::string& path)
        : file(path)
    { }
    TextBlock block;
    KinetoFile file;
    std::size_t number = 0; ///< of the block
    std::uint64_t diskBytes = 0; ///< read when the block ends
};

KinetoPipeline::KinetoPipeline(ByteSource& source, TextBlockReader& reader, KinetoFile& whole, int threads)
    : m_source(source)
    , m_reader(reader)
    , m_whole(whole)
    , m_parsed(static_cast<std::size_t>(threads) * 2 + 2)
{
    for (std::size_t i = 0; i < m_parsed.size(); ++i) {
        m_parts.push_back(std::make_unique<Part>(whole.fragment.source.path));
        m_free.push_back(m_parts.back().get());
    }
}

KinetoPipeline::~KinetoPipeline() = default;

KinetoPipeline::End KinetoPipeline::run(const Parallel& parallel, const Passed& passed)
{
    parallel.forEach(static_cast<std::size_t>(parallel.threads()), [&](std::size_t) {
        try {
            work(passed);
        } catch (...) {
            m_stopped = true;
            throw;
        }
    });
    return m_end;
}

void KinetoPipeline::work(const Passed& passed)
{
    while (!isOver()) {
        if (Part* part = readNext()) {
            part->file.parser.beginAmidEvents();
            part->file.parser.parse(part->block);
            m_parsed[part->number % m_parsed.size()] = part;
            mergeReady(passed);
        } else if (!mergeReady(passed)) {
            std::this_thread::yield(); // for some microseconds: sleeping would take longer
        }
    }
}

KinetoPipeline::Part* KinetoPipeline::readNext()
{
    const std::unique_lock reading(m_readMutex, std::try_to_lock);
    if (!reading || m_allRead)
        return nullptr;
    Part* part = nullptr;
    {
        const std::lock_guard lock(m_freeMutex);
        if (m_free.empty())
            return nullptr;
        part = m_free.back();
        m_free.pop_back();
    }
    m_reader.next(part->block);
    part->diskBytes = m_source.diskBytesRead();
    part->number = m_read++;
    m_allRead = part->block.isLast();
    return part;
}

bool KinetoPipeline::mergeReady(const Passed& passed)
{
    const std::unique_lock merging(m_mergeMutex, std::try_to_lock);
    if (!merging)
        return false;
    bool any = false;
    while (!m_stopped) {
        Part* part = m_parsed[m_merged % m_parsed.size()].exchange(nullptr);
        if (!part)
            break;
        any = true;
        if (!merge(*part, passed)) {
            m_stopped = true;
            break;
        }
        ++m_merged;
        const std::lock_guard lock(m_freeMutex);
        m_free.push_back(part);
    }
    return any;
}

bool KinetoPipeline::merge(Part& part, const Passed& passed)
{
    // Each part ended between two events, as the next one assumed; the file's last may end anywhere.
    if (!part.block.isLast() && !part.file.parser.document().isBetweenEvents()) {
        m_end = End::WrongCut;
        return false;
    }
    m_whole.parser.takeFrom(part.file.parser);
    m_whole.textBytes = part.block.offset() + part.block.size();
    if (passed(part.diskBytes))
        return true;
    m_end = End::Stopped;
    return false;
}

} // namespace collscope
