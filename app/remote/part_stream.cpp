// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/remote/part_stream.h"

#include "app/files/batch_io.h"
#include "model/text/printable_text.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace collscope {

namespace {

constexpr std::size_t longestLine = 4096;
constexpr std::size_t longestGreeting = std::size_t{64} << 10;
constexpr std::uint64_t largestPlan = std::uint64_t{256} << 20; ///< 100,000 files are 30 MB

/// The numbers that follow `word` in a line; empty if the line is another one.
std::vector<std::uint64_t> numbersAfter(std::string_view word, std::string_view line)
{
    std::vector<std::uint64_t> numbers;
    if (!line.starts_with(word))
        return numbers;
    line.remove_prefix(word.size());
    while (line.starts_with(' ')) {
        line.remove_prefix(1);
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
        if (error != std::errc())
            return {};
        line.remove_prefix(static_cast<std::size_t>(end - line.data()));
        numbers.push_back(number);
    }
    return line.empty() ? numbers : std::vector<std::uint64_t>();
}

} // namespace

std::string planHeader(std::size_t bytes)
{
    return "plan " + std::to_string(bytes) + "\n";
}

std::string partHeader(std::uint32_t task, std::size_t bytes)
{
    return "part " + std::to_string(task) + " " + std::to_string(bytes) + "\n";
}

PartReceiver::PartReceiver(FolderOf folderOf, std::function<void(const PartReceiver&)> arrived)
    : m_folderOf(std::move(folderOf))
    , m_onArrival(std::move(arrived))
{ }

bool PartReceiver::fail(Error::Kind kind, std::string message)
{
    m_status = Error{kind, std::move(message)};
    return false;
}

bool PartReceiver::take(std::string_view bytes)
{
    while (!bytes.empty() && m_status) {
        if (m_awaits == Awaits::Plan || m_awaits == Awaits::Part) {
            if (!takeBody(bytes))
                return false;
            continue;
        }
        if (m_isComplete)
            return fail(Error::Kind::Format, "More follows the end of the parts.");
        const std::size_t end = bytes.find('\n');
        m_line.append(bytes.substr(0, end));
        if (m_line.size() > (m_awaits == Awaits::Start ? longestGreeting : longestLine))
            return fail(Error::Kind::Format, "What arrives is not a stream of parts.");
        if (end == std::string_view::npos)
            return true;
        bytes.remove_prefix(end + 1);
        if (!takeLine())
            return false;
        m_line.clear();
    }
    return static_cast<bool>(m_status);
}

bool PartReceiver::takeLine()
{
    if (m_awaits == Awaits::Header)
        return takeHeader();
    if (m_line.starts_with(missingProgramMark)) {
        m_machine = printableText(m_line.substr(missingProgramMark.size()));
        return fail(Error::Kind::NotFound, "The program is missing there.");
    }
    if (m_line.starts_with(partStreamMark)) {
        const std::string version = m_line.substr(partStreamMark.size());
        if (version != COLLSCOPE_VERSION)
            return fail(Error::Kind::Format,
                        "The program there is version " + printableText(version)
                            + " but this is version " COLLSCOPE_VERSION ": both must be the same.");
        m_awaits = Awaits::Header;
        return true;
    }
    m_skipped += m_line.size() + 1;
    return m_skipped <= longestGreeting
        || fail(Error::Kind::Format, "What arrives is not a stream of parts.");
}

bool PartReceiver::takeHeader()
{
    if (m_line + "\n" == streamEnd) {
        m_isComplete = m_plan.has_value();
        return m_isComplete || fail(Error::Kind::Format, "The stream ends without a plan.");
    }
    if (const auto plan = numbersAfter("plan", m_line); plan.size() == 1)
        return beginPlan(plan[0]);
    if (const auto part = numbersAfter("part", m_line); part.size() == 2)
        return beginPart(part[0], part[1]);
    return fail(Error::Kind::Format, "What arrives is not a stream of parts.");
}

bool PartReceiver::beginPlan(std::uint64_t bytes)
{
    if (m_plan || bytes == 0 || bytes > largestPlan)
        return fail(Error::Kind::Format, "The plan that arrives cannot be one.");
    m_awaits = Awaits::Plan;
    m_left = bytes;
    return true;
}

bool PartReceiver::beginPart(std::uint64_t task, std::uint64_t bytes)
{
    if (!m_plan || task >= m_plan->tasks || m_arrived.contains(static_cast<std::uint32_t>(task))
        || bytes == 0)
        return fail(Error::Kind::Format, "A part that arrives does not belong to the plan.");
    m_awaits = Awaits::Part;
    m_left = bytes;
    m_task = static_cast<std::uint32_t>(task);
    m_file = std::make_unique<WholeFile>(pathIn(m_folder, partName(m_task, m_hash)));
    return true;
}

bool PartReceiver::takeBody(std::string_view& bytes)
{
    const std::string_view piece
        = bytes.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(m_left, bytes.size())));
    bytes.remove_prefix(piece.size());
    m_left -= piece.size();
    if (m_awaits == Awaits::Plan)
        m_planText.append(piece);
    else if (!m_file->write(piece))
        return fail(Error::Kind::Io, m_file->status().error().message);
    if (m_left > 0)
        return true;
    const bool ended = m_awaits == Awaits::Plan ? endPlan() : endPart();
    m_awaits = Awaits::Header;
    return ended;
}

bool PartReceiver::endPlan()
{
    auto plan = parsePlan(m_planText);
    if (!plan)
        return fail(plan.error().kind, "The plan that arrives cannot be read: " + plan.error().message);
    m_plan = std::move(*plan);
    m_hash = planHash(m_planText);
    auto folder = m_folderOf(m_hash);
    if (!folder)
        return fail(folder.error().kind, folder.error().message);
    m_folder = std::move(*folder);
    if (const Status written = writeWholeFile(pathIn(m_folder, std::string(planName)), m_planText); !written)
        return fail(written.error().kind, written.error().message);
    m_onArrival(*this);
    return true;
}

bool PartReceiver::endPart()
{
    const Status written = m_file->commit();
    m_file.reset();
    if (!written)
        return fail(Error::Kind::Io, written.error().message);
    m_arrived.insert(m_task);
    m_onArrival(*this);
    return true;
}

} // namespace collscope
