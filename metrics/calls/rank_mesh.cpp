// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/calls/rank_mesh.h"

#include "metrics/calls/parallelism_kind.h"
#include "model/queries/world_size.h"

#include <algorithm>
#include <set>

namespace collscope {

namespace {

constexpr std::size_t indexOf(MeshDimension dimension)
{
    return static_cast<std::size_t>(dimension);
}

/// Dimension along which groups of one kind divide the ranks. Data may be split into replicas and shards.
enum class Axis : std::uint8_t
{
    Pipeline,
    Data,
    Replicate,
    Shard,
    Context,
    Tensor,
    Expert
};
constexpr std::size_t kindCount = 7;

MeshDimension dimensionOf(Axis kind)
{
    switch (kind) {
    case Axis::Pipeline:
        return MeshDimension::Pipeline;
    case Axis::Context:
        return MeshDimension::Context;
    case Axis::Tensor:
        return MeshDimension::Tensor;
    case Axis::Expert:
        return MeshDimension::Expert;
    case Axis::Data:
    case Axis::Replicate:
    case Axis::Shard:
        break;
    }
    return MeshDimension::Data;
}

/// The process groups of one kind, and the position of each rank in them.
struct Family
{
    std::set<std::vector<std::int32_t>> groups; ///< ranks, ascending
    std::set<std::string> names;
    bool withContext = false; ///< data and context parallelism in one group ("dp_shard_cp")
    std::int32_t size = 0; ///< size of each group; 0 = the groups do not define coordinates
    std::map<std::int32_t, std::int32_t> position; ///< by rank

    bool isUsable() const { return size > 0; }
};

struct Described
{
    Axis kind = Axis::Data;
    bool withContext = false;
};

/// "mesh_dp_shard" without the number that distinguishes groups of one kind ("tp0", "tp1").
std::string kindName(std::string_view text)
{
    while (text.size() > 2 && text.back() >= '0' && text.back() <= '9')
        text.remove_suffix(1);
    while (!text.empty() && (text.back() == '_' || text.back() == ' '))
        text.remove_suffix(1);
    return std::string(text);
}

/// Interprets the words of a group's description. Mixed groups ("dp_shard_mod_ep", "ep_tp") span several
/// dimensions and do not define a coordinate.
std::optional<Described> described(std::string_view text, ParallelismKind parallelismKind)
{
    const std::string name = kindName(text);
    std::set<std::string> words;
    for (const std::string& word : wordsOf(name))
        words.insert(kindName(word));
    const auto has = [&](const char* word) { return words.contains(word); };
    if (has("mod") || has("in"))
        return std::nullopt;
    switch (parallelismKind) {
    case ParallelismKind::PipelineParallel:
        return Described{Axis::Pipeline};
    case ParallelismKind::ContextParallel:
        return has("tp") ? std::nullopt : std::optional(Described{Axis::Context});
    case ParallelismKind::TensorParallel:
        return has("cp") || has("dp") || has("ep") ? std::nullopt : std::optional(Described{Axis::Tensor});
    case ParallelismKind::ExpertParallel:
        return has("tp") ? std::nullopt : std::optional(Described{Axis::Expert});
    case ParallelismKind::DataParallel:
        return Described{has("replicate")   ? Axis::Replicate
                             : has("shard") ? Axis::Shard
                                            : Axis::Data,
                         has("cp")};
    case ParallelismKind::Global:
    case ParallelismKind::Unknown:
        break;
    }
    return std::nullopt;
}

class Placing
{
public:
    Placing(const TraceModel& model, const Mesh& described, const std::vector<RankCalls>& calls)
        : m_model(model)
        , m_described(described)
    {
        const std::vector<std::int32_t> timed = model.ranks();
        std::set<std::int32_t> ranks(timed.begin(), timed.end());
        if (ranks.empty()) { // without timelines: ranks of execution traces
            for (const ExecutionTrace& trace : model.executionTraces)
                ranks.insert(trace.rank);
        }
        for (const std::int32_t rank : ranks)
            m_mesh.ranks.emplace_back().rank = rank;
        collect(calls);
    }

    RankMesh run()
    {
        for (Family& family : m_families)
            part(family);
        for (const Axis kind : {Axis::Pipeline, Axis::Context, Axis::Tensor, Axis::Expert})
            take(kind);
        takeData();
        takeDescribed();
        closeProduct();
        placeOnNodes();
        return std::move(m_mesh);
    }

private:
    Family& family(Axis kind) { return m_families[static_cast<std::size_t>(kind)]; }

