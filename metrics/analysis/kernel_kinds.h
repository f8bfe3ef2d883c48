// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The finer kernel classes used in breakdowns: the first one that the name matches, case-insensitive.

#include "metrics/analysis/analysis.h"

#include <array>
#include <span>
#include <unordered_map>

namespace collscope {

enum class KernelKind : std::uint8_t
{
    Communication,
    Copy, ///< kernels that copy or set memory; memcpy and memset events are not kernels
    MixtureOfExperts,
    Attention,
    Gemm,
    Norm,
    Softmax,
    Optimizer,
    Embedding, ///< embedding and index kernels
    Reduction,
    Elementwise,
    Triton, ///< generated kernels whose names contain no further information
    Other
};
constexpr int kernelKindCount = static_cast<int>(KernelKind::Other) + 1;
/// "communication", "moe", "gemm", ...: the names used in the JSON.
std::string_view kernelKindName(KernelKind kind);

/// Kind of a compute kernel, by its name. Whether a kernel communicates is decided by its slice's class,
/// which takes its `Collective name` into account.
KernelKind computeKindOf(std::string_view kernelName);

/// Whether a mixture-of-experts kernel chooses experts and moves tokens; the others compute.
bool routesTokens(std::string_view kernelName);

/// Kernel time of one name over several ranks, and the kind derived from the name.
struct NamedKernels
{
    std::string_view name;
    KernelKind kind = KernelKind::Other; ///< kind of most of its time
    KernelKind computeKind = KernelKind::Other; ///< kind of the part that does not communicate
    NameBreakdown work;
};
/// Clipped durations and counts of kernels by kind.
struct KindWork
{
    std::int64_t ns = 0, calls = 0;
};
using WorkOfKinds = std::array<KindWork, kernelKindCount>;
/// The communicating part of a name counts as communication, the rest by its name.
WorkOfKinds sumByKind(const std::vector<NamedKernels>& names);

/// Classifies each kernel name of a run once.
class KernelNames
{
public:
    explicit KernelNames(const TraceModel& model)
        : m_model(model)
    { }

    /// The kernels of a name of one rank.
    NamedKernels named(const NameBreakdown& work);
    /// The names of all ranks combined, longest first. O(names of each rank).
    std::vector<NamedKernels> pool(std::span<const RankKernels> ranks);
    /// sumByKind() of one rank.
    WorkOfKinds kindsOf(const RankKernels& rank);

private:
    KernelKind kindOf(StringId name);

    const TraceModel& m_model;
    std::unordered_map<std::uint32_t, KernelKind> m_kinds; ///< by StringId
};

/// Analysis::kernels() of all ranks combined.
struct PooledKernels
{
    KernelNames known;
    std::vector<NamedKernels> names; ///< longest first
    WorkOfKinds kinds;
};
/// Made once for all metrics of an analysis: a million names take seconds.
PooledKernels& pooledKernels(Analysis& analysis);

/// Time of the kernels whose names do not reveal their kind: their computation is not known.
std::int64_t untoldNs(const WorkOfKinds& table);
/// Whether at most half of the compute kernel time is of unknown kind; then 0 for a kind is a measurement,
/// approximately.
bool namesTellKinds(const WorkOfKinds& table);

} // namespace collscope
