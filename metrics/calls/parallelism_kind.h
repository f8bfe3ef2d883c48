// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The kind of parallelism that a communication call serves.

#include "metrics/calls/communication_call.h"

#include <map>
#include <unordered_map>

namespace collscope {

/// Determines the purpose of the calls of one timeline.
class ParallelismFinder
{
public:
    ParallelismFinder(const TraceModel& model, const Mesh& mesh, const Timeline& timeline);

    /// Sets purpose and rule of a call, by the first rule that applies: description of its process group, its
    /// ranks in the device mesh, an enclosing annotation, the only dimension above 1, the type of the
    /// collective.
    void find(Call& call);

private:
    /// An annotation on a CPU thread that names a purpose, or the collective it launches ("nccl:all_to_all").
    struct Annotation
    {
        TrackId thread; ///< the thread's first track; slices that cross another are on a further one
        TimeRange range;
        ParallelismKind parallelismKind = ParallelismKind::Unknown;
        KernelClass collective = KernelClass::None;
        std::size_t outer = noOuter; ///< index of the enclosing annotation
    };
    static constexpr std::size_t noOuter = static_cast<std::size_t>(-1);
    /// Purposes derived from the description and the ranks of a process group; many calls share a group.
    struct GroupParallelism
    {
        ParallelismKind described = ParallelismKind::Unknown;
        ParallelismKind byRanks = ParallelismKind::Unknown;
        bool mayBeExperts = false; ///< its ranks fit expert parallelism as well
    };
    const GroupParallelism& parallelismOfGroup(const CollectiveCall& meta);
    void collectAnnotations();
    /// The innermost annotation that encloses the launch of the call and satisfies `wanted`; nullptr if there
    /// is none.
    template<typename Wanted>
    const Annotation* around(const Call& call, const Wanted& wanted);
    ParallelismKind enclosingParallelism(const Call& call);
    KernelClass typeOf(const Call& call);

    const TraceModel& m_model;
    const Mesh& m_mesh;
    const Timeline& m_timeline;
    ParallelismKind m_only; ///< of the only dimension above 1, if there is exactly one
    std::unordered_map<std::uint64_t, GroupParallelism> m_groups; ///< by description and rank list
    std::map<std::pair<StringId, StringId>, TrackId> m_threads; ///< pid and tid to the first track
    std::vector<Annotation> m_annotations; ///< by thread, then start; filled on first use
    bool m_collected = false;
    bool m_namesAllToAll = false, m_namesSends = false; ///< whether any annotation does
};

/// The words of a text in lower case: "mesh_tp" gives "mesh" and "tp"; "http" contains neither.
std::vector<std::string> wordsOf(std::string_view text);
/// Derived only from a group description such as "mesh_dp_shard" or "default_pg".
ParallelismKind parallelismOfDescription(std::string_view description);
/// Derived from the ranks of a group in TorchTitan's mesh order (slowest to fastest: pp, dp_replicate,
/// dp_shard, cp, tp): a line along one dimension, or along data and context parallelism together (where FSDP
/// shards).
ParallelismKind parallelismOfRanks(const std::vector<std::int32_t>& ranks, const Mesh& mesh);
/// Whether the ranks are neighbours that may share the experts of a layer.
bool mayBeExpertGroup(const std::vector<std::int32_t>& ranks, const Mesh& mesh);

} // namespace collscope