    /// Collects each process group with a known purpose once.
    void collect(const std::vector<RankCalls>& calls)
    {
        std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
        for (const RankCalls& rank : calls) {
            std::pair<std::uint64_t, std::uint64_t> last{~std::uint64_t{0}, 0};
            for (const Call& call : rank.calls) {
                if (!call.meta)
                    continue;
                const bool annotated = call.rule == ParallelismRule::Annotation;
                const std::pair<std::uint64_t, std::uint64_t> key{
                    (std::uint64_t{call.meta->groupDescription.value} << 32u) | call.meta->groupRanks.value,
                    (std::uint64_t{call.meta->group.value} << 8u)
                        | (annotated ? static_cast<std::uint64_t>(call.parallelismKind) + 1 : 0u)};
                if (key != last && seen.insert(key).second)
                    addGroup(*call.meta, annotated ? call.parallelismKind : ParallelismKind::Unknown);
                last = key;
            }
        }
    }

    /// `annotated`: kind from an annotation around the call; the group's description takes precedence.
    void addGroup(const CollectiveCall& meta, ParallelismKind annotated)
    {
        std::vector<std::int32_t> ranks = parseRankList(m_model.text(meta.groupRanks));
        std::sort(ranks.begin(), ranks.end());
        ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
        if (ranks.size() < 2)
            return;
        for (const StringId id : {meta.groupDescription, meta.group}) {
            const std::string_view text = m_model.text(id);
            const ParallelismKind parallelismKind = parallelismOfDescription(text);
            if (parallelismKind == ParallelismKind::Unknown)
                continue;
            if (const auto own = described(text, parallelismKind))
                add(*own, std::move(ranks), kindName(text));
            return;
        }
        if (const auto own = described({}, annotated))
            add(*own, std::move(ranks), "with annotated calls");
    }

    void add(const Described& what, std::vector<std::int32_t> ranks, std::string name)
    {
        Family& own = family(what.kind);
        own.withContext |= what.withContext;
        own.groups.insert(std::move(ranks));
        own.names.insert(std::move(name));
    }

    /// Determines positions in disjoint groups of equal size; other groups do not define coordinates.
    void part(Family& own)
    {
        if (own.groups.empty())
            return;
        const std::size_t size = own.groups.begin()->size();
        bool parts = true;
        for (const std::vector<std::int32_t>& group : own.groups) {
            parts &= group.size() == size;
            for (std::size_t i = 0; i < group.size(); ++i)
                parts &= own.position.try_emplace(group[i], static_cast<std::int32_t>(i)).second;
        }
        if (parts) {
            own.size = static_cast<std::int32_t>(size);
            return;
        }
        own.position.clear();
        m_mesh.notes.push_back("The process groups " + namesOf(own)
                               + " overlap or differ in size: they do not define coordinates.");
    }

    static std::string namesOf(const Family& own)
    {
        std::string list;
        for (const std::string& name : own.names)
            list += (list.empty() ? "" : ", ") + name;
        return list;
    }
    static std::string sourceOf(const Family& own) { return "process groups " + namesOf(own); }

    void take(Axis kind)
    {
        const Family& own = family(kind);
        if (!own.isUsable())
            return;
        const std::size_t dimension = indexOf(dimensionOf(kind));
        m_mesh.extents[dimension] = {own.size, sourceOf(own)};
        for (RankPlace& place : m_mesh.ranks)
            place.coordinates[dimension] = positionIn(own, place.rank);
    }

    static std::int32_t positionIn(const Family& own, std::int32_t rank)
    {
        const auto found = own.position.find(rank);
        return found == own.position.end() ? -1 : found->second;
    }

    /// Number of context-parallel ranks that share a position in a combined group ("dp_shard_cp").
    std::int32_t contextIn(const Family& own) const
    {
        const std::int32_t context = m_mesh.extent(MeshDimension::Context).size;
        return own.withContext && context > 1 && own.size % context == 0 ? context : 1;
    }

