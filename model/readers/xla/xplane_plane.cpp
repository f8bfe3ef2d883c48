// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/xla/xplane_plane.h"

#include "model/readers/text/decimal_time.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

namespace collscope {

namespace {

/// Names are longer than this only by mistake; HLO modules, which are not needed, are megabytes.
constexpr std::uint64_t longestXlaName = std::uint64_t{1} << 20;
constexpr std::uint64_t longestXlaStat = std::uint64_t{64} << 10;
constexpr std::size_t mostTexts = 64;
constexpr std::int64_t mostCores = 1 << 20;

constexpr std::pair<std::string_view, XlaStat> knownStats[] = {
    {"hlo_category", XlaStat::HloCategory},     {"model_flops", XlaStat::ModelFlops},
    {"bytes_accessed", XlaStat::BytesAccessed}, {"step_name", XlaStat::StepName},
    {"kernel_details", XlaStat::KernelDetails}, {"memcpy_details", XlaStat::CopyDetails},
    {"profile_start_time", XlaStat::StartTime}, {"device_type_string", XlaStat::DeviceType},
    {"core_count", XlaStat::CoreCount},
};

XlaStat xlaStatOf(std::string_view name)
{
    for (const auto& [known, meaning] : knownStats) {
        if (known == name)
            return meaning;
    }
    return XlaStat::Other;
}

/// The text after "key:" up to the next blank; "" if there is none.
std::string_view xlaDetailOf(std::string_view details, std::string_view key)
{
    for (std::size_t at = details.find(key); at != std::string_view::npos; at = details.find(key, at + 1)) {
        if (at > 0 && details[at - 1] != ' ')
            continue;
        const std::string_view rest = details.substr(at + key.size());
        return rest.substr(0, rest.find(' '));
    }
    return {};
}

std::optional<std::int32_t> xlaSmallNumber(std::string_view text)
{
    std::int32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && number >= 0 ? std::optional(number) : std::nullopt;
}

void readXlaTriple(std::string_view text, std::uint32_t (&triple)[3])
{
    const char* at = text.data();
    const char* const end = at + text.size();
    for (std::uint32_t& number : triple) {
        at = std::from_chars(at, end, number).ptr;
        at += at < end ? 1 : 0;
    }
}

void addKernelDetails(std::string_view text, KernelDetail& detail)
{
    readXlaTriple(xlaDetailOf(text, "block:"), detail.block);
    const std::string_view registersText = xlaDetailOf(text, "regs:");
    const auto registers = xlaSmallNumber(registersText);
    // Versions of XLA for AMD wrote 0 registers and the grid in work-items (xla/backends/profiler/gpu/
    // rocm_tracer.cc in ROCm/xla). Others count blocks.
    if (registers != 0)
        readXlaTriple(xlaDetailOf(text, "grid:"), detail.grid);
    // Earlier ones did not set registers and memory: what they wrote is arbitrary.
    if (!registersText.empty() && registers.value_or(0) == 0)
        return;
    detail.registersPerThread = registers.value_or(detail.registersPerThread);
    const auto shared = xlaSmallNumber(xlaDetailOf(text, "static_shared:"));
    const auto dynamic = xlaSmallNumber(xlaDetailOf(text, "dynamic_shared:"));
    if (shared || dynamic) {
        const std::int64_t sum = std::int64_t{shared.value_or(0)} + dynamic.value_or(0);
        detail.sharedMemoryBytes = static_cast<std::int32_t>(
            std::min<std::int64_t>(sum, std::numeric_limits<std::int32_t>::max()));
    } else if (const auto group = xlaSmallNumber(xlaDetailOf(text, "group_mem:"))) {
        detail.sharedMemoryBytes = *group;
    }
}

/// Fields of XStat.
constexpr std::uint32_t statId = 1, statDouble = 2, statText = 5, statReference = 7;

double xlaNumberOf(const XlaPlane::Stat& stat)
{
    if (stat.value.number == statDouble)
        return stat.value.real();
    return stat.value.isBytes() ? -1 : static_cast<double>(stat.value.integer());
}

/// Reads the file once, for one of two purposes: names of statistics come after the statistics that have
/// them.
class SpaceReader
{
public:
    enum class Purpose
    {
        StatNames,
        Kinds
    };
    SpaceReader(ProtoStream& stream, Purpose purpose, XlaSpace& space, StringTable& strings,
                const std::function<bool()>& mustStop)
        : m_stream(stream)
        , m_purpose(purpose)
        , m_space(space)
        , m_strings(strings)
        , m_mustStop(mustStop)
    { }

