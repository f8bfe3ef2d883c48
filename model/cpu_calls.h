// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Collectives of jobs without GPUs. PyTorch's CPU backends record each collective as a span that bears the
// backend's name ("gloo:all_reduce", on a thread of the backend); the operator that called it
// ("c10d::allreduce_") is on the thread of the training.

#include "model/timeline.h"

#include <optional>
#include <string_view>
#include <vector>

namespace collscope {

class StringTable;

/// The collective that a name means, whatever its spelling: "_reduce_scatter_base", "all_reduce".
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
/// Its class; OtherCommunication for what has none of its own.
KernelClass classOfWord(CollectiveWord word);

/// What the name of a CPU event says about a collective. Views into the name.
struct CpuCallName
{
    enum class Kind : std::uint8_t
    {
        None, ///< the event is not a collective
        Span, ///< of a backend: lasts as long as the collective, waiting included
        Operator ///< the call: ends when the collective is queued
    };
    Kind kind = Kind::None;
    std::string_view backend; ///< of a span
    std::string_view collective; ///< "all_reduce", "_reduce_scatter_base"
};
CpuCallName cpuCallOf(std::string_view eventName);

/// Whether a backend (as PyTorch names it) works on CPUs: "gloo", "mpi", "ucc", "cpu:gloo".
bool isCpuBackend(std::string_view backend);

/// Where an operator's arguments hold the tensors that it sends and receives.
struct CallArguments
{
    std::size_t sent = 0, received = 0;
    bool hasPeer = false; ///< its third argument is the partner's rank in the group
};
/// `collective`: CpuCallName::collective of an operator; nullopt for what moves no data (a barrier).
std::optional<CallArguments> callArguments(std::string_view collective);

/// The tensors of an operator or span, by the texts of the profiler's args ("[[[166016]], [], []]" and
/// ["TensorList", "", "Scalar"]).
class ShapeText
{
public:
    ShapeText(std::string_view shapes, std::string_view types);
    /// Elements of all tensors of one argument; nullopt if it holds none, or the text is damaged.
    std::optional<std::int64_t> elementsAt(std::size_t argument) const;
    /// Of all arguments together.
    std::optional<std::int64_t> elements() const;
    /// The first one that is named ("float"); empty if none is: lists of tensors do not say theirs.
    std::string_view elementType() const;

private:
    std::vector<std::string_view> m_shapes, m_types;
};

/// The items of a JSON list that is given as text, without quotes; empty if it is not one.
std::vector<std::string_view> listItems(std::string_view text);

/// The only process group of a job, where the file says that there is one.
struct OnlyGroup
{
    StringId name, description, ranks; ///< ranks as text: "[0, 1, 2, 3]"
    std::vector<std::int32_t> rankList;
    std::int32_t size = 0;
};

/// Of the calls that CPU events left in `calls` (those with an order), keeps one per collective: the spans,
/// or the operators where there are no spans and no GPU library did the work. They get kind, sizes, group and
/// their order, and their slices the class of the collective. A timeline with GPU work keeps none.
void settleCpuCalls(std::vector<Track>& tracks, std::vector<CollectiveCall>& calls, Timeline& timeline,
                    const std::optional<OnlyGroup>& group, StringTable& strings);

} // namespace collscope