    void takeData()
    {
        const Family& whole = family(Axis::Data);
        const Family& replicate = family(Axis::Replicate);
        const Family& shard = family(Axis::Shard);
        const std::size_t data = indexOf(MeshDimension::Data);
        const std::int32_t shards = shard.isUsable() ? shard.size / contextIn(shard) : 1;
        for (RankPlace& place : m_mesh.ranks) {
            const auto placeIn = [&](const Family& own) {
                const std::int32_t position = positionIn(own, place.rank);
                return position < 0 ? -1 : position / contextIn(own);
            };
            if (replicate.isUsable() && shard.isUsable()) {
                place.replicate = placeIn(replicate);
                place.shard = placeIn(shard);
            }
            if (whole.isUsable())
                place.coordinates[data] = placeIn(whole);
            else if (replicate.isUsable() && shard.isUsable())
                place.coordinates[data]
                    = place.replicate < 0 || place.shard < 0 ? -1 : place.replicate * shards + place.shard;
            else
                place.coordinates[data] = placeIn(replicate.isUsable() ? replicate : shard);
        }
        if (whole.isUsable())
            m_mesh.extents[data] = {whole.size / contextIn(whole), sourceOf(whole)};
        else if (replicate.isUsable() && shard.isUsable())
            m_mesh.extents[data] = {replicate.size * shards, sourceOf(replicate) + ", " + namesOf(shard)};
        else if (replicate.isUsable() || shard.isUsable())
            m_mesh.extents[data] = replicate.isUsable() ? MeshExtent{replicate.size, sourceOf(replicate)}
                                                        : MeshExtent{shards, sourceOf(shard)};
    }

    /// Coordinates of a rank according to the degrees of card or TOML.
    RankPlace placeByDegrees(std::int32_t rank) const
    {
        RankPlace place;
        place.rank = rank;
        std::int64_t rest = rank;
        const auto next = [&](std::int64_t size) {
            const auto at = static_cast<std::int32_t>(rest % size);
            rest /= size;
            return at;
        };
        place.coordinates[indexOf(MeshDimension::Tensor)] = next(m_described.tp);
        place.coordinates[indexOf(MeshDimension::Context)] = next(m_described.cp);
        place.shard = next(m_described.dpShard);
        place.replicate = next(m_described.dpReplicate);
        place.coordinates[indexOf(MeshDimension::Data)]
            = place.shard + place.replicate * static_cast<std::int32_t>(m_described.dpShard);
        place.coordinates[indexOf(MeshDimension::Pipeline)] = next(m_described.pp);
        return place;
    }

    std::int64_t degree(MeshDimension dimension) const
    {
        switch (dimension) {
        case MeshDimension::Pipeline:
            return m_described.pp;
        case MeshDimension::Data:
            return m_described.dpShard * m_described.dpReplicate;
        case MeshDimension::Context:
            return m_described.cp;
        case MeshDimension::Tensor:
            return m_described.tp;
        case MeshDimension::Expert:
            break;
        }
        return 0;
    }

    /// Uses card or TOML if they describe a run of this size and the groups do not contradict them.
    void takeDescribed()
    {
        if (!m_described.isKnown || m_mesh.ranks.empty())
            return;
        const std::int64_t ranks = m_described.worldSize();
        if (!canHaveRanks(m_model, ranks) || m_mesh.ranks.back().rank >= ranks) {
            m_mesh.notes.push_back("The degrees of parallelism in " + m_described.source + " imply "
                                   + std::to_string(ranks) + " ranks, but the run has "
                                   + worldSizeText(m_model) + ": they are not used to place the ranks.");
            return;
        }
        if (contradictsGroups())
            return;
        for (const MeshDimension dimension : meshDimensions) {
            MeshExtent& extent = m_mesh.extents[indexOf(dimension)];
            if (dimension == MeshDimension::Expert || extent.size > 0)
                continue;
            extent = {static_cast<std::int32_t>(degree(dimension)), m_described.source};
            for (RankPlace& place : m_mesh.ranks)
                place.coordinates[indexOf(dimension)] = placeByDegrees(place.rank).at(dimension);
        }
        for (RankPlace& place : m_mesh.ranks) {
            const RankPlace byDegrees = placeByDegrees(place.rank);
            if (place.replicate < 0 && m_described.dpReplicate > 1 && m_described.dpShard > 1) {
                place.replicate = byDegrees.replicate;
                place.shard = byDegrees.shard;
            }
        }
    }

    bool contradictsGroups()
    {
        for (const MeshDimension dimension : meshDimensions) {
            const MeshExtent& extent = m_mesh.extent(dimension);
            if (dimension == MeshDimension::Expert || extent.size == 0)
                continue;
            const std::string name(meshDimensionName(dimension));
            if (extent.size != degree(dimension)) {
                m_mesh.notes.push_back(m_described.source + " states " + name
                                       + std::to_string(degree(dimension)) + ", but the " + extent.source
                                       + " show " + name + std::to_string(extent.size)
                                       + ": the process groups take precedence.");
                return true;
            }
            for (const RankPlace& place : m_mesh.ranks) {
                const std::int32_t byDegrees = placeByDegrees(place.rank).at(dimension);
                if (place.at(dimension) < 0 || place.at(dimension) == byDegrees)
                    continue;
                m_mesh.notes.push_back("By the degrees in " + m_described.source + ", rank "
                                       + std::to_string(place.rank) + " would be " + name
                                       + std::to_string(byDegrees) + "; by the " + extent.source + " it is "
                                       + name + std::to_string(place.at(dimension))
                                       + ": the process groups take precedence.");
                return true;
            }
        }
        return false;
    }

