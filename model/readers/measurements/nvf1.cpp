// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/text/measurement_text.h"
#include "model/text/lower_case.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <utility>

namespace collscope {

namespace {

// Reads samples written by resources/collect/tools/nvlink_sampler.cpp: a little-endian header of 12 bytes,
// then records of a host timestamp and an nvmlFieldValue_t (nvml.h).
constexpr std::string_view magic = "NVF1";
constexpr std::size_t headerSize = 12;
constexpr std::size_t hostTimeSize = 8;
constexpr std::size_t smallestFieldSize = 40;
/// Counters are in KiB; a larger value would not fit in 64 bits as bytes, so the sample is damaged.
constexpr std::uint64_t largestKib = std::uint64_t{1} << 53;
constexpr std::int64_t largestTimeUs = std::int64_t{1} << 52;

template<typename T>
T littleEndian(const char* at)
{
    static_assert(std::endian::native == std::endian::little, "the samples are read without swapping bytes");
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

/// The cumulative counter of an nvmlValue_t in bytes; nullopt for a type or value that counters cannot have.
std::optional<std::uint64_t> counterBytes(std::int32_t valueType, const char* at)
{
    const auto fromSigned = [](std::int64_t kib) -> std::optional<std::uint64_t> {
        return kib >= 0 ? std::optional(static_cast<std::uint64_t>(kib)) : std::nullopt;
    };
    std::optional<std::uint64_t> kib;
    switch (valueType) {
    case 0: {
        const auto value = littleEndian<double>(at);
        if (!(value >= 0 && value <= static_cast<double>(largestKib)))
            return std::nullopt;
        return static_cast<std::uint64_t>(std::llround(value * 1024));
    }
    case 1:
        kib = littleEndian<std::uint32_t>(at);
        break;
    case 2:
    case 3:
        kib = littleEndian<std::uint64_t>(at);
        break;
    case 4:
        kib = fromSigned(littleEndian<std::int64_t>(at));
        break;
    case 5:
        kib = fromSigned(littleEndian<std::int32_t>(at));
        break;
    case 6:
        kib = littleEndian<std::uint16_t>(at);
        break;
    default:
        break;
    }
    if (!kib || *kib > largestKib)
        return std::nullopt;
    return *kib * 1024;
}

struct Sample
{
    std::int64_t timeUs = 0;
    std::uint64_t bytes = 0;
};

/// All samples of one (field, scope), in record order.
struct SampledCounter
{
    std::uint32_t fieldId = 0;
    LinkSeries series;
    std::vector<Sample> samples;
};

std::int64_t medianPeriod(const LinkSeries& series)
{
    std::vector<std::int64_t> lengths(series.beginNs.size());
    for (std::size_t i = 0; i < lengths.size(); ++i)
        lengths[i] = series.endNs[i] - series.beginNs[i];
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::nth_element(lengths.begin(), middle, lengths.end());
    if (lengths.size() % 2 != 0)
        return *middle;
    const std::int64_t below = *std::max_element(lengths.begin(), middle);
    return below + (*middle - below) / 2;
}

/// Converts samples to intervals of positive length. The bytes of a zero-length interval are added to the
/// next interval, or to the last one.
void makeIntervals(SampledCounter& counter)
{
    std::stable_sort(counter.samples.begin(), counter.samples.end(),
                     [](const Sample& a, const Sample& b) { return a.timeUs < b.timeUs; });
    LinkSeries& series = counter.series;
    std::sort(series.failedReads.begin(), series.failedReads.end(),
              [](const auto& a, const auto& b) { return a.timeNs < b.timeNs; });
    std::uint64_t carried = 0;
    for (std::size_t i = 1; i < counter.samples.size(); ++i) {
        const Sample& before = counter.samples[i - 1];
        const Sample& now = counter.samples[i];
        const bool isReset = now.bytes < before.bytes;
        const std::uint64_t more = isReset ? 0 : now.bytes - before.bytes;
        if (isReset)
            ++series.resets;
        carried += more;
        if (now.timeUs == before.timeUs) {
            series.foldedBytes += more;
            continue;
        }
        series.beginNs.push_back(before.timeUs * 1000);
        series.endNs.push_back(now.timeUs * 1000);
        series.bytes.push_back(carried);
        carried = 0;
    }
    if (series.bytes.empty())
        return;
    series.firstBytes = counter.samples.front().bytes;
    series.bytes.back() += carried;
    series.medianPeriodNs = medianPeriod(series);
    series.gap.reserve(series.bytes.size());
    for (std::size_t i = 0; i < series.bytes.size(); ++i)
        series.gap.push_back((series.endNs[i] - series.beginNs[i]) / 10 > series.medianPeriodNs);
}

/// The number that follows `word` in a lower-case file stem ("nvlink_gpu0", "gpu-12"); nullopt if there is
/// none.
std::optional<int> numberAfterWord(std::string_view stem, std::string_view word)
{
    for (std::size_t at = stem.find(word); at != std::string_view::npos; at = stem.find(word, at + 1)) {
        const std::size_t digits = stem.find_first_not_of("_- ", at + word.size());
        if (digits == std::string_view::npos)
            continue;
        int number = 0;
        const auto [end, error] = std::from_chars(stem.data() + digits, stem.data() + stem.size(), number);
        if (error == std::errc() && number >= 0 && end - (stem.data() + digits) <= 3)
            return number;
    }
    return std::nullopt;
}

/// The GPU stated in the file name, the only source. More than three digits are a date or a process id.
std::optional<int> gpuFromName(const std::string& path)
{
    const std::string stem = lowered(std::filesystem::path(path).stem().string());
    for (const std::string_view word : {"gpu", "device", "dev", "rank"}) {
        if (const std::optional<int> number = numberAfterWord(stem, word))
            return number;
    }
    const std::size_t last = stem.find_last_not_of("0123456789");
    if (last == std::string::npos || (stem[last] != '_' && stem[last] != '-'))
        return std::nullopt;
    return numberAfterWord(std::string_view(stem).substr(last), std::string_view(stem).substr(last, 1));
}

class Nvf1File
{
public:
    Nvf1File(const SourceFile& file, const ReadContext& context)
        : m_file(file)
        , m_context(context)
        , m_fragment(fragmentOf(file, SourceKind::Nvf1))
    { }

    Result<TraceFragment> read()
    {
        auto source = ByteSource::open(m_file.path);
        if (!source)
            return source.error();
        std::array<char, headerSize> header{};
        if ((*source)->read(header) != headerSize)
            return error(Error::Kind::Format,
                         "The file ends inside its 12-byte NVF1 header; the sampler wrote no samples.");
        if (std::optional<std::string> why = checkHeader(header.data()))
            return error(Error::Kind::Format, *why);
        if (!readRecords(**source))
            return error(Error::Kind::Cancelled, "Loading was cancelled.");
        return finish();
    }

private:
    Error error(Error::Kind kind, std::string message) const
    {
        return {kind, std::move(message), m_file.path, 0};
    }

    std::optional<std::string> checkHeader(const char* header)
    {
        const auto version = littleEndian<std::uint16_t>(header + 4);
        const auto fieldSize = littleEndian<std::uint16_t>(header + 6);
        const auto timeSize = littleEndian<std::int32_t>(header + 8);
        if (std::string_view(header, magic.size()) != magic)
            return "The file does not start with the magic bytes NVF1, so it is not an NVLink sample file.";
        if (fieldSize < smallestFieldSize)
            return "The header states that a record field has " + std::to_string(fieldSize)
                + " bytes, but an nvmlFieldValue_t has 40; sample again with a matching sampler.";
        if (timeSize != static_cast<std::int32_t>(hostTimeSize))
            return "The header states that a host timestamp has " + std::to_string(timeSize)
                + " bytes instead of 8; sample again with a matching sampler.";
        if (version != 1)
            m_fragment.problems.add(
                Severity::Notice, "nvf1_version", m_file.path, 4,
                "The header states a version other than 1; the file was read as version 1.");
        m_stride = hostTimeSize + fieldSize;
        return std::nullopt;
    }

    /// Returns false if the user cancelled.
    bool readRecords(ByteSource& source)
    {
        std::vector<char> chunk(m_stride * std::max<std::size_t>(1, (1u << 20) / m_stride));
        std::uint64_t offset = headerSize;
        for (std::size_t got = chunk.size(); got == chunk.size();) {
            if (m_context.mustStop())
                return false;
            got = source.read(chunk);
            for (std::size_t at = 0; at + m_stride <= got; at += m_stride)
                addRecord(chunk.data() + at + hostTimeSize, offset + at);
            offset += got;
            m_context.progress(source.diskBytesRead());
            if (got % m_stride != 0)
                m_fragment.problems.add(Severity::Notice, "short_tail", m_file.path, offset - got % m_stride,
                                        "The file ends inside a record, which was skipped; the sampler was "
                                        "stopped while writing.");
        }
        noteDamage(source, m_file.path, offset, m_fragment.problems);
        return true;
    }

    void exclude(std::string_view code, std::uint64_t offset, std::string_view explanation)
    {
        ++m_fragment.source.excluded;
        m_fragment.problems.add(Severity::DataLoss, code, m_file.path, offset, explanation, 1);
    }

    void addRecord(const char* field, std::uint64_t offset)
    {
        ++m_fragment.source.eventsInFile;
        const auto fieldId = littleEndian<std::uint32_t>(field);
        const auto timeUs = littleEndian<std::int64_t>(field + 8);
        if (littleEndian<std::int32_t>(field + 28) != 0) {
            noteFailedRead(field, fieldId, timeUs);
            return exclude("nvml_error", offset,
                           "NVML could not read the counter at that moment; the sample was skipped.");
        }
        if (fieldId < 138 || fieldId > 141)
            return exclude("unknown_field", offset,
                           "The sample is of an NVML field other than 138 to 141 (NVLink data and raw "
                           "bytes); it was skipped.");
        if (timeUs <= 0 || timeUs > largestTimeUs)
            return exclude("bad_timestamp", offset,
                           "The sample has no usable NVML timestamp; it was skipped.");
        const std::optional<std::uint64_t> bytes
            = counterBytes(littleEndian<std::int32_t>(field + 24), field + 32);
        if (!bytes)
            return exclude(
                "bad_value", offset,
                "The sample has an unknown value type or an impossible counter value; it was skipped.");
        const auto link = littleEndian<std::uint32_t>(field + 4);
        if (!isLink(link))
            return exclude("unknown_link", offset,
                           "The sample has a link number that GPUs do not have; it was skipped.");
        counterOf(fieldId, link).samples.push_back({timeUs, *bytes});
    }

    void noteFailedRead(const char* field, std::uint32_t fieldId, std::int64_t timeUs)
    {
        const auto kib = littleEndian<std::uint64_t>(field + 32);
        if (!isLink(littleEndian<std::uint32_t>(field + 4)) || fieldId < 138 || fieldId > 141 || timeUs <= 0
            || timeUs > largestTimeUs || kib > largestKib)
            return;
        SampledCounter& counter = counterOf(fieldId, littleEndian<std::uint32_t>(field + 4));
        counter.series.failedReads.push_back({timeUs * 1000, kib * 1024});
    }

    /// Whether the number is of one link of a GPU (at present up to 18), or of all links, which NVML writes
    /// as 0xffffffff. If any number were accepted, there could be as many counters to search.
    static bool isLink(std::uint32_t link) { return link < 256 || link == LinkSeries::allLinks; }

    SampledCounter& counterOf(std::uint32_t fieldId, std::uint32_t link)
    {
        // A poll reads the counters in a fixed order, so the next counter is almost always the one after the
        // last.
        for (std::size_t step = 0; step < m_counters.size(); ++step) {
            const std::size_t i = (m_next + step) % m_counters.size();
            if (m_counters[i].fieldId == fieldId && m_counters[i].series.link == link) {
                m_next = i + 1;
                return m_counters[i];
            }
        }
        SampledCounter& counter = m_counters.emplace_back();
        counter.fieldId = fieldId;
        counter.series.link = link;
        counter.series.direction = fieldId % 2 == 0 ? LinkDirection::Tx : LinkDirection::Rx;
        counter.series.raw = fieldId >= 140;
        m_next = m_counters.size();
        return counter;
    }

    Result<TraceFragment> finish()
    {
        NvlinkDevice device;
        device.gpu = gpuFromName(m_file.path);
        for (SampledCounter& counter : m_counters) {
            makeIntervals(counter);
            if (counter.samples.empty())
                continue; // every read of it failed, which is already reported
            if (counter.series.bytes.empty()) {
                m_fragment.source.excluded += counter.samples.size();
                m_fragment.problems.add(
                    Severity::DataLoss, "single_sample", m_file.path, 0,
                    "A counter was read at only one point in time, so it has no interval; it was skipped.",
                    counter.samples.size());
                continue;
            }
            noteGaps(counter.series);
            device.series.push_back(std::move(counter.series));
        }
        if (device.series.empty())
            return error(
                Error::Kind::Format,
                "The file contains no usable NVLink records ("
                    + std::to_string(m_fragment.source.eventsInFile)
                    + " read); a counter needs two successful samples. Check that the GPU has NVLink.");
        m_fragment.source.shown = m_fragment.source.eventsInFile - m_fragment.source.excluded;
        m_fragment.hasWallClock = true; // NVML stamps are microseconds since the epoch
        m_fragment.nvlink.push_back(std::move(device));
        return std::move(m_fragment);
    }

    void noteGaps(const LinkSeries& series)
    {
        if (series.resets > 0)
            m_fragment.problems.add(Severity::Notice, "counter_reset", m_file.path, 0,
                                    "An NVLink counter went backwards; those intervals count as 0 bytes.");
        if (std::find(series.gap.begin(), series.gap.end(), true) != series.gap.end())
            m_fragment.problems.add(Severity::Notice, "sampling_gap", m_file.path, 0,
                                    "The sampler paused for more than ten times its median period; "
                                    "throughput within such a gap is an average over the gap.");
    }

    const SourceFile& m_file;
    const ReadContext& m_context;
    TraceFragment m_fragment;
    std::vector<SampledCounter> m_counters;
    std::size_t m_next = 0;
    std::size_t m_stride = hostTimeSize + smallestFieldSize;
};

Sniff sniffNvf1(std::string_view, std::string_view head)
{
    return head.starts_with(magic) ? Sniff::Yes : Sniff::No;
}

Result<TraceFragment> readNvf1(const SourceFile& file, const ReadContext& context)
{
    return Nvf1File(file, context).read();
}

} // namespace

extern const ReaderDescriptor nvf1Reader;
const ReaderDescriptor nvf1Reader{"nvf1", "NVLink counter samples (NVF1)", SourceKind::Nvf1, sniffNvf1,
                                  readNvf1};

} // namespace collscope
