// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/calls/parallelism_kind.h"

#include "model/kernels/kernel_names.h"
#include "model/text/lower_case.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <utility>

namespace collscope {

std::vector<std::string> wordsOf(std::string_view text)
{
    std::vector<std::string> words(1);
    for (const char c : text) {
        const auto letter = static_cast<unsigned char>(c);
        if (std::isalnum(letter) != 0)
            words.back() += lowered(c);
        else if (!words.back().empty())
            words.emplace_back();
    }
    return words;
}

namespace {

bool holdsAny(const std::vector<std::string>& words, std::initializer_list<std::string_view> wanted)
{
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
        return std::find(wanted.begin(), wanted.end(), word) != wanted.end();
    });
}

ParallelismKind purposeOfAnnotation(std::string_view name)
{
    const std::vector<std::string> words = wordsOf(name);
    if (name.starts_with("FSDP::") || holdsAny(words, {"dp", "fsdp", "ddp"}))
        return ParallelismKind::DataParallel;
    if (holdsAny(words, {"tp"}))
        return ParallelismKind::TensorParallel;
    if (holdsAny(words, {"pp"}))
        return ParallelismKind::PipelineParallel;
    if (holdsAny(words, {"ep", "moe"}))
        return ParallelismKind::ExpertParallel;
    return ParallelismKind::Unknown;
}

ParallelismKind onlyDimension(const Mesh& mesh)
{
    if (!mesh.isKnown)
        return ParallelismKind::Unknown;
    const std::int64_t dp = mesh.dpShard * mesh.dpReplicate;
    const int dimensions = (mesh.tp > 1 ? 1 : 0) + (mesh.cp > 1 ? 1 : 0) + (dp > 1 ? 1 : 0)
        + (mesh.pp > 1 ? 1 : 0) + (mesh.ep > 1 ? 1 : 0);
    if (dimensions != 1)
        return ParallelismKind::Unknown;
    return mesh.tp > 1 ? ParallelismKind::TensorParallel
        : mesh.cp > 1  ? ParallelismKind::ContextParallel
        : mesh.pp > 1  ? ParallelismKind::PipelineParallel
        : mesh.ep > 1  ? ParallelismKind::ExpertParallel
                       : ParallelismKind::DataParallel;
}

ParallelismKind purposeOfKind(KernelClass kind)
{
    switch (kind) {
    case KernelClass::AllToAll:
        return ParallelismKind::ExpertParallel;
    case KernelClass::SendRecv:
        return ParallelismKind::PipelineParallel;
    case KernelClass::ReduceScatter:
        return ParallelismKind::DataParallel;
    default:
        return ParallelismKind::Unknown;
    }
}

} // namespace

ParallelismKind parallelismOfDescription(std::string_view description)
{
    std::vector<std::string> words = wordsOf(description);
    for (std::string& word : words) { // "dp0" and "tp1" number the groups of one kind
        while (word.size() > 2 && std::isdigit(static_cast<unsigned char>(word.back())) != 0)
            word.pop_back();
    }
    // TorchTitan shards over data and context parallelism together ("dp_shard_cp"), and calls the part of
    // data parallelism outside the experts "dp_shard_mod_ep": the data-parallel word decides.
    // "dp_shard_in_ep" is the part used by the experts.
    if (holdsAny(words, {"dp", "fsdp", "ddp", "hsdp", "data"}) && !holdsAny(words, {"in", "tp", "tensor"}))
        return ParallelismKind::DataParallel;
    if (holdsAny(words, {"ep", "expert"}))
        return ParallelismKind::ExpertParallel;
    if (holdsAny(words, {"tp", "tensor"}))
        return ParallelismKind::TensorParallel;
    if (holdsAny(words, {"pp", "pipeline"}))
        return ParallelismKind::PipelineParallel;
    if (holdsAny(words, {"cp", "context"}))
        return ParallelismKind::ContextParallel;
    return holdsAny(words, {"default", "world"}) ? ParallelismKind::Global : ParallelismKind::Unknown;
}

namespace {

/// Whether the ranks form one line of the mesh along a dimension: evenly spaced, starting at its beginning.
bool isLine(const std::vector<std::int32_t>& ranks, std::int64_t size, std::int64_t stride)
{
    if (size < 2 || stride < 1 || static_cast<std::int64_t>(ranks.size()) != size
        || (ranks.front() / stride) % size != 0)
        return false;
    for (std::size_t i = 1; i < ranks.size(); ++i) {
        if (ranks[i] - ranks[i - 1] != stride)
            return false;
    }
    return true;
}

} // namespace

