// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Trouble planted in what other programs recorded of the hardware: it is named for the right rank, in the
// findings and in the answer to "Why slow?", and never where it is not.

#include "metrics/counters/gpu_counters.h"
#include "metrics/findings/step_costs.h"
#include "tests/support/runs/findings_of.h"
#include "tests/support/runs/hardware_run.h"
#include "tests/support/suite/suite.h"

#include <array>

namespace collscope {

namespace {

using Sample = HardwareRun::Sample;
constexpr int ranks = 8;
constexpr int cases = 40;
constexpr int askedStep = 12;

/// Everything that is said about a run.
struct Said
{
    std::vector<Finding> hardware;
    std::string slowKernels; ///< the title of the finding
    std::string all; ///< all titles
    std::string why; ///< verdict and sentences about the step
    std::vector<std::string> warnings;
};

std::string whySlow(const TraceModel& model, int step)
{
    Analysis analysis(model, {});
    CauseQuestion question;
    question.step = step;
    const CauseAnswer answer = answerWhyAndCosts(analysis, question);
    std::string text = answer.verdict;
    for (const CauseClause& clause : answer.chain.clauses)
        text += "\n" + clause.text;
    return text;
}

Said saidOf(const TraceModelPtr& model)
{
    Said said;
    if (!model)
        return said;
    const Findings findings = findingsOf(*model);
    for (const Finding& finding : findings.all) {
        said.all += finding.title + "\n";
        if (finding.kind == FindingKind::HardwareTrouble)
            said.hardware.push_back(finding);
        if (finding.kind == FindingKind::SlowKernelsOnRank)
            said.slowKernels = finding.title;
    }
    said.warnings = findings.warnings;
    said.why = whySlow(*model, askedStep);
    return said;
}

/// The run and files beside its traces.
TraceModelPtr loaded(HardwareRun& run, const std::vector<std::pair<std::string, std::string>>& files)
{
    RunFolder folder;
    run.run().write(folder.path("run"));
    for (const auto& [name, text] : files)
        folder.write("run/" + name, text);
    return folder.load("run");
}

bool has(const std::string& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

struct Reason
{
    unsigned bits;
    std::string_view text;
    std::string_view dmon; ///< what dmon knows of it
};
constexpr std::array<Reason, 4> reasons{{{0x4, "power cap", "power limit"},
                                         {0x48, "hardware thermal slowdown", "heat"},
                                         {0x20, "software thermal slowdown", "heat"},
                                         {0x88, "hardware power brake", ""}}};
const std::array<std::string, 6> tools{"kit", "smi", "dmon", "dcgmi", "exporter", "amd"};

std::string fileOf(const std::string& tool)
{
    return tool == "kit" || tool == "smi" || tool == "amd" ? "gpus.csv"
        : tool == "exporter"                               ? "gpus.prom"
                                                           : "gpus.txt";
}

std::string nicText(double seconds, const std::function<int(int card, double at)>& symbolErrors)
{
    std::string text = "timestamp_unix_ns,host,nic,port,symbol_error,link_downed,packet_seq_err\n";
    for (double at = -5; at < seconds + 5; at += 1) {
        for (int card = 0; card < 4; ++card)
            text += std::to_string(hardwareRunBeginNs + static_cast<std::int64_t>(at * 1e9)) + ",node07,mlx5_"
                + std::to_string(card) + ",1," + std::to_string(symbolErrors(card, at)) + ",4,\n";
    }
    return text;
}

} // namespace

class TestHardwareTrouble : public QObject
{
    Q_OBJECT

private slots:
    /// 40 of 40: the throttled GPU of the slow rank, whatever tool recorded it.
    void throttledGpus()
    {
        int named = 0;
        for (int number = 0; number < cases; ++number) {
            const int slow = (number * 3) % ranks;
            const Reason& reason = reasons[static_cast<std::size_t>(number) % reasons.size()];
            const std::string& tool = tools[static_cast<std::size_t>(number / 4) % tools.size()];
            HardwareRun run(ranks, slow);
            const Said said
                = saidOf(loaded(run, {{fileOf(tool), run.samples(tool, ranks, {}, [&](int gpu, double) {
                                           return gpu == slow ? Sample{.clock = 1215, .reasons = reason.bits}
                                                              : Sample{};
                                       })}}));
            const std::string context
                = tool + ", rank " + std::to_string(slow) + "\n" + said.all + "\n" + said.why;
            const std::string clocks = "ran at 1,215 MHz, the others at 1,980 MHz";
            QVERIFY2(said.hardware.size() == 1, context.c_str());
            QVERIFY2(said.hardware.front().ranks == std::vector<std::int32_t>{slow}, context.c_str());
            QVERIFY2(has(said.hardware.front().title,
                         "GPU " + std::to_string(slow) + " of node07 (rank " + std::to_string(slow) + ") "
                             + clocks),
                     context.c_str());
            QVERIFY2(has(said.slowKernels, "its GPU " + clocks), context.c_str());
            QVERIFY2(has(said.why, "Rank " + std::to_string(slow) + ": its GPU " + clocks), context.c_str());
            const std::string_view expected = tool == "dmon" ? reason.dmon
                : tool == "amd"                              ? std::string_view()
                                                             : reason.text;
            QVERIFY2(has(said.slowKernels, expected), context.c_str());
            ++named;
        }
        QCOMPARE(named, cases);
    }

