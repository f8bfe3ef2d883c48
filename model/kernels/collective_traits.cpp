// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/kernels/collective_traits.h"

namespace collscope {

namespace {

constexpr std::uint32_t brown = 0xff8c5f33, lightBrown = 0xffb08457; ///< for rare types

constexpr CollectiveTraits rows[] = {
    {.kernelClass = KernelClass::AllReduce,
     .name = "AllReduce",
     .word = "allreduce",
     .nameParts = {"allreduce", "crossdevicereduce", "crossreduce", "quickreduce"},
     .waitRule = WaitRule::AllForAll,
     .synchronises = true,
     .isSizedAlike = true,
     .rounds = 2,
     .lightColor = 0xffcf4b5b,
     .darkColor = 0xffe8697a},
    {.kernelClass = KernelClass::AllGather,
     .name = "AllGather",
     .word = "allgather",
     .nameParts = {"allgather"},
     .waitRule = WaitRule::AllForAll,
     .synchronises = true,
     .isSizedAlike = true,
     .countsOneRank = true,
     .sizeRule = SizeRule::Gathers,
     .rounds = 1,
     .lightColor = 0xffe0892b,
     .darkColor = 0xfff0a04b},
    {.kernelClass = KernelClass::ReduceScatter,
     .name = "ReduceScatter",
     .word = "reducescatter",
     .nameParts = {"reducescatter"},
     .waitRule = WaitRule::AllForAll,
     .synchronises = true,
     .isSizedAlike = true,
     .countsOneRank = true,
     .sizeRule = SizeRule::Scatters,
     .rounds = 1,
     .lightColor = 0xffc7a02a,
     .darkColor = 0xffd9b54a},
    {.kernelClass = KernelClass::AllToAll,
     .name = "AllToAll",
     .word = "alltoall",
     .nameParts = {"alltoall"},
     .waitRule = WaitRule::AllForAll,
     .synchronises = true,
     .countsOneRank = true,
     .rounds = 1,
     .lightColor = 0xffb1547c,
     .darkColor = 0xffcf7399},
    {.kernelClass = KernelClass::SendRecv,
     .name = "Send/Recv",
     .word = "sendrecv",
     .nameParts = {"sendrecv", "send", "recv"},
     .waitRule = WaitRule::AllForAll,
     .lightColor = brown,
     .darkColor = lightBrown},
    {.kernelClass = KernelClass::Broadcast,
     .name = "Broadcast",
     .word = "broadcast",
     .nameParts = {"broadcast"},
     .waitRule = WaitRule::AllForRoot,
     .lightColor = brown,
     .darkColor = lightBrown},
    {.kernelClass = KernelClass::Reduce,
     .name = "Reduce",
     .word = "reduce",
     .nameParts = {"reduce"},
     .waitRule = WaitRule::RootForAll,
     .lightColor = brown,
     .darkColor = lightBrown},
    {.kernelClass = KernelClass::OtherCommunication,
     .name = "other communication",
     .word = "communication",
     .sizeRule = SizeRule::Unknown,
     .lightColor = brown,
     .darkColor = lightBrown},
};

constexpr int firstClass = static_cast<int>(rows[0].kernelClass);

constexpr bool areInOrder()
{
    for (std::size_t i = 0; i < std::size(rows); ++i) {
        if (static_cast<int>(rows[i].kernelClass) != firstClass + static_cast<int>(i))
            return false;
    }
    return !isCommunication(static_cast<KernelClass>(firstClass - 1))
        && !isCommunication(static_cast<KernelClass>(firstClass + static_cast<int>(std::size(rows))));
}
static_assert(areInOrder(), "each communication class has a row, in the order of KernelClass");

} // namespace

std::span<const CollectiveTraits> allCollectiveTraits()
{
    return rows;
}

const CollectiveTraits* collectiveTraits(KernelClass kernelClass)
{
    return isCommunication(kernelClass) ? &rows[static_cast<int>(kernelClass) - firstClass] : nullptr;
}

bool synchronises(KernelClass kernelClass)
{
    const CollectiveTraits* const traits = collectiveTraits(kernelClass);
    return traits && traits->synchronises;
}

bool isSizedAlike(KernelClass kernelClass)
{
    const CollectiveTraits* const traits = collectiveTraits(kernelClass);
    return traits && traits->isSizedAlike;
}

bool passesOneSize(KernelClass kernelClass)
{
    const CollectiveTraits* const traits = collectiveTraits(kernelClass);
    return traits && traits->isSizedAlike && traits->sizeRule == SizeRule::Same;
}

int roundsOf(KernelClass kernelClass)
{
    const CollectiveTraits* const traits = collectiveTraits(kernelClass);
    return traits && traits->rounds > 1 ? traits->rounds : 1;
}

std::optional<double> busFactor(KernelClass kernelClass, std::int32_t ranks)
{
    if (ranks < 2)
        return std::nullopt;
    const CollectiveTraits* const traits = collectiveTraits(kernelClass);
    const double n = ranks;
    return traits && traits->rounds > 0 ? traits->rounds * (n - 1.0) / n : 1.0;
}

} // namespace collscope