    /// Sets unknown dimensions to 1 if the known ones make up the world size.
    void closeProduct()
    {
        std::int64_t product = 1;
        for (const MeshDimension dimension : meshDimensions) {
            const std::int32_t size = m_mesh.extent(dimension).size;
            product *= dimension == MeshDimension::Expert || size == 0 ? 1 : size;
        }
        if (m_model.isWorldSizeLeast || !canHaveRanks(m_model, product) || m_mesh.ranks.empty())
            return;
        for (const MeshDimension dimension : meshDimensions) {
            MeshExtent& extent = m_mesh.extents[indexOf(dimension)];
            if (dimension == MeshDimension::Expert || extent.size > 0)
                continue;
            extent = {1, "world size"};
            for (RankPlace& place : m_mesh.ranks)
                place.coordinates[indexOf(dimension)] = 0;
        }
    }

    void placeOnNodes()
    {
        std::map<std::int32_t, std::string> hosts;
        for (const Timeline& timeline : m_model.timelines) {
            if (timeline.host && !m_model.text(timeline.host).empty())
                hosts.try_emplace(timeline.rank, m_model.text(timeline.host));
        }
        const std::int64_t perNode = m_model.card ? m_model.card->countPerNode.value_or(0) : 0;
        if (!hosts.empty())
            m_mesh.nodeSource = "host name in the trace";
        else if (perNode > 0)
            m_mesh.nodeSource = std::to_string(perNode) + " GPUs per node (workload card)";
        for (RankPlace& place : m_mesh.ranks) {
            if (!hosts.empty())
                place.node = hosts.contains(place.rank) ? hosts[place.rank] : std::string();
            else if (perNode > 0)
                place.node = "node " + std::to_string(place.rank / perNode);
        }
    }

    const TraceModel& m_model;
    const Mesh& m_described;
    std::array<Family, kindCount> m_families;
    RankMesh m_mesh;
};

} // namespace

std::string_view meshDimensionName(MeshDimension dimension)
{
    switch (dimension) {
    case MeshDimension::Pipeline:
        return "PP";
    case MeshDimension::Data:
        return "DP";
    case MeshDimension::Context:
        return "CP";
    case MeshDimension::Tensor:
        return "TP";
    case MeshDimension::Expert:
        return "EP";
    }
    return "?";
}

const RankPlace* RankMesh::placeOf(std::int32_t rank) const
{
    const auto found
        = std::lower_bound(ranks.begin(), ranks.end(), rank,
                           [](const RankPlace& place, std::int32_t r) { return place.rank < r; });
    return found != ranks.end() && found->rank == rank ? &*found : nullptr;
}

namespace {

std::string labelOfPlace(const RankMesh& mesh, std::int32_t rank, std::optional<MeshDimension> without)
{
    const RankPlace* const place = mesh.placeOf(rank);
    std::string label;
    // The order of the run label, "TP2 PP4 DP8" (Parallelism::label).
    for (const MeshDimension dimension :
         {MeshDimension::Tensor, MeshDimension::Pipeline, MeshDimension::Context, MeshDimension::Expert,
          MeshDimension::Data}) {
        if (!place || dimension == without || mesh.extent(dimension).size <= 1 || place->at(dimension) < 0)
            continue;
        label += label.empty() ? "" : " ";
        label.append(meshDimensionName(dimension)).append(std::to_string(place->at(dimension)));
    }
    return label;
}

} // namespace

std::string RankMesh::labelOf(std::int32_t rank) const
{
    return labelOfPlace(*this, rank, std::nullopt);
}

std::string RankMesh::labelWithout(std::int32_t rank, MeshDimension dimension) const
{
    return labelOfPlace(*this, rank, dimension);
}

std::size_t RankMesh::nodeCount() const
{
    std::set<std::string_view> nodes;
    for (const RankPlace& place : ranks) {
        if (!place.node.empty())
            nodes.insert(place.node);
    }
    return nodes.size();
}

RankMesh placeRanks(const TraceModel& model, const Mesh& described, const std::vector<RankCalls>& calls)
{
    return Placing(model, described, calls).run();
}

} // namespace collscope
