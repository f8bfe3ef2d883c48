// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/purpose.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <utility>

namespace collscope {

namespace {

/// True if one of the words stands in the text on its own ("tp" in "mesh_tp", not in "http").
bool hasWord(std::string_view text, std::initializer_list<std::string_view> wanted)
{
    std::size_t begin = 0;
    while (begin < text.size()) {
        std::size_t end = begin;
        while (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end])) != 0)
            ++end;
        std::string word(text.substr(begin, end - begin));
        for (char& c : word)
            c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        for (const std::string_view candidate : wanted) {
            if (word == candidate)
                return true;
        }
        begin = end + 1;
    }
    return false;
}

Purpose purposeOfAnnotation(std::string_view name)
{
    if (name.starts_with("FSDP::") || hasWord(name, {"dp", "fsdp", "ddp"}))
        return Purpose::DataParallel;
    if (hasWord(name, {"tp"}))
        return Purpose::TensorParallel;
    if (hasWord(name, {"pp"}))
        return Purpose::PipelineParallel;
    if (hasWord(name, {"ep", "moe"}))
        return Purpose::ExpertParallel;
    return Purpose::Unknown;
}

Purpose onlyDimension(const Mesh& mesh)
{
    if (!mesh.isKnown)
        return Purpose::Unknown;
    const std::int64_t dp = mesh.dpShard * mesh.dpReplicate;
    const int dimensions = (mesh.tp > 1 ? 1 : 0) + (mesh.cp > 1 ? 1 : 0) + (dp > 1 ? 1 : 0)
        + (mesh.pp > 1 ? 1 : 0) + (mesh.ep > 1 ? 1 : 0);
    if (dimensions != 1)
        return Purpose::Unknown;
    return mesh.tp > 1 ? Purpose::TensorParallel
        : mesh.cp > 1  ? Purpose::ContextParallel
        : mesh.pp > 1  ? Purpose::PipelineParallel
        : mesh.ep > 1  ? Purpose::ExpertParallel
                       : Purpose::DataParallel;
}

Purpose purposeOfKind(KernelClass kind)
{
    switch (kind) {
    case KernelClass::AllToAll:
        return Purpose::ExpertParallel;
    case KernelClass::SendRecv:
        return Purpose::PipelineParallel;
    case KernelClass::ReduceScatter:
        return Purpose::DataParallel;
    default:
        return Purpose::Unknown;
    }
}

} // namespace

Purpose purposeOfDescription(std::string_view description)
{
    if (hasWord(description, {"tp"}))
        return Purpose::TensorParallel;
    if (hasWord(description, {"pp"}))
        return Purpose::PipelineParallel;
    if (hasWord(description, {"cp"}))
        return Purpose::ContextParallel;
    if (hasWord(description, {"ep"}))
        return Purpose::ExpertParallel;
    if (hasWord(description, {"dp", "fsdp", "ddp"}))
        return Purpose::DataParallel;
    return hasWord(description, {"default", "world"}) ? Purpose::Global : Purpose::Unknown;
}

Purpose purposeOfRanks(const std::vector<std::int32_t>& ranks, const Mesh& mesh)
{
    if (!mesh.isKnown || ranks.size() < 2)
        return Purpose::Unknown;
    const std::int64_t stride = ranks[1] - ranks[0];
    for (std::size_t i = 1; i < ranks.size(); ++i) {
        if (ranks[i] - ranks[i - 1] != stride)
            return Purpose::Unknown;
    }
    struct Dimension
    {
        std::int64_t size, stride;
        Purpose purpose;
    };
    const std::int64_t dpStride = mesh.tp * mesh.cp;
    const Dimension dimensions[] = {
        {mesh.tp, 1, Purpose::TensorParallel},
        {mesh.cp, mesh.tp, Purpose::ContextParallel},
        {mesh.dpShard, dpStride, Purpose::DataParallel},
        {mesh.dpReplicate, dpStride * mesh.dpShard, Purpose::DataParallel},
        {mesh.dpShard * mesh.dpReplicate, dpStride, Purpose::DataParallel},
        {mesh.pp, dpStride * mesh.dpShard * mesh.dpReplicate, Purpose::PipelineParallel},
    };
    const auto size = static_cast<std::int64_t>(ranks.size());
    for (const Dimension& dimension : dimensions) {
        if (dimension.size == size && dimension.stride == stride)
            return dimension.purpose;
    }
    return size == mesh.worldSize() ? Purpose::Global : Purpose::Unknown;
}