    void read()
    {
        ProtoField field;
        std::size_t plane = 0;
        while (!m_isStopped && m_stream.next(field, ProtoStream::endOfFile)) {
            if (field.number == XlaField::spacePlane && field.isBytes()) {
                if (plane == m_space.planes.size() && plane < XlaSpace::mostPlanes)
                    m_space.planes.emplace_back();
                if (plane < m_space.planes.size())
                    readPlane(m_space.planes[plane++], field.end());
            } else if (m_purpose == Purpose::StatNames) {
                readFact(field);
            }
            m_stream.skip(field);
        }
    }

private:
    std::string nameOf(const ProtoField& field)
    {
        const auto text = m_stream.content(field, longestXlaName);
        return text ? std::string(*text) : std::string();
    }

    void readFact(const ProtoField& field)
    {
        const bool isComplaint
            = field.number == XlaField::spaceError || field.number == XlaField::spaceWarning;
        if (field.number == XlaField::spaceHost && m_space.hosts.size() < mostTexts)
            m_space.hosts.push_back(nameOf(field));
        else if (isComplaint && m_space.complaints.size() < mostTexts)
            m_space.complaints.push_back(nameOf(field));
    }

    void readPlane(XlaPlane& plane, std::uint64_t end)
    {
        ProtoField field;
        constexpr std::size_t askEvery = 4096;
        while (!m_isStopped && m_stream.next(field, end)) {
            if (field.number == XlaField::planeName)
                plane.name = nameOf(field);
            else if (field.number == XlaField::planeStatName && m_purpose == Purpose::StatNames)
                readEntry(field, [&](std::uint64_t id, std::uint64_t valueEnd) {
                    addStatName(plane, id, valueEnd);
                });
            else if (field.number == XlaField::planeKind && m_purpose == Purpose::Kinds)
                readEntry(field,
                          [&](std::uint64_t id, std::uint64_t valueEnd) { addKind(plane, id, valueEnd); });
            else if (field.number == XlaField::planeStat && m_purpose == Purpose::Kinds)
                addPlaneStat(plane, field);
            m_stream.skip(field);
            if (++m_sinceAsked % askEvery == 0)
                m_isStopped = m_mustStop();
        }
    }

    /// Reads an entry of a map from numbers to messages; f reads the message.
    template<typename F>
    void readEntry(const ProtoField& entry, F&& f)
    {
        std::uint64_t id = 0;
        ProtoField field;
        while (entry.isBytes() && m_stream.next(field, entry.end())) {
            if (field.number == 1)
                id = field.value;
            else if (field.number == 2 && field.isBytes())
                f(id, field.end());
            m_stream.skip(field);
        }
    }

    void addStatName(XlaPlane& plane, std::uint64_t id, std::uint64_t end)
    {
        constexpr std::uint32_t name = 2;
        ProtoField field;
        while (m_stream.next(field, end)) {
            if (field.number == name) {
                if (const auto text = m_stream.content(field, longestXlaName)) {
                    plane.textOf[id] = plane.texts.intern(*text);
                    if (const XlaStat meaning = xlaStatOf(*text); meaning != XlaStat::Other)
                        plane.meaningOf[id] = meaning;
                }
            }
            m_stream.skip(field);
        }
    }

