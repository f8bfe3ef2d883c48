// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A simulator of communication kernels with known truth: which calls are one collective, and who waited. It
// knows nothing of the code that matches them.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace collscope {

/// What a simulated job is like.
struct SimulatedPlan
{
    std::uint32_t seed = 0;
    int ranks = 2;
    int streams = 1;
    int collectives = 40;
    enum class Metadata
    {
        None,
        Groups, ///< process groups without Seq
        Numbers ///< and with Seq
    } metadata
        = Metadata::None;
    bool hasWallClock = true;
    double offsetUs = 0; ///< clocks are apart by up to this
    double driftPpm = 0; ///< and drift by up to this
    int dropped = 0; ///< calls missing in the file of one rank
    int truncated = 0; ///< calls missing at the begin of one rank's file
    int shortened = 0; ///< calls missing at the end of another rank's file
    bool hasRoots = false; ///< every third collective is a broadcast or a reduction
    bool namesRoots = false;
    bool hasPairs = false; ///< sends and receives between two ranks
    bool namesPeers = false;
    bool shufflesStreams = false; ///< each rank numbers its streams in another way
    bool isRegular = false; ///< the same work before each call, nearly
    bool isPartly
        = false; ///< most calls of each rank go to ranks that are not there, as in a sample of a job

    std::string text() const;
};

/// One call as it happened, on the true clock.
struct SimulatedCall
{
    int collective = 0; ///< which: the truth
    double beginUs = 0, endUs = 0;
    double waitUs = 0; ///< how long it truly waited
    bool isAwaited = false; ///< the others waited for this one, or could have
};

struct SimulatedRun
{
    std::vector<std::map<std::int64_t, SimulatedCall>> calls; ///< by rank: by begin in the file, in ns
    std::vector<std::string> files; ///< Kineto JSON of each rank
};

SimulatedRun simulate(const SimulatedPlan& plan);

} // namespace collscope
