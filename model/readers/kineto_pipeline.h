// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// One file on several threads: the same result as on one, in bounded memory.

#include "model/readers/kineto_file.h"
#include "model/readers/text_blocks.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace collscope {

/// Each thread reads the next block of text, parses it by itself and, unless another thread does, merges what
/// is parsed, in the order of the file. So reading (or inflating), parsing and merging overlap without
/// rounds, and a block is parsed where it is in the cache.
class KinetoPipeline
{
public:
    enum class End
    {
        Done,
        Stopped, ///< the caller wanted no more
        WrongCut ///< a block did not end between two events: the file must be read on one thread
    };
    /// So many bytes of the file on disk are merged; called on one thread at a time. False stops the reading.
    using Passed = std::function<bool(std::uint64_t diskBytes)>;

    /// Goes on where `reader` is, which must be between two events, and appends to `whole`.
    KinetoPipeline(ByteSource& source, TextBlockReader& reader, KinetoFile& whole, int threads);
    KinetoPipeline(const KinetoPipeline&) = delete;
    KinetoPipeline& operator=(const KinetoPipeline&) = delete;
    ~KinetoPipeline();

    End run(const Parallel& parallel, const Passed& passed);

private:
    struct Part;

    void work(const Passed& passed);
    Part* readNext();
    bool mergeReady(const Passed& passed);
    bool merge(Part& part, const Passed& passed);
    bool isOver() const { return m_stopped || (m_allRead && m_merged == m_read); }

    ByteSource& m_source;
    TextBlockReader& m_reader;
    KinetoFile& m_whole;
    End m_end = End::Done; ///< written while merging

    std::vector<std::unique_ptr<Part>> m_parts;
    std::mutex m_freeMutex;
    std::vector<Part*> m_free; ///< the last one used is taken first: its tables are in the cache
    std::vector<std::atomic<Part*>> m_parsed; ///< by number in the file, modulo the number of parts
    std::mutex m_readMutex, m_mergeMutex;
    std::atomic<std::size_t> m_read = 0, m_merged = 0; ///< blocks
    std::atomic<bool> m_allRead = false, m_stopped = false;
};

} // namespace collscope