bool mayBeExpertGroup(const std::vector<std::int32_t>& ranks, const Mesh& mesh)
{
    return mesh.isKnown && (isLine(ranks, mesh.ep, mesh.tp) || isLine(ranks, mesh.ep, 1));
}

ParallelismKind parallelismOfRanks(const std::vector<std::int32_t>& ranks, const Mesh& mesh)
{
    if (!mesh.isKnown || ranks.size() < 2)
        return ParallelismKind::Unknown;
    struct Dimension
    {
        std::int64_t size, stride;
        ParallelismKind parallelismKind;
    };
    const std::int64_t dpStride = mesh.tp * mesh.cp;
    const std::int64_t dp = mesh.dpShard * mesh.dpReplicate;
    const Dimension dimensions[] = {
        {mesh.tp, 1, ParallelismKind::TensorParallel},
        {mesh.cp, mesh.tp, ParallelismKind::ContextParallel},
        {mesh.dpShard, dpStride, ParallelismKind::DataParallel},
        {mesh.dpReplicate, dpStride * mesh.dpShard, ParallelismKind::DataParallel},
        {dp, dpStride, ParallelismKind::DataParallel},
        {mesh.pp, dpStride * dp, ParallelismKind::PipelineParallel},
        {mesh.dpShard * mesh.cp, mesh.tp, ParallelismKind::DataParallel},
        {dp * mesh.cp, mesh.tp, ParallelismKind::DataParallel},
        {mesh.worldSize(), 1, ParallelismKind::Global},
        // Experts last: their groups lie inside the data-parallel ones.
        {mesh.ep, mesh.tp, ParallelismKind::ExpertParallel},
        {mesh.ep, 1, ParallelismKind::ExpertParallel},
    };
    for (const Dimension& dimension : dimensions) {
        if (isLine(ranks, dimension.size, dimension.stride))
            return dimension.parallelismKind;
    }
    return ParallelismKind::Unknown;
}

ParallelismFinder::ParallelismFinder(const TraceModel& model, const Mesh& mesh, const Timeline& timeline)
    : m_model(model)
    , m_mesh(mesh)
    , m_timeline(timeline)
    , m_only(onlyDimension(mesh))
{ }

const ParallelismFinder::GroupParallelism& ParallelismFinder::parallelismOfGroup(const CollectiveCall& meta)
{
    const std::uint64_t key
        = (static_cast<std::uint64_t>(meta.groupDescription.value) << 32u) | meta.groupRanks.value;
    const auto [found, isNew] = m_groups.try_emplace(key);
    if (isNew) {
        const std::vector<std::int32_t> ranks = parseRankList(m_model.text(meta.groupRanks));
        found->second = {parallelismOfDescription(m_model.text(meta.groupDescription)),
                         parallelismOfRanks(ranks, m_mesh), mayBeExpertGroup(ranks, m_mesh)};
    }
    return found->second;
}

void ParallelismFinder::collectAnnotations()
{
    m_collected = true;
    /// The meaning of a name; names repeat and are parsed once each.
    struct Meaning
    {
        bool known = false;
        ParallelismKind parallelismKind = ParallelismKind::Unknown;
        KernelClass collective = KernelClass::None;
    };
    constexpr std::string_view collectivePrefix = "nccl:"; // PyTorch's annotation around a launch
    std::vector<Meaning> meanings(m_model.strings.size());
    for (const TrackId id : m_timeline.tracks) {
        const Track& track = m_model.track(id);
        if (track.kind != TrackKind::CpuThread)
            continue;
        const TrackId thread = m_threads.try_emplace({track.pid, track.tid}, id).first->second;
        for (std::size_t row = 0; row < track.slices.size(); ++row) {
            const SliceCategory category = track.slices.category[row];
            if (category != SliceCategory::UserAnnotation && category != SliceCategory::Nvtx)
                continue;
            Meaning& meaning = meanings[track.slices.name[row].value];
            if (!meaning.known) {
                const std::string_view name = m_model.text(track.slices.name[row]);
                meaning.known = true;
                if (name.starts_with(collectivePrefix))
                    meaning.collective = classifyCollective(name.substr(collectivePrefix.size()));
                else
                    meaning.parallelismKind = purposeOfAnnotation(name);
            }
            m_namesAllToAll |= meaning.collective == KernelClass::AllToAll;
            m_namesSends |= meaning.collective == KernelClass::SendRecv;
            if (meaning.parallelismKind != ParallelismKind::Unknown
                || meaning.collective != KernelClass::None)
                m_annotations.push_back(
                    {thread, track.slices.range(row), meaning.parallelismKind, meaning.collective, noOuter});
        }
    }
    std::stable_sort(
        m_annotations.begin(), m_annotations.end(), [](const Annotation& a, const Annotation& b) {
            return a.thread < b.thread || (a.thread == b.thread && a.range.beginNs < b.range.beginNs);
        });
    // Slices of a thread nest: the enclosing slice is found from the predecessor outwards.
    for (std::size_t i = 1; i < m_annotations.size(); ++i) {
        std::size_t outer = m_annotations[i - 1].thread == m_annotations[i].thread ? i - 1 : noOuter;
        while (outer != noOuter && m_annotations[outer].range.endNs <= m_annotations[i].range.beginNs)
            outer = m_annotations[outer].outer;
        m_annotations[i].outer = outer;
    }
}

