// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/rocprof/rocprof_records.h"

#include "model/readers/text/json_walk.h"

#include <algorithm>
#include <cstring>

namespace collscope {

namespace {

constexpr std::size_t recordPieceBytes = std::size_t{256} << 10;
/// Genuine records are below this; a longer one lost its end. Names of kernels can be long.
constexpr std::size_t longestEventRecord = std::size_t{64} << 10;
constexpr std::size_t longestRecord = std::size_t{4} << 20;
constexpr std::size_t longestRecordKey = std::size_t{1} << 10;
constexpr std::size_t deepestRecord = 64;
constexpr std::string_view eventSections = "buffer_records.";

bool isOfEvents(std::string_view section)
{
    return section.starts_with(eventSections);
}

} // namespace

RocprofRecords::Outcome RocprofRecords::read(const std::function<bool(const Record&)>& take)
{
    m_take = &take;
    bool more = true;
    while (more && !m_outcome.isStopped) {
        more = fill();
        m_needsMore = false;
        while (m_at < m_filled && !m_needsMore && !m_outcome.isStopped)
            scan();
        discard();
    }
    m_outcome.offset = m_before + m_filled;
    m_outcome.isCut = !m_outcome.isStopped && !m_frames.empty();
    if (m_recordBegin != std::string::npos)
        m_outcome.openSection = m_section;
    return m_outcome;
}

/// Reads another piece; false if the file has ended.
bool RocprofRecords::fill()
{
    if (m_isDone)
        return false;
    if (m_buffer.size() < m_filled + recordPieceBytes + padding)
        m_buffer.resize(std::max(2 * m_filled, m_filled + recordPieceBytes) + padding);
    const std::size_t got = m_source.read({m_buffer.data() + m_filled, recordPieceBytes});
    m_filled += got;
    m_isDone = got < recordPieceBytes;
    std::memset(m_buffer.data() + m_filled, 0, padding);
    return true;
}

/// Removes what is no longer needed from the front of the buffer.
void RocprofRecords::discard()
{
    const std::size_t kept = std::min(m_recordBegin, m_at);
    std::memmove(m_buffer.data(), m_buffer.data() + kept, m_filled - kept);
    m_filled -= kept;
    m_at -= kept;
    m_before += kept;
    if (m_recordBegin != std::string::npos)
        m_recordBegin -= kept;
}

void RocprofRecords::scan()
{
    if (m_recordBegin != std::string::npos)
        return passRecord();
    switch (const char c = m_buffer[m_at]) {
    case '"':
        return passString();
    case ':':
        m_key = m_lastString;
        break;
    case ',':
        m_key.clear();
        break;
    case '{':
        if (beginsRecord()) {
            m_section = m_frames.back().section + (m_key.empty() ? "" : "." + m_key);
            m_section.erase(0, std::min(m_section.size(), root.size() + 1));
            m_recordBegin = m_at;
            m_depth = 0;
            m_inString = false;
            return;
        }
        open(c);
        break;
    case '[':
        open(c);
        break;
    case '}':
    case ']':
        close(c);
        break;
    default:
        break;
    }
    ++m_at;
}

/// Elements of lists below the root, and the one object that is a record itself.
bool RocprofRecords::beginsRecord() const
{
    if (m_frames.empty())
        return false;
    const Frame& around = m_frames.back();
    if (m_key.empty())
        return around.isList && around.section.size() > root.size() && around.section.starts_with(root);
    return m_key == "metadata" && around.section == root;
}

void RocprofRecords::open(char bracket)
{
    if (m_frames.size() == deepestRecord) {
        m_outcome.isStopped = true;
        ++m_outcome.brokenPlaces;
        return;
    }
    Frame frame{bracket == '[', m_frames.empty() ? std::string() : m_frames.back().section};
    if (!m_key.empty())
        frame.section += (frame.section.empty() ? "" : ".") + m_key;
    m_key.clear();
    if (!frame.isList && frame.section == root)
        ++m_tool;
    m_frames.push_back(std::move(frame));
}

void RocprofRecords::close(char bracket)
{
    if (m_frames.empty() || m_frames.back().isList != (bracket == ']')) {
        ++m_outcome.brokenPlaces;
        return;
    }
    m_frames.pop_back();
    m_key.clear();
}

/// Passes a string outside records.
void RocprofRecords::passString()
{
    const std::string_view text(m_buffer.data(), m_filled);
    const std::size_t end = afterString(text, m_at);
    if (end == std::string_view::npos && !m_isDone && m_filled - m_at < longestRecord) {
        m_needsMore = true;
        return;
    }
    if (end == std::string_view::npos) {
        ++m_outcome.brokenPlaces;
        ++m_at;
        return;
    }
    m_lastString.assign(text.substr(m_at + 1, std::min(end - m_at - 2, longestRecordKey)));
    m_at = end;
}

/// Passes a part of a record, or all of it.
void RocprofRecords::passRecord()
{
    const char* const text = m_buffer.data();
    while (m_at < m_filled) {
        if (m_inString) {
            if (text[m_at] == '\\') {
                if (m_at + 1 == m_filled && !m_isDone)
                    break; // the escaped character follows
                ++m_at;
            } else if (text[m_at] == '"') {
                m_inString = false;
            }
            ++m_at;
            continue;
        }
        const char c = text[m_at++];
        if (c == '"') {
            m_inString = true;
        } else if (c == '{' || c == '[') {
            ++m_depth;
        } else if ((c == '}' || c == ']') && --m_depth == 0) {
            return takeRecord(m_at);
        }
    }
    const bool isEvent = isOfEvents(m_section);
    if (m_at - m_recordBegin > (isEvent ? longestEventRecord : longestRecord) && skipBroken())
        return;
    m_needsMore = true;
}

void RocprofRecords::takeRecord(std::size_t end)
{
    const Record record{m_section, std::string_view(m_buffer.data() + m_recordBegin, end - m_recordBegin),
                        m_before + m_recordBegin, m_tool};
    m_recordBegin = std::string::npos;
    m_key.clear();
    m_outcome.isStopped = !(*m_take)(record);
}

/// Goes on at the next event after the beginning of a record that has lost its end; false if it is not in the
/// buffer yet, whose text is then dropped.
bool RocprofRecords::skipBroken()
{
    const std::string_view text(m_buffer.data(), m_filled);
    if (m_nextEvent.empty()) { // all events begin alike
        const std::string_view own = text.substr(m_recordBegin);
        m_nextEvent = "," + std::string(own.substr(0, std::min(own.find(':'), longestRecordKey) + 1));
    }
    const std::size_t next = text.find(m_nextEvent, m_recordBegin + 1);
    m_inString = false;
    m_depth = 0;
    if (next == std::string_view::npos) {
        m_at = m_filled;
        m_recordBegin = m_filled - std::min(m_nextEvent.size(), m_filled - m_recordBegin);
        return false;
    }
    ++(isOfEvents(m_section) ? m_outcome.brokenEvents : m_outcome.brokenPlaces);
    m_at = next + 1;
    m_recordBegin = m_at;
    return true;
}

} // namespace collscope