PurposeFinder::PurposeFinder(const TraceModel& model, const Mesh& mesh, const Timeline& timeline)
    : m_model(model)
    , m_mesh(mesh)
    , m_timeline(timeline)
{ }

void PurposeFinder::collectAnnotations()
{
    m_collected = true;
    std::vector<std::int8_t> known(m_model.strings.size(), -1); // names repeat: decided once each
    for (const TrackId id : m_timeline.tracks) {
        const Track& track = m_model.track(id);
        if (track.kind != TrackKind::CpuThread)
            continue;
        for (std::size_t row = 0; row < track.slices.size(); ++row) {
            const SliceCategory category = track.slices.category[row];
            if (category != SliceCategory::UserAnnotation && category != SliceCategory::Nvtx)
                continue;
            const StringId name = track.slices.name[row];
            if (known[name.value] < 0)
                known[name.value] = static_cast<std::int8_t>(purposeOfAnnotation(m_model.text(name)));
            const auto purpose = static_cast<Purpose>(known[name.value]);
            if (purpose != Purpose::Unknown)
                m_annotations.push_back({id, track.slices.range(row), purpose});
        }
    }
    std::stable_sort(m_annotations.begin(), m_annotations.end(),
                     [](const Annotation& a, const Annotation& b) { return a.track < b.track; });
}

Purpose PurposeFinder::enclosingPurpose(const Call& call)
{
    const std::uint32_t correlation = m_model.track(call.slice.track).slices.correlation[call.slice.row];
    const SliceRef launch = correlation != 0 ? m_timeline.launchOf(correlation) : SliceRef{};
    if (!launch)
        return Purpose::Unknown;
    if (!m_collected)
        collectAnnotations();
    const std::int64_t timeNs = m_model.rangeOf(launch).beginNs;
    auto next = std::upper_bound(m_annotations.begin(), m_annotations.end(), std::pair(launch.track, timeNs),
                                 [](const auto& wanted, const Annotation& annotation) {
                                     return wanted.first < annotation.track
                                         || (wanted.first == annotation.track
                                             && wanted.second < annotation.range.beginNs);
                                 });
    // The innermost one that still runs; a few that have ended may lie in between.
    constexpr int mostSteps = 64;
    for (int steps = 0; steps < mostSteps && next != m_annotations.begin(); ++steps) {
        --next;
        if (next->track != launch.track)
            break;
        if (next->range.endNs > timeNs)
            return next->purpose;
    }
    return Purpose::Unknown;
}

void PurposeFinder::find(Call& call)
{
    const auto found = [&](Purpose purpose, PurposeRule rule) {
        if (purpose == Purpose::Unknown)
            return false;
        call.purpose = purpose;
        call.rule = rule;
        return true;
    };
    const Purpose only = onlyDimension(m_mesh);
    if (call.meta) {
        const Purpose described = purposeOfDescription(m_model.text(call.meta->groupDescription));
        // With one dimension above 1 the default group is that dimension's.
        if (described == Purpose::Global && found(only, PurposeRule::SingleDimension))
            return;
        if (found(described, PurposeRule::GroupDescription))
            return;
        if (found(purposeOfRanks(parseRankList(m_model.text(call.meta->groupRanks)), m_mesh),
                  PurposeRule::Mesh))
            return;
    }
    if (found(enclosingPurpose(call), PurposeRule::Annotation) || found(only, PurposeRule::SingleDimension))
        return;
    found(purposeOfKind(call.kind), PurposeRule::CollectiveType);
}

} // namespace collscope