    /// The same slow rank, and nothing wrong with its GPU: all reach their power limit and the clocks that
    /// the user chose, some are warm, and counters stand where they were.
    void healthyGpus()
    {
        for (int number = 0; number < cases; ++number) {
            const int slow = (number * 3) % ranks;
            const std::string& tool = tools[static_cast<std::size_t>(number) % tools.size()];
            const unsigned usual = number % 3 == 0 ? 0x0u : number % 3 == 1 ? 0x4u : 0x2u;
            HardwareRun run(ranks, slow);
            const Said said = saidOf(
                loaded(run,
                       {{fileOf(tool),
                         run.samples(tool, ranks, {},
                                     [&](int gpu, double at) {
                                         return Sample{.clock = 1950 + (gpu * 7 + static_cast<int>(at)) % 45,
                                                       .temperature = 50 + 4 * gpu,
                                                       .reasons = usual,
                                                       .corrected = 3 + gpu};
                                     })},
                        {"nic.csv", nicText(run.seconds(), [](int card, double) { return 100 * card; })},
                        {"dmesg.txt",
                         "[    5.1] nvidia: module license\n[    6.123456] NVRM: loading NVIDIA UNIX x86_64 "
                         "Kernel Module  580.82\n[   99.000001] usb 1-1: new device\n"}}));
            const std::string context = tool + "\n" + said.all + "\n" + said.why;
            QVERIFY2(said.hardware.empty(), context.c_str());
            QVERIFY2(!said.slowKernels.empty() && has(said.why, "slower kernels"), context.c_str());
            for (const char* const word : {"MHz", "throttle", "Xid", "replay", "counted"})
                QVERIFY2(!has(said.all + said.why, word), context.c_str());
        }
    }

    /// Sound GPUs differ by some percent under a power limit: no device is called bad, and what it explains
    /// of its slow rank is said.
    void chipsDiffer()
    {
        HardwareRun run(ranks, 3);
        const Said said
            = saidOf(loaded(run, {{"gpus.csv", run.samples("kit", ranks, {}, [](int gpu, double) {
                                       return Sample{.clock = gpu == 3 ? 1850 : 1980, .reasons = 0x4};
                                   })}}));
        QVERIFY2(said.hardware.empty(), said.all.c_str());
        QVERIFY2(has(said.slowKernels, "its GPU ran at 1,850 MHz, the others at 1,980 MHz ("),
                 said.slowKernels.c_str());
    }

