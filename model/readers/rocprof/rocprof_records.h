// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Cuts a JSON file of rocprofv3 into its records, without holding the file. Its layout:
// {"rocprofiler-sdk-tool": [{"metadata": {...}, "agents": [{...}, ...], "strings": {"marker_api": [...]},
//  "buffer_records": {"kernel_dispatch": [{...}, ...], ...}, ...}]}

#include "model/readers/byte_source.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

class RocprofRecords
{
public:
    static constexpr std::string_view root = "rocprofiler-sdk-tool";
    /// The bytes behind a record that a parser may read.
    static constexpr std::size_t padding = 128;

    struct Record
    {
        std::string_view section; ///< "agents", "buffer_records.kernel_dispatch"
        std::string_view text; ///< an object, followed by `padding` readable bytes
        std::uint64_t offset = 0; ///< in the (inflated) file
        std::size_t tool = 0; ///< which element of the outermost list
    };
    struct Outcome
    {
        bool isStopped = false;
        bool isCut = false; ///< the file ends inside the document
        std::string openSection; ///< of the record in which it ends; "" = between records
        std::uint64_t brokenEvents = 0; ///< without an end, skipped up to the next one
        std::uint64_t brokenPlaces = 0; ///< of other text
        std::uint64_t offset = 0; ///< of the end
    };

    explicit RocprofRecords(ByteSource& source)
        : m_source(source)
    { }
    /// Calls `take` for each record, until it returns false. Objects and lists elsewhere are passed over.
    Outcome read(const std::function<bool(const Record&)>& take);

private:
    struct Frame
    {
        bool isList = false;
        std::string section; ///< keys from the root to here, joined by dots
    };

    bool fill();
    void scan();
    void open(char bracket);
    void close(char bracket);
    void passString();
    bool beginsRecord() const;
    void passRecord();
    void takeRecord(std::size_t end);
    bool skipBroken();
    void discard();

    ByteSource& m_source;
    const std::function<bool(const Record&)>* m_take = nullptr;
    std::vector<char> m_buffer;
    std::size_t m_filled = 0;
    std::size_t m_at = 0; ///< next character to look at
    std::uint64_t m_before = 0; ///< bytes of the file before the buffer
    bool m_isDone = false; ///< the source has ended
    bool m_needsMore = false;
    std::vector<Frame> m_frames;
    std::string m_lastString, m_key;
    std::size_t m_tool = 0;
    std::string m_section; ///< of the record that is being read
    std::string m_nextEvent; ///< how events begin, with the comma before them; "" = not needed yet
    std::size_t m_recordBegin = std::string::npos; ///< in the buffer
    int m_depth = 0; ///< of brackets in the record
    bool m_inString = false; ///< of the record
    Outcome m_outcome;
};

} // namespace collscope
