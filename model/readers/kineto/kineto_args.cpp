// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/kineto/kineto_args.h"

#include "model/readers/text/decimal_time.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

namespace collscope {

namespace {

/// Reads three numbers from a list "[23, 1, 1]".
void readTriple(std::string_view text, std::uint32_t (&triple)[3])
{
    const char* at = text.data();
    const char* end = text.data() + text.size();
    for (std::uint32_t& number : triple) {
        while (at < end && (*at < '0' || *at > '9'))
            ++at;
        at = std::from_chars(at, end, number).ptr;
    }
}

/// A key and its field. The first eight bytes are compared in one operation; most keys with the same start
/// differ in them.
struct Field
{
    // NOLINTNEXTLINE(google-explicit-constructor): a table of literals
    constexpr Field(std::string_view key, std::string_view KinetoArgs::*field)
        : name(key)
        , member(field)
    {
        for (std::size_t i = 0; i < sizeof head && i <= key.size(); ++i) {
            head |= std::uint64_t{static_cast<unsigned char>(i < key.size() ? key[i] : '"')} << (8 * i);
            mask |= std::uint64_t{0xff} << (8 * i);
        }
    }
    std::string_view name;
    std::string_view KinetoArgs::*member;
    std::uint64_t head = 0, mask = 0; ///< the key and its closing quote, little-endian
};
static_assert(std::endian::native == std::endian::little);

constexpr Field fieldsC[] = {{"correlation", &KinetoArgs::correlation},
                             {"Collective name", &KinetoArgs::collectiveName},
                             {"Comms Id", &KinetoArgs::commsId},
                             {"CommHash", &KinetoArgs::commHash},
                             {"Count", &KinetoArgs::count},
                             {"Channel", &KinetoArgs::channel},
                             {"Concrete Inputs", &KinetoArgs::inputValues}};
constexpr Field fieldsE[] = {{"External id", &KinetoArgs::externalId},
                             {"external id", &KinetoArgs::externalId},
                             {"est. achieved occupancy %", &KinetoArgs::occupancy}};
constexpr Field fieldsD[] = {{"device", &KinetoArgs::device},
                             {"dtype", &KinetoArgs::elementType},
                             {"Dst Rank", &KinetoArgs::destinationRank},
                             {"Device Type", &KinetoArgs::deviceType},
                             {"Device Id", &KinetoArgs::deviceId},
                             {"Datatype", &KinetoArgs::ncclType}};
constexpr Field fieldsT[]
    = {{"Total Allocated", &KinetoArgs::totalAllocated}, {"Total Reserved", &KinetoArgs::totalReserved}};
constexpr Field fieldsS[] = {{"stream", &KinetoArgs::stream}, {"shared memory", &KinetoArgs::sharedMemory},
                             {"Seq", &KinetoArgs::sequence},  {"SeqNum", &KinetoArgs::ncclSequence},
                             {"step", &KinetoArgs::step},     {"Src Rank", &KinetoArgs::sourceRank}};
constexpr Field fieldsB[] = {{"bytes", &KinetoArgs::bytes},
                             {"bytes_accessed", &KinetoArgs::bytesAccessed},
                             {"blocks per SM", &KinetoArgs::blocksPerSm},
                             {"block", &KinetoArgs::block}};
constexpr Field fieldsR[] = {{"registers per thread", &KinetoArgs::registers},
                             {"Rank", &KinetoArgs::rank},
                             {"rank", &KinetoArgs::mergedRank}};
constexpr Field fieldsP[] = {{"Process Group Name", &KinetoArgs::groupName},
                             {"Process Group Description", &KinetoArgs::groupDescription},
                             {"Process Group Ranks", &KinetoArgs::groupRanks},
                             {"pid_raw", &KinetoArgs::rawPid},
                             {"Peer", &KinetoArgs::peer}};
constexpr Field fieldsI[] = {{"In msg nelems", &KinetoArgs::inElements},
                             {"In split size", &KinetoArgs::inSplit},
                             {"Input Dims", &KinetoArgs::inputShapes},
                             {"Input dims", &KinetoArgs::inputShapes},
                             {"Input type", &KinetoArgs::inputTypes}};
constexpr Field fieldsO[]
    = {{"Out msg nelems", &KinetoArgs::outElements}, {"Out split size", &KinetoArgs::outSplit}};
constexpr Field fieldsG[] = {{"grid", &KinetoArgs::grid}, {"Group size", &KinetoArgs::groupSize}};

constexpr Field fieldsH[] = {{"hlo_category", &KinetoArgs::hloCategory}};
constexpr Field fieldsM[] = {{"model_flops", &KinetoArgs::modelFlops}};
constexpr Field fieldsW[] = {{"wait_on_stream", &KinetoArgs::waitedStream},
                             {"wait_on_cuda_event_record_corr_id", &KinetoArgs::recordCorrelation}};

/// The candidates for a key's first letter, so that most keys cost one comparison.
std::span<const Field> fieldsBeginningWith(char letter)
{
    switch (letter) {
    case 'c':
    case 'C':
        return fieldsC;
    case 'e':
    case 'E':
        return fieldsE;
    case 'd':
    case 'D':
        return fieldsD;
    case 's':
    case 'S':
        return fieldsS;
    case 'b':
        return fieldsB;
    case 'r':
    case 'R':
        return fieldsR;
    case 'p':
    case 'P':
        return fieldsP;
    case 'h':
        return fieldsH;
    case 'T':
        return fieldsT;
    case 'm':
        return fieldsM;
    case 'w':
        return fieldsW;
    case 'I':
        return fieldsI;
    case 'O':
        return fieldsO;
    case 'g':
    case 'G':
        return fieldsG;
    default:
        return {};
    }
}

double number(std::string_view text, double fallback)
{
    double value = fallback;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && std::isfinite(value) ? value
                                                                                            : fallback;
}

std::int32_t smallInteger(std::string_view text)
{
    const auto value = integerFromText(text);
    return value && *value >= -1 && *value <= std::numeric_limits<std::int32_t>::max()
        ? static_cast<std::int32_t>(*value)
        : -1;
}

} // namespace

std::string_view* kinetoArgField(KinetoArgs& args, const char* rawKey)
{
    // The text is padded, so a load or a comparison may run past a shorter key.
    std::uint64_t head = 0;
    std::memcpy(&head, rawKey, sizeof head);
    for (const Field& field : fieldsBeginningWith(*rawKey)) {
        if ((head & field.mask) != field.head)
            continue;
        const std::size_t length = field.name.size();
        if (length < sizeof head
            || (std::memcmp(rawKey, field.name.data(), length) == 0 && rawKey[length] == '"'))
            return &(args.*field.member);
    }
    return nullptr;
}

std::uint32_t kinetoId(std::string_view text)
{
    const auto value = text.empty() ? std::nullopt : integerFromText(text);
    return value && *value > 0 && *value < std::numeric_limits<std::uint32_t>::max()
        ? static_cast<std::uint32_t>(*value)
        : 0;
}

KernelDetail kinetoDetail(const KinetoArgs& args)
{
    KernelDetail detail;
    detail.device = smallInteger(args.device);
    detail.stream = smallInteger(args.stream);
    readTriple(args.grid, detail.grid);
    readTriple(args.block, detail.block);
    detail.registersPerThread = smallInteger(args.registers);
    detail.sharedMemoryBytes = smallInteger(args.sharedMemory);
    detail.blocksPerSm = number(args.blocksPerSm, -1);
    detail.occupancyPercent = number(args.occupancy, -1);
    detail.bytes = integerFromText(args.bytes.empty() ? args.bytesAccessed : args.bytes).value_or(-1);
    detail.modelFlops = number(args.modelFlops, -1);
    return detail;
}

SyncDetail kinetoSync(const KinetoArgs& args)
{
    // Where a stream or a call is not known, the profiler writes -1.
    return {.correlation = kinetoId(args.correlation),
            .stream = smallInteger(args.stream),
            .waitedStream = smallInteger(args.waitedStream),
            .recordCorrelation = kinetoId(args.recordCorrelation)};
}

CollectiveCall kinetoCollective(const KinetoArgs& args, KernelClass kind, bool onGpu, StringTable& strings)
{
    CollectiveCall call;
    call.kind = kind;
    call.onGpu = onGpu;
    call.name = strings.intern(args.collectiveName);
    call.group = strings.intern(args.groupName);
    call.groupDescription = strings.intern(args.groupDescription);
    call.groupRanks = strings.intern(args.groupRanks);
    call.elementType = strings.intern(args.elementType);
    call.inSplit = strings.intern(args.inSplit);
    call.outSplit = strings.intern(args.outSplit);
    if (const auto size = integerFromText(args.groupSize); size && *size >= 0 && *size < (1 << 30))
        call.groupSize = static_cast<std::int32_t>(*size);
    call.sequence = integerFromText(args.sequence);
    call.commsId = integerFromText(args.commsId);
    call.inElements = integerFromText(args.inElements);
    call.outElements = integerFromText(args.outElements);
    call.sourceRank = integerFromText(args.sourceRank);
    call.destinationRank = integerFromText(args.destinationRank);
    return call;
}

CollectiveCall kinetoCpuCall(const KinetoArgs& args, const CpuCallName& name, StringTable& strings)
{
    CollectiveCall call;
    call.onGpu = false;
    call.order = 0; // set when all calls are known
    call.name = strings.intern(name.collective);
    const ShapeText shapes(args.inputShapes, args.inputTypes);
    if (!shapes.elementType().empty())
        call.elementType = strings.intern(shapes.elementType());
    if (name.kind == CpuCallName::Kind::Span) {
        call.inElements = shapes.elements();
        return call;
    }
    const auto arguments = callArguments(name.collective);
    if (!arguments)
        return call;
    call.inElements = shapes.elementsAt(arguments->sent);
    call.outElements = shapes.elementsAt(arguments->received);
    constexpr std::size_t peerAt = 2;
    const std::vector<std::string_view> values = listItems(args.inputValues);
    if (arguments->hasPeer && values.size() > peerAt)
        (name.collective.starts_with("send") ? call.destinationRank : call.sourceRank)
            = integerFromText(values[peerAt]);
    return call;
}

} // namespace collscope
