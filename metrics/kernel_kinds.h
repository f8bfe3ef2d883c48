// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The finer classes of kernels that breakdowns show: the first that the name matches, case-insensitive.

#include "metrics/time_breakdown.h"

#include <array>
#include <span>
#include <unordered_map>

namespace collscope {

enum class KernelKind : std::uint8_t
{
    Communication,
    Copy, ///< kernels that copy or set memory; real copies are no kernels
    MixtureOfExperts,
    Attention,
    Gemm,
    Norm,
    Softmax,
    Optimizer,
    Embedding, ///< embedding and index kernels
    Reduction,
    Elementwise,
    Triton, ///< generated kernels whose name says no more
    Other
};
constexpr int kernelKindCount = static_cast<int>(KernelKind::Other) + 1;
/// "communication", "moe", "gemm", ...: the words of the JSON.
std::string_view kernelKindName(KernelKind kind);

/// Kind of a kernel that computes, by its name; whether a kernel communicates is up to its slice's class,
/// which knows its `Collective name` too.
KernelKind computeKindOf(std::string_view kernelName);

/// True for those mixture-of-experts kernels that choose experts and move tokens; the others compute.
bool routesTokens(std::string_view kernelName);

/// Kernel time of one name over several ranks, and what the name says.
struct NamedKernels
{
    std::string_view name;
    KernelKind kind = KernelKind::Other; ///< of most of its time
    KernelKind computeKind = KernelKind::Other; ///< of the part that does not communicate
    NameBreakdown work;
};
/// Looks at each kernel name of a run once.
class KernelNames
{
public:
    explicit KernelNames(const TraceModel& model)
        : m_model(model)
    { }

    /// The names of the ranks together, longest first. O(names of each rank).
    std::vector<NamedKernels> pool(std::span<const RankKernels> ranks);
    std::vector<NamedKernels> pool(const RankKernels& rank) { return pool(std::span(&rank, 1)); }

private:
    KernelKind kindOf(StringId name);

    const TraceModel& m_model;
    std::unordered_map<std::uint32_t, KernelKind> m_kinds; ///< by StringId
};

/// Clipped durations and numbers of kernels by kind.
struct KindWork
{
    std::int64_t ns = 0, calls = 0;
};
using KindTable = std::array<KindWork, kernelKindCount>;
/// The communicating part of a name counts as communication, the rest by its name.
KindTable sumByKind(const std::vector<NamedKernels>& names);

/// Time of the kernels whose names say no kind: what they compute is not known.
std::int64_t untoldNs(const KindTable& table);
/// True if no more than half of the time of compute kernels is such: then 0 of a kind is measured, by and
/// large.
bool namesTellKinds(const KindTable& table);

} // namespace collscope
