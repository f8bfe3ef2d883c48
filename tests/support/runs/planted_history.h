// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A job that is simulated: processes compute, meet in tensor-parallel groups of their node and in
// data-parallel groups across the nodes, and leave each collective together. What slows it down is planted;
// its files are those of the NCCL Inspector and a log. Nothing here uses the code under test.

#include <cstdint>
#include <map>
#include <string>

namespace collscope {

struct PlantedHistory
{
    enum class Trouble
    {
        None,
        SlowNode, ///< all processes of a node compute longer
        SlowProcess, ///< one does
        SlowLink, ///< transfers within a node take longer
        SlowRail, ///< transfers of one data-parallel group take longer
        Drift, ///< everything becomes slower little by little
        Checkpoints ///< every 25th step is long
    };
    enum class Format
    {
        Flat, ///< before version 4: header and figures at the top level
        V40,
        V41,
        V42,
        V43
    };
    Trouble trouble = Trouble::None;
    Format format = Format::V40;
    std::uint32_t seed = 1;
    int nodes = 4, gpus = 2, steps = 240;
    bool isVerbose = true; ///< records have the times of their starts
    int zoneMinutes = 0; ///< of the log's local time
    bool hasLog = true;
    std::int64_t beginUs = 1'754'000'000'000'000; ///< 2025-07-31 22:13:20 UTC

    int changeAt = 0; ///< the first slow step; set by files()
    int node = 0, gpu = 0; ///< who is slow; set by files()
    double factor = 1; ///< how much slower; set by files()

    /// The files, by name.
    std::map<std::string, std::string> files();
    static std::string host(int node) { return "node-" + std::to_string(node); }
    /// As the Inspector names the files.
    static std::int64_t pid(int node, int gpu) { return 1000 + 100 * node + gpu; }
};

} // namespace collscope
