// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What is wrong with the hardware of a run, one sentence for each device.

#include "metrics/hardware/hardware_view.h"

namespace collscope {

struct HardwareTrouble
{
    std::string text; ///< one sentence
    std::vector<std::int32_t> ranks; ///< that ran on it, ascending; empty: cannot be told
    std::int64_t count = 0; ///< samples, errors or counts
    /// What it may be if the device need not be broken: "all_gpus", "chosen_clocks", "program",
    /// "corrected_errors", "congestion"; else empty.
    std::string_view cause;
    bool isGuessed = false; ///< the time of the record rests on a guess
};

/// What a sentence about a device consists of.
struct TroubleParts
{
    std::vector<std::string> texts; ///< "ran at 1,215 MHz ..."
    std::int64_t count = 0;
    bool isGuessed = false;

    void add(std::string text, std::int64_t more, std::string_view cause)
    {
        m_cause = texts.empty() ? cause : cause.empty() || m_cause.empty() ? std::string_view() : m_cause;
        texts.push_back(std::move(text));
        count += more;
    }
    /// As HardwareTrouble::cause; empty if one part tells of a broken device.
    std::string_view cause() const { return m_cause; }

private:
    std::string_view m_cause;
};

struct HardwareTroubles
{
    std::vector<HardwareTrouble> all; ///< in the order of the devices; then errors of GPUs without samples
    std::vector<std::string> warnings; ///< records of another time
};

/// What to look for.
struct TroubleScope
{
    TimeRange time; ///< ns since the epoch
    std::string during; ///< its name in sentences: "the traces", "this step"
    /// Where too few samples lie in the time, nothing is said about clocks; else the whole record is looked
    /// at, with that remark. Errors of other times are left out.
    bool isStrict = false;
    std::optional<std::int32_t> clocksSaidOf = {}; ///< a rank whose GPU's clock is known already
};

/// Of hardware records, and of the network cards that Nsight sampled. O(samples).
HardwareTroubles hardwareTroublesIn(Analysis& analysis, const TroubleScope& scope);
/// Of the whole traces.
HardwareTroubles hardwareTroublesOf(Analysis& analysis);

} // namespace collscope
