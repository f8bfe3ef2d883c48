// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Calls of the CUDA Runtime, CUDA Driver and HIP Runtime APIs that have to do with the order of work.

#include "metrics/whatif/rank_work.h"

namespace collscope {

namespace {

struct EffectOfName
{
    std::string_view part;
    CallEffect effect;
};
/// The first that a name contains.
constexpr EffectOfName effectsOfNames[] = {
    {"EventQuery", CallEffect::Polls},
    {"GetLastError", CallEffect::Polls},
    {"IsCapturing", CallEffect::Polls},
    {"GetDevice", CallEffect::Polls},
    {"DeviceSynchronize", CallEffect::WaitsForDevice},
    {"ThreadSynchronize", CallEffect::WaitsForDevice},
    {"CtxSynchronize", CallEffect::WaitsForDevice},
    {"StreamSynchronize", CallEffect::WaitsForWork},
    {"EventSynchronize", CallEffect::WaitsForWork},
    {"StreamWaitEvent", CallEffect::MakesStreamWait},
    {"Free", CallEffect::MayWait},
    {"Malloc", CallEffect::MayWait},
    {"HostAlloc", CallEffect::MayWait},
    {"Memcpy", CallEffect::MayWait},
    {"Memset", CallEffect::MayWait},
    {"Unload", CallEffect::MayWait},
};

} // namespace

CallEffect callEffectOf(std::string_view name)
{
    for (const EffectOfName& known : effectsOfNames) {
        if (name.find(known.part) != std::string_view::npos)
            return known.effect;
    }
    return CallEffect::None;
}

} // namespace collscope
