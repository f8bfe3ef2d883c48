// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Collectives of jobs without GPUs. PyTorch's CPU backends record each collective as a span that carries the
// backend's name ("gloo:all_reduce"), on a thread of the backend. The operator that called it
// ("c10d::allreduce_") is on the training thread.

#include "model/timeline.h"

#include <optional>
#include <string_view>
#include <vector>

namespace collscope {

class StringTable;

/// The collective that a name denotes, in any spelling: "_reduce_scatter_base", "all_reduce".
enum class CollectiveWord : std::uint8_t
{
    AllReduce,
    AllGather,
    ReduceScatter,
    AllToAll,
    Broadcast,
    Barrier,
    Reduce,
    Gather,
    Scatter,
    Send,
    Receive,
    Unknown
};

CollectiveWord wordOf(std::string_view collective);
/// The kernel class of a collective; OtherCommunication for a collective without its own class.
KernelClass classOfWord(CollectiveWord word);

/// Collective information in the name of a CPU event. The members are views into the name.
struct CpuCallName
{
    enum class Kind : std::uint8_t
    {
        None, ///< the event is not a collective
        Span, ///< from a backend; has the duration of the collective, including waiting
        Operator ///< the call; ends when the collective has been queued
    };
    Kind kind = Kind::None;
    std::string_view backend; ///< of a span
    std::string_view collective; ///< "all_reduce", "_reduce_scatter_base"
};
CpuCallName cpuCallOf(std::string_view eventName);

/// Whether a backend (as named by PyTorch) works on CPUs: "gloo", "mpi", "ucc", "cpu:gloo".
bool isCpuBackend(std::string_view backend);

/// Positions of an operator's sent and received tensors among its arguments.
struct CallArguments
{
    std::size_t sent = 0, received = 0;
    bool hasPeer = false; ///< the third argument is the partner's rank in the group
};
/// Argument positions of an operator. `collective`: its CpuCallName::collective. nullopt for calls that do
/// not move data (a barrier).
std::optional<CallArguments> callArguments(std::string_view collective);

/// The tensors of an operator or span, from the texts of the profiler's args ("[[[166016]], [], []]" and
/// ["TensorList", "", "Scalar"]).
class ShapeText
{
public:
    ShapeText(std::string_view shapes, std::string_view types);
    /// Number of elements in all tensors of one argument; nullopt if it contains none, or if the text is
    /// damaged.
    std::optional<std::int64_t> elementsAt(std::size_t argument) const;
    /// Number of elements in all arguments.
    std::optional<std::int64_t> elements() const;
    /// The first element type that is named ("float"); empty if none is. Lists of tensors do not state a
    /// type.
    std::string_view elementType() const;

private:
    std::vector<std::string_view> m_shapes, m_types;
};

/// The items, without quotes, of a JSON list that is given as text; empty if the text is not a list.
std::vector<std::string_view> listItems(std::string_view text);

/// The only process group of a job, if the file states that there is just one.
struct OnlyGroup
{
    StringId name, description, ranks; ///< ranks as text: "[0, 1, 2, 3]"
    std::vector<std::int32_t> rankList;
    std::int32_t size = 0;
};

/// Reduces the calls that CPU events left in `calls` (those with an order) to one per collective: the spans,
/// or, if spans are missing and no GPU library did the work, the operators. These calls get their kind,
/// sizes, group and order, and their slices get the class of the collective. A timeline with GPU work keeps
/// none of them.
void settleCpuCalls(std::vector<Track>& tracks, std::vector<CollectiveCall>& calls, Timeline& timeline,
                    const std::optional<OnlyGroup>& group, StringTable& strings);

} // namespace collscope