    /// 40 of 40 XID errors, in all forms of lines, in the step asked about.
    void xidErrors()
    {
        const std::array<int, 5> codes{79, 48, 74, 94, 119};
        for (int number = 0; number < cases; ++number) {
            const int bad = (number * 5) % ranks;
            const int code = codes[static_cast<std::size_t>(number) % codes.size()];
            HardwareRun run(ranks, -1);
            const double at = 0.6 * 8 * 2.5; // in the third step
            char pci[32];
            std::snprintf(pci, sizeof pci, "0000:%02x:00", 0x1B + 0x10 * bad);
            const std::string message = "NVRM: Xid (PCI:" + std::string(pci) + "): " + std::to_string(code)
                + ", pid=4242, name=python, something happened.\n";
            const std::array<std::string, 3> prefixes{
                HardwareRun::clockText(at, 1, "%Y-%m-%dT%H:%M:%S,250000+01:00 "),
                HardwareRun::clockText(at, 0, "%Y-%m-%dT%H:%M:%S.250000+00:00 node07 kernel: [ 77.000001] "),
                HardwareRun::clockText(at, -7, "%Y-%m-%dT%H:%M:%S-0700 node07 kernel: ")};
            const std::string log = "2023-11-14T20:00:00+00:00 node07 kernel: NVRM: loading\n"
                + prefixes[static_cast<std::size_t>(number) % prefixes.size()] + message;
            const Said said = saidOf(
                loaded(run,
                       {{"gpus.csv", run.samples("kit", ranks, {}, [](int, double) { return Sample{}; })},
                        {"kern.log", log}}));
            const std::string context = log + said.all + "\n" + said.why;
            QVERIFY2(said.hardware.size() == 1, context.c_str());
            QVERIFY2(said.hardware.front().ranks == std::vector<std::int32_t>{bad}, context.c_str());
            const std::string words = "reported Xid " + std::to_string(code) + " (";
            QVERIFY2(has(said.hardware.front().title, words)
                         && has(said.hardware.front().title, ", during the traces."),
                     context.c_str());
            QVERIFY2(has(said.why, words), context.c_str());
        }
    }

    /// 40 of 40: errors of a network card, and replays, recoveries and ECC errors of a GPU.
    void counters()
    {
        for (int number = 0; number < cases; ++number) {
            const int bad = (number * 3) % ranks;
            HardwareRun run(ranks, -1);
            const auto sampleOf = [&](int gpu, double at) {
                Sample sample;
                const int more = gpu == bad && at > 10 ? 40 + number : 0;
                (number % 4 == 0       ? sample.replays
                     : number % 4 == 1 ? sample.recoveries
                     : number % 4 == 2 ? sample.uncorrected
                                       : sample.pcieReplays)
                    += more;
                sample.crc += static_cast<int>(at); // on all alike
                return sample;
            };
            // The recording ends while the job runs: the counters of the idle GPU would start again.
            HardwareRun::Times times;
            times.from = 0;
            times.to = -1;
            const bool isCard = number % 5 == 4;
            const Said said = saidOf(
                loaded(run,
                       {{"gpus.csv",
                         run.samples("kit", ranks, times,
                                     isCard ? HardwareRun::SampleOf([](int, double) { return Sample{}; })
                                            : HardwareRun::SampleOf(sampleOf))},
                        {"nic.csv", nicText(run.seconds(), [&](int card, double at) {
                             return isCard && card == bad % 4 && at > 10 ? 12 + number : 12;
                         })}}));
            const std::string context = said.all + "\n" + said.why;
            QVERIFY2(said.hardware.size() == 1, context.c_str());
            const std::string& title = said.hardware.front().title;
            static const std::array<std::string, 4> words{"NVLink replays", "NVLink recoveries",
                                                          "uncorrectable ECC errors", "PCIe replays"};
            if (isCard) {
                QVERIFY2(has(title, "mlx5_" + std::to_string(bad % 4) + " port 1 of node07")
                             && has(title, "counted " + std::to_string(number) + " more symbol_error"),
                         context.c_str());
            } else {
                QVERIFY2(said.hardware.front().ranks == std::vector<std::int32_t>{bad}, context.c_str());
                QVERIFY2(has(title,
                             "counted " + std::to_string(40 + number) + " "
                                 + words[static_cast<std::size_t>(number % 4)] + " during the traces"),
                         context.c_str());
            }
            // What rose in the third step is said where that step is asked about.
            QVERIFY2(has(said.why, "counted "), context.c_str());
            QVERIFY2(!has(said.all, "CRC"), context.c_str());
        }
    }