    void addKind(XlaPlane& plane, std::uint64_t id, std::uint64_t end)
    {
        constexpr std::uint32_t name = 2, displayName = 4, stat = 5;
        XlaEventKind kind;
        ProtoField field;
        bool isDisplayName = false;
        while (m_stream.next(field, end)) {
            if (field.number == displayName || (field.number == name && !isDisplayName)) {
                const auto text = m_stream.content(field, longestXlaName);
                if (text && !text->empty()) {
                    kind.name = m_strings.intern(*text);
                    isDisplayName = field.number == displayName;
                }
            } else if (field.number == stat) {
                if (const auto message = m_stream.content(field, longestXlaStat)) {
                    XlaFacts facts;
                    facts.detail = kind.detail;
                    facts.hasDetail = kind.hasDetail;
                    plane.addFact(*message, facts);
                    if (!facts.hloCategory.empty())
                        kind.hloCategory = plane.texts.intern(facts.hloCategory);
                    if (!facts.stepName.empty())
                        kind.stepName = plane.texts.intern(facts.stepName);
                    kind.detail = facts.detail;
                    kind.hasDetail = facts.hasDetail;
                }
            }
            m_stream.skip(field);
        }
        plane.kinds[id] = kind;
    }

    void addPlaneStat(XlaPlane& plane, const ProtoField& field)
    {
        const auto message = m_stream.content(field, longestXlaStat);
        if (!message)
            return;
        const XlaPlane::Stat stat = plane.statOf(*message);
        if (stat.meaning == XlaStat::StartTime && !stat.value.isBytes())
            m_space.startTimeNs = stat.value.integer();
        else if (stat.meaning == XlaStat::DeviceType)
            plane.deviceType = stat.text;
        else if (stat.meaning == XlaStat::CoreCount && !stat.value.isBytes())
            plane.coreCount
                = static_cast<std::int32_t>(std::clamp<std::int64_t>(stat.value.integer(), 0, mostCores));
    }

    ProtoStream& m_stream;
    Purpose m_purpose;
    XlaSpace& m_space;
    StringTable& m_strings;
    const std::function<bool()>& m_mustStop;
    std::size_t m_sinceAsked = 0;
    bool m_isStopped = false;
};

} // namespace

XlaPlane::Stat XlaPlane::statOf(std::string_view message) const
{
    Stat stat;
    ProtoFields fields(message);
    ProtoValue value;
    while (fields.next(value)) {
        if (value.number == statId) {
            const auto found = meaningOf.find(value.bits);
            if (found == meaningOf.end())
                return {};
            stat.meaning = found->second;
        } else {
            stat.value = value;
        }
    }
    if (stat.value.number == statText) {
        stat.text = stat.value.bytes;
    } else if (stat.value.number == statReference) {
        const auto text = textOf.find(stat.value.bits);
        stat.text = text == textOf.end() ? std::string_view() : texts.view(text->second);
    }
    return stat;
}

void XlaPlane::addFact(std::string_view statMessage, XlaFacts& facts) const
{
    const Stat stat = statOf(statMessage);
    switch (stat.meaning) {
    case XlaStat::HloCategory:
        facts.hloCategory = stat.text;
        return;
    case XlaStat::StepName:
        facts.stepName = stat.text;
        return;
    case XlaStat::ModelFlops:
        facts.detail.modelFlops = xlaNumberOf(stat);
        break;
    case XlaStat::BytesAccessed:
        if (stat.value.isBytes() || stat.value.number == statDouble)
            return;
        facts.detail.bytes = stat.value.integer();
        break;
    case XlaStat::KernelDetails:
        addKernelDetails(stat.text, facts.detail);
        break;
    case XlaStat::CopyDetails:
        facts.detail.bytes = integerFromText(xlaDetailOf(stat.text, "size:")).value_or(facts.detail.bytes);
        break;
    case XlaStat::CoreCount:
    case XlaStat::StartTime:
    case XlaStat::DeviceType:
    case XlaStat::Other:
        return;
    }
    facts.hasDetail = true;
}

Result<XlaSpace> readXlaSpace(const std::string& path, StringTable& strings,
                              const std::function<bool()>& mustStop)
{
    XlaSpace space;
    for (const auto purpose : {SpaceReader::Purpose::StatNames, SpaceReader::Purpose::Kinds}) {
        auto stream = ProtoStream::open(path);
        if (!stream)
            return stream.error();
        SpaceReader(*stream, purpose, space, strings, mustStop).read();
    }
    return space;
}

} // namespace collscope
