// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A run of one node, with what other programs recorded of its hardware at the same time, in the words of each
// of them. The traces begin 1 s after 2023-11-14 22:13:20 UTC. Times in seconds.

#include "tests/support/runs/caused_run.h"
#include "tests/support/suite/run_folder.h"

#include <cstdio>
#include <functional>
#include <string>

namespace collscope {

/// ns since the epoch of the first event.
constexpr std::int64_t hardwareRunBeginNs = 1'700'000'001'000'000'000;
constexpr int hardwareRunSteps = 4; ///< from 10

/// Eight kernels in each step, then an all-reduce; on a slow rank the kernels take 1.6 times as long.
class HardwareRun
{
public:
    HardwareRun(int ranks, int slowRank, double kernelSeconds = 0.6)
        : m_run(ranks, {})
        , m_kernelSeconds(kernelSeconds)
    {
        m_run.run().host("node07");
        for (int number = 10; number < 10 + hardwareRunSteps; ++number) {
            m_run.step(number, [&](int) {
                std::vector<int> all;
                for (int rank = 0; rank < ranks; ++rank) {
                    all.push_back(rank);
                    for (int kernel = 0; kernel < 8; ++kernel)
                        m_run.kernel(rank, kernel % 2 == 0 ? "gemm_kernel" : "softmax_kernel",
                                     1e6 * kernelSeconds * (rank == slowRank ? 1.6 : 1.0));
                }
                m_run.collective(all, "world", 50'000 * kernelSeconds);
            });
        }
    }
    SmallRun& run() { return m_run.run(); }
    /// With a slow rank.
    double seconds() const { return hardwareRunSteps * 8 * 1.6 * m_kernelSeconds; }

    struct Sample
    {
        int clock = 1980, power = 640, temperature = 61, load = 100;
        unsigned reasons = 0;
        long long corrected = 3, uncorrected = 0, pcieReplays = 2, replays = 5, recoveries = 0, crc = 7;
    };
    /// Of a GPU, `at` seconds after the begin of the traces.
    using SampleOf = std::function<Sample(int gpu, double at)>;
    /// What a GPU shows before and after the job.
    static Sample idle() { return {.clock = 345, .power = 90, .temperature = 35, .load = 0, .reasons = 0x1}; }

    struct Times
    {
        double from = -5, to = 5; ///< before the begin and after the end of the traces
        double period = 1;
        double zoneHours = 0; ///< of what tools print as local time
    };
    /// Samples in the words of a tool: "kit", "smi", "dmon", "dcgmi", "exporter", "amd".
    std::string samples(const std::string& tool, int gpus, const Times& times, const SampleOf& sampleOf) const
    {
        std::string text = headOf(tool);
        for (double at = times.from; at < seconds() + times.to; at += times.period) {
            if (tool == "exporter")
                text += "# scraped " + epoch(at) + "\n";
            for (int gpu = 0; gpu < gpus; ++gpu) {
                const bool isIdle = at < 0 || at >= seconds();
                text += lineOf(tool, gpu, at, times, isIdle ? idle() : sampleOf(gpu, at));
            }
        }
        return text;
    }
    /// Whether a tool says why clocks are low.
    static bool tellsReasons(const std::string& tool) { return tool != "amd"; }

    /// "2023-11-14 22:13:21" with another form and zone.
    static std::string clockText(double at, double zoneHours, const char* form)
    {
        const std::int64_t ns = hardwareRunBeginNs + static_cast<std::int64_t>((at + 3600 * zoneHours) * 1e9);
        const std::time_t seconds = static_cast<std::time_t>(ns / 1'000'000'000);
        std::tm parts{};
        ::gmtime_r(&seconds, &parts);
        char text[64];
        std::strftime(text, sizeof text, form, &parts);
        return text;
    }
    static std::string epoch(double at)
    {
        char text[64];
        const std::int64_t ms = hardwareRunBeginNs / 1'000'000 + static_cast<std::int64_t>(at * 1000);
        std::snprintf(text, sizeof text, "%lld.%03lld", static_cast<long long>(ms / 1000),
                      static_cast<long long>(ms % 1000));
        return text;
    }
    static std::string busId(int gpu)
    {
        char text[32];
        std::snprintf(text, sizeof text, "00000000:%02X:00.0", 0x1B + 0x10 * gpu);
        return text;
    }

private:
    static std::string headOf(const std::string& tool)
    {
        if (tool == "kit")
            return "timestamp_unix_ns,host,index,uuid,pci.bus_id,name,clocks.current.sm [MHz],"
                   "clocks.current.memory [MHz],power.draw [W],enforced.power.limit [W],temperature.gpu,"
                   "utilization.gpu [%],clocks_event_reasons.active,ecc.errors.corrected.volatile.total,"
                   "ecc.errors.uncorrected.volatile.total,pcie.replay_counter,nvlink.replay_errors,"
                   "nvlink.recovery_errors,nvlink.crc_errors\n";
        if (tool == "smi")
            return "timestamp, index, uuid, clocks.current.sm [MHz], power.draw [W], temperature.gpu, "
                   "utilization.gpu [%], clocks_event_reasons.active, memory.used [MiB]\n";
        if (tool == "dmon")
            return "#Date       Time        gpu   pwr gtemp mtemp    sm   mem  mclk  pclk pviol tviol sbecc\n"
                   "#YYYYMMDD   HH:MM:SS    Idx     W     C     C     %     %   MHz   MHz     %  bool  "
                   "errs\n";
        if (tool == "dcgmi")
            return "#Entity   SMCLK  POWER  TMPTR  GPUTL  DVCCTR  NRELT\nID\n";
        if (tool == "amd")
            return "timestamp,gpu,gfx_activity,umc_activity,mm_activity,socket_power,throttle_status,gfx_0_"
                   "clk,"
                   "mem_0_clk,edge,hotspot,mem\r\n";
        return {};
    }
    static std::string lineOf(const std::string& tool, int gpu, double at, const Times& times,
                              const Sample& own)
    {
        char text[1000];
        if (tool == "kit")
            std::snprintf(
                text, sizeof text,
                "%lld,node07.example.org,%d,GPU-%d,%s,NVIDIA H200,%d,3201,%d.500,700.000,%d,%d,0x%016x,%lld,"
                "%lld,%lld,%lld,%lld,%lld\n",
                static_cast<long long>(hardwareRunBeginNs + static_cast<std::int64_t>(at * 1e9)), gpu, gpu,
                busId(gpu).c_str(), own.clock, own.power, own.temperature, own.load, own.reasons,
                own.corrected, own.uncorrected, own.pcieReplays, own.replays, own.recoveries, own.crc);
        else if (tool == "smi")
            std::snprintf(text, sizeof text,
                          "%s.000, %d, GPU-%d, %d MHz, %d.35 W, %d, %d %%, 0x%016x, [N/A]\n",
                          clockText(at, times.zoneHours, "%Y/%m/%d %H:%M:%S").c_str(), gpu, gpu, own.clock,
                          own.power, own.temperature, own.load, own.reasons);
        else if (tool == "dmon")
            std::snprintf(text, sizeof text, " %s %6d %5d %5d     - %5d     0  3201 %5d %5d %5d %5lld\n",
                          clockText(at, times.zoneHours, "%Y%m%d   %H:%M:%S").c_str(), gpu, own.power,
                          own.temperature, own.load, own.clock, (own.reasons & 0x4) != 0 ? 80 : 0,
                          (own.reasons & 0x60) != 0 ? 1 : 0, own.corrected);
        else if (tool == "dcgmi")
            std::snprintf(text, sizeof text, "%s GPU %d     %d   %d.125   %d  %d   %u   %lld\n",
                          clockText(at, 0, "%Y-%m-%dT%H:%M:%S+0000").c_str(), gpu, own.clock, own.power,
                          own.temperature, own.load, own.reasons, own.replays);
        else if (tool == "amd")
            std::snprintf(text, sizeof text, "%.10s,%d,%d,40,N/A,%d,%s,%d,2000,N/A,%d,24\r\n",
                          epoch(at).c_str(), gpu, own.load, own.power,
                          (own.reasons & ~0x7u) != 0 ? "THROTTLED" : "UNTHROTTLED", own.clock,
                          own.temperature);
        else {
            const std::string labels = "{gpu=\"" + std::to_string(gpu) + "\",UUID=\"GPU-"
                + std::to_string(gpu) + "\",pci_bus_id=\"" + busId(gpu) + "\",device=\"nvidia"
                + std::to_string(gpu) + "\",modelName=\"NVIDIA H200\",Hostname=\"node07\"} ";
            std::string lines;
            for (const auto& [name, value] : {std::pair<std::string, long long>("SM_CLOCK", own.clock),
                                              {"GPU_TEMP", own.temperature},
                                              {"POWER_USAGE", own.power},
                                              {"GPU_UTIL", own.load},
                                              {"CLOCKS_EVENT_REASONS", own.reasons},
                                              {"NVLINK_REPLAY_ERROR_COUNT_TOTAL", own.replays},
                                              {"MEMORY_TEMP", 9223372036854775794}})
                lines += "DCGM_FI_DEV_" + name + labels + std::to_string(value) + "\n";
            return lines;
        }
        return text;
    }

    CausedRun m_run;
    double m_kernelSeconds;
};

} // namespace collscope