    /// Samples 1 s apart and steps of 13 ms: the record does not explain a step, nor the kernels of all
    /// steps.
    void shortStepsAreNotExplained()
    {
        HardwareRun run(ranks, 3, 0.001);
        const Said said = saidOf(
            loaded(run, {{"gpus.csv", run.samples("kit", ranks, {.from = 0, .to = 20}, [](int, double) {
                              return Sample{};
                          })}}));
        QVERIFY(said.hardware.empty());
        // Throttled all the time.
        std::string text = run.samples("kit", ranks, {.from = 0, .to = 0.0001}, [](int gpu, double) {
            return gpu == 3 ? Sample{.clock = 1215, .reasons = 0x4} : Sample{};
        });
        const std::size_t line = text.find('\n') + 1;
        const std::string rows = text.substr(line);
        for (int second = -20; second <= 20; ++second) {
            if (second == 0)
                continue;
            std::string more = rows;
            const std::string own = std::to_string(hardwareRunBeginNs),
                              other
                = std::to_string(hardwareRunBeginNs + second * std::int64_t{1'000'000'000});
            for (std::size_t at = more.find(own); at != std::string::npos; at = more.find(own, at + 1))
                more.replace(at, own.size(), other);
            text += more;
        }
        const Said coarse = saidOf(loaded(run, {{"gpus.csv", text}}));
        QVERIFY2(!coarse.slowKernels.empty() && !has(coarse.slowKernels, "MHz"), coarse.slowKernels.c_str());
        QVERIFY2(coarse.hardware.size() == 1 && has(coarse.hardware.front().title, "too few to explain them"),
                 coarse.all.c_str());
        const std::string verdict = coarse.why.substr(0, coarse.why.find('\n'));
        QVERIFY2(!has(verdict, "MHz"), coarse.why.c_str());
        QVERIFY2(has(coarse.why, "Such samples do not show what happened within"), coarse.why.c_str());
        // A tool that samples ten times a second and prints whole seconds tells no more.
        std::string often = text.substr(0, line);
        for (std::size_t at = line; at < text.size();) {
            const std::size_t end = text.find('\n', at) + 1;
            for (int i = 0; i < 10; ++i)
                often += text.substr(at, end - at);
            at = end;
        }
        const Said same = saidOf(loaded(run, {{"gpus.csv", often}}));
        QVERIFY2(!same.slowKernels.empty() && !has(same.slowKernels, "MHz"), same.slowKernels.c_str());
        QVERIFY2(same.hardware.size() == 1
                     && has(same.hardware.front().title,
                            "410 samples of the record, their times 1 s apart; only 10 of them"),
                 same.all.c_str());
        QVERIFY2(has(same.why, "Such samples do not show what happened within"), same.why.c_str());
    }

    /// A record of another time explains nothing, and that is said.
    void recordsOfAnotherTime()
    {
        HardwareRun run(ranks, 3);
        for (const std::string tool : {"kit", "exporter", "dcgmi", "amd"}) {
            HardwareRun::Times times;
            times.from = 300;
            times.to = 400;
            std::string text = run.samples(tool, ranks, times, [](int, double) { return Sample{}; });
            for (std::string::size_type at = 0; (at = text.find("345", at)) != std::string::npos; at += 3)
                text.replace(at, 3, "315");
            const Said said = saidOf(loaded(run, {{fileOf(tool), text}}));
            QVERIFY2(said.hardware.empty() && !has(said.all, "MHz"), said.all.c_str());
            QVERIFY2(std::any_of(said.warnings.begin(), said.warnings.end(),
                                 [](const std::string& warning) { return has(warning, "of another time"); }),
                     tool.c_str());
        }
    }

    /// Local times without a zone: one zone puts a short record beside the traces, many a long one.
    void zonesOfLocalTimes()
    {
        HardwareRun run(ranks, 3);
        const auto slow
            = [](int gpu, double) { return gpu == 3 ? Sample{.clock = 1215, .reasons = 0x40} : Sample{}; };
        const Said guessed
            = saidOf(loaded(run, {{"gpus.csv", run.samples("smi", ranks, {.zoneHours = 5.5}, slow)}}));
        QVERIFY2(guessed.hardware.size() == 1
                     && has(guessed.hardware.front().title, "UTC+05:30, the only zone"),
                 guessed.all.c_str());
        QVERIFY2(has(guessed.slowKernels, "1,215 MHz") && has(guessed.slowKernels, "UTC+05:30"),
                 guessed.slowKernels.c_str());
        // More than two hours of samples: several zones fit.
        const Said unknown = saidOf(loaded(
            run,
            {{"gpus.csv", run.samples("smi", ranks, {.from = -4000, .to = 4000, .zoneHours = -8}, slow)}}));
        QVERIFY2(unknown.hardware.empty()
                     || has(unknown.all, "cannot be told, because its times have no zone"),
                 unknown.all.c_str());
        QVERIFY2(!has(unknown.slowKernels, "MHz") && !has(unknown.why, "MHz"), unknown.why.c_str());
    }

    /// Twice as many GPUs as ranks: CUDA may count others of them than the driver does.
    void ranksThatCannotBeTold()
    {
        HardwareRun run(ranks, 3);
        const Said said
            = saidOf(loaded(run, {{"gpus.csv", run.samples("kit", 2 * ranks, {}, [](int gpu, double) {
                                       return gpu == 3 ? Sample{.clock = 1215, .reasons = 0x40} : Sample{};
                                   })}}));
        QVERIFY2(said.hardware.size() == 1 && said.hardware.front().ranks.empty()
                     && has(said.all, "(the files do not tell of which rank)"),
                 said.all.c_str());
        QVERIFY2(!has(said.slowKernels, "MHz"), said.slowKernels.c_str());
    }

    /// What the chart shows: the curves of each GPU on the axis of the traces, and what held one back.
    void curves()
    {
        HardwareRun run(ranks, 3);
        const auto throttled = [](int gpu, double at) {
            return gpu == 3 && at >= 10 && at < 20 ? Sample{.clock = 1215, .reasons = 0x48} : Sample{};
        };
        const TraceModelPtr model
            = loaded(run,
                     {{"gpus.csv", run.samples("kit", ranks, {}, throttled)},
                      {"kern.log",
                       HardwareRun::clockText(12, 0, "%Y-%m-%dT%H:%M:%S.5+00:00 node07 kernel: ")
                           + "NVRM: Xid (PCI:0000:4b:00): 79, GPU has fallen off the bus.\n"
                             "[   77.000001] NVRM: Xid (PCI:0000:3b:00): 31, at an unknown time\n"}});
        QVERIFY(model && hasGpuCounters(*model));
        const auto gpus = sampledGpus(model, 8, [] { return false; });
        QCOMPARE(gpus->size(), static_cast<std::size_t>(ranks));
        const SampledGpu& gpu = (*gpus)[3];
        QVERIFY(gpu.isOfRank && gpu.rank == 3 && gpu.label == "GPU 3 of node07");
        QCOMPARE(gpu.groups.front().name, std::string("SM clock"));
        const SampledCurve& clock = gpu.counters[gpu.groups.front().counters.front()].samples;
        // The sample at 15 s covers the second before it.
        const std::int64_t zeroNs = hardwareRunBeginNs - model->axisZeroNs;
        const auto sample = clock.sampleAt(zeroNs + 14'500'000'000);
        QVERIFY(sample && clock.value(*sample) == 1215);
        QVERIFY(clock.value(*clock.sampleAt(zeroNs + 5'500'000'000)) == 1980);
        // Throttled from the sample at 10 s to that at 19 s, and one error in between.
        QCOMPARE(gpu.remarks.size(), std::size_t{2});
        QCOMPARE(gpu.remarks[0].range, (TimeRange{zeroNs + 9'000'000'000, zeroNs + 19'000'000'000}));
        QCOMPARE(gpu.remarks[0].text, std::string("throttled: hardware slowdown, hardware thermal slowdown"));
        QVERIFY(gpu.remarks[1].isMoment && gpu.remarks[1].text == "Xid 79: GPU has fallen off the bus");
        QVERIFY((*gpus)[2].remarks.empty());
        // Nothing is drawn of a record of another time.
        QVERIFY(!hasGpuCounters(
            *loaded(run, {{"gpus.csv", run.samples("kit", ranks, {.from = 300, .to = 400}, throttled)}})));
    }

    /// An error of three weeks ago, and one whose time is not known.
    void errorsOfOtherTimes()
    {
        HardwareRun run(ranks, -1);
        const std::string xid = "NVRM: Xid (PCI:0000:1b:00): 79, GPU has fallen off the bus.\n";
        const Said old = saidOf(loaded(run, {{"kern.log", "2023-10-20T03:00:00,1+00:00 " + xid}}));
        QVERIFY2(old.hardware.empty() && old.warnings.size() == 1, old.all.c_str());
        for (const std::string prefix :
             {"[12345.678901] ", "Nov 14 22:13:25 node07 kernel: ", "[Tue Nov 14 17:13:25 2023] "}) {
            const Said unknown = saidOf(loaded(run, {{"kern.log", prefix + xid}}));
            QVERIFY2(unknown.hardware.size() == 1
                         && has(unknown.all, "whether during the traces cannot be told, because the log")
                         && !has(unknown.why, "Xid"),
                     (prefix + unknown.all + unknown.why).c_str());
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestHardwareTrouble)
#include "tst_hardware_trouble.moc"