template<typename Wanted>
const ParallelismFinder::Annotation* ParallelismFinder::around(const Call& call, const Wanted& wanted)
{
    const std::uint32_t correlation = m_model.track(call.slice.track).slices.correlation[call.slice.row];
    const SliceRef launch = correlation != 0 ? m_timeline.launchOf(correlation) : SliceRef{};
    if (!launch)
        return nullptr;
    if (!m_collected)
        collectAnnotations();
    const std::int64_t timeNs = m_model.rangeOf(launch).beginNs;
    const Track& track = m_model.track(launch.track);
    const auto thread = m_threads.find({track.pid, track.tid});
    if (thread == m_threads.end())
        return nullptr;
    const auto next = std::upper_bound(
        m_annotations.begin(), m_annotations.end(), std::pair(thread->second, timeNs),
        [](const auto& place, const Annotation& annotation) {
            return place.first < annotation.thread
                || (place.first == annotation.thread && place.second < annotation.range.beginNs);
        });
    if (next == m_annotations.begin() || (next - 1)->thread != thread->second)
        return nullptr;
    for (auto at = static_cast<std::size_t>(next - m_annotations.begin()) - 1; at != noOuter;
         at = m_annotations[at].outer) {
        if (m_annotations[at].range.endNs > timeNs && wanted(m_annotations[at]))
            return &m_annotations[at];
    }
    return nullptr;
}

ParallelismKind ParallelismFinder::enclosingParallelism(const Call& call)
{
    const Annotation* annotation
        = around(call, [](const Annotation& a) { return a.parallelismKind != ParallelismKind::Unknown; });
    return annotation ? annotation->parallelismKind : ParallelismKind::Unknown;
}

/// NCCL runs an all-to-all as sends and receives: without metadata the annotation around the launch decides.
KernelClass ParallelismFinder::typeOf(const Call& call)
{
    const bool named = call.meta && !m_model.text(call.meta->name).empty();
    if (named || call.kind != KernelClass::SendRecv)
        return call.kind;
    if (const Annotation* annotation
        = around(call, [](const Annotation& a) { return a.collective != KernelClass::None; }))
        return annotation->collective;
    if (!m_collected)
        collectAnnotations();
    // Launched before the trace started: assume the same type as the others.
    if (m_namesAllToAll && !m_namesSends)
        return KernelClass::AllToAll;
    // The type is unknown; without pipeline stages it cannot be pipeline traffic.
    return m_mesh.isKnown && m_mesh.pp <= 1 ? KernelClass::OtherCommunication : call.kind;
}

void ParallelismFinder::find(Call& call)
{
    const auto found = [&](ParallelismKind parallelismKind, ParallelismRule rule) {
        if (parallelismKind == ParallelismKind::Unknown)
            return false;
        call.parallelismKind = parallelismKind;
        call.rule = rule;
        return true;
    };
    if (call.meta) {
        const GroupParallelism& group = parallelismOfGroup(*call.meta);
        // If only one dimension is above 1, the default group belongs to it.
        if (group.described == ParallelismKind::Global && found(m_only, ParallelismRule::SingleDimension))
            return;
        if (found(group.described, ParallelismRule::GroupDescription))
            return;
        // Experts share the ranks of data parallelism; they exchange data by all-to-all.
        const bool experts = group.mayBeExperts && call.kind == KernelClass::AllToAll;
        if (found(experts ? ParallelismKind::ExpertParallel : group.byRanks, ParallelismRule::Mesh))
            return;
    }
    if (found(enclosingParallelism(call), ParallelismRule::Annotation)
        || found(m_only, ParallelismRule::SingleDimension))
        return;
    found(purposeOfKind(typeOf(call)), ParallelismRule::CollectiveType);
}

} // namespace collscope
