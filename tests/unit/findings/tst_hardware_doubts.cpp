// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a record of the hardware does not show is not said of it: guessed zones, gaps, rows of several nodes,
// and devices that need not be broken.

#include "tests/support/runs/findings_of.h"
#include "tests/support/runs/hardware_run.h"
#include "tests/support/suite/suite.h"

#include <algorithm>

namespace collscope {

namespace {

using Sample = HardwareRun::Sample;
using Files = std::vector<std::pair<std::string, std::string>>;
constexpr int gpus = 8;

struct Said
{
    std::vector<Finding> hardware;
    std::string titles;
    std::string warnings;
};

Said saidOf(HardwareRun& run, const Files& files)
{
    RunFolder folder;
    run.run().write(folder.path("run"));
    for (const auto& [name, text] : files)
        folder.write("run/" + name, text);
    const TraceModelPtr model = folder.load("run");
    Said said;
    if (!model)
        return said;
    const Findings findings = findingsOf(*model);
    for (const Finding& finding : findings.all) {
        if (finding.kind != FindingKind::HardwareTrouble)
            continue;
        said.titles += finding.title + "\n";
        said.hardware.push_back(finding);
    }
    for (const std::string& warning : findings.warnings)
        said.warnings += warning + "\n";
    return said;
}

bool has(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

bool isToldToRemove(const Finding& finding)
{
    return has(adviceFor(finding), "Take this GPU or node out");
}

/// nvidia-smi without what tells GPUs of several nodes apart; rows of two nodes if `ofSecond` counts.
std::string namelessText(const HardwareRun& run, double zoneHours,
                         const std::function<int(int gpu, double at)>& errors,
                         const std::function<int(int gpu)>& ofSecond = {})
{
    std::string text = "timestamp, index, clocks.current.sm [MHz], utilization.gpu [%], "
                       "ecc.errors.uncorrected.volatile.total\n";
    for (double at = -5; at < run.seconds() + 5; at += 1) {
        const std::string when = HardwareRun::clockText(at, zoneHours, "%Y/%m/%d %H:%M:%S.000, ");
        for (int gpu = 0; gpu < gpus; ++gpu) {
            const std::string front = when + std::to_string(gpu) + ", 1980 MHz, 100 %, ";
            text += front + std::to_string(errors(gpu, at)) + "\n";
            if (ofSecond)
                text += front + std::to_string(ofSecond(gpu)) + "\n";
        }
    }
    return text;
}

std::string xidText(std::string_view prefix, int code)
{
    return std::string(prefix) + "NVRM: Xid (PCI:0000:6b:00): " + std::to_string(code)
        + ", pid=4242, name=python, something happened.\n";
}

} // namespace

class TestHardwareDoubts : public QObject
{
    Q_OBJECT

private slots:
    /// A record that may be of the time of the traces is not compared with one that is of another time.
    void peersOfAnotherTime()
    {
        HardwareRun run(gpus, -1);
        // More than an hour: several zones fit.
        std::string own = "timestamp, index, clocks.current.sm [MHz], utilization.gpu [%]\n";
        for (int at = -4000; at < 4000; at += 60)
            own += HardwareRun::clockText(at, 1, "%Y/%m/%d %H:%M:%S.000, ") + "0, 1215 MHz, 100 %\n";
        const auto others = [](double from) {
            std::string text = "timestamp_unix_ns,host,index,clocks.current.sm [MHz],utilization.gpu [%]\n";
            for (int at = 0; at < 30; ++at) {
                const std::int64_t ns = hardwareRunBeginNs + static_cast<std::int64_t>((from + at) * 1e9);
                for (int gpu = 1; gpu < gpus; ++gpu)
                    text += std::to_string(ns) + ",node07," + std::to_string(gpu) + ",1980,100\n";
            }
            return text;
        };
        const Said same = saidOf(run, {{"smi_node07.csv", own}, {"kit.csv", others(0)}});
        QVERIFY2(same.hardware.size() == 1 && has(same.titles, "ran at 1,215 MHz, the others at 1,980 MHz")
                     && has(same.titles, "whether during the traces cannot be told"),
                 same.titles.c_str());
        const Said later = saidOf(run, {{"smi_node07.csv", own}, {"kit.csv", others(90'000)}});
        QVERIFY2(later.hardware.empty() && has(later.warnings, "of another time"),
                 (later.titles + later.warnings).c_str());
    }
    /// Counters of local times hold only if the guessed zone does; a zone that nobody has is not guessed.
    void guessedZonesOfCounters()
    {
        HardwareRun run(gpus, -1);
        const auto errors = [](int gpu, double at) { return gpu == 6 && at > 10 ? 3 : 0; };
        for (const double zone : {3.0, -3.5, 5.75}) {
            const Said said = saidOf(run, {{"smi_node07.csv", namelessText(run, zone, errors)}});
            QVERIFY2(said.hardware.size() == 1 && said.hardware.front().isEstimated, said.titles.c_str());
            QVERIFY2(has(said.titles,
                         "counted 3 uncorrectable ECC errors during the traces, if the times of "
                         "the record are UTC"),
                     said.titles.c_str());
        }
        for (const double zone : {2.25, 9.75, -6.5}) {
            const Said said = saidOf(run, {{"smi_node07.csv", namelessText(run, zone, errors)}});
            QVERIFY2(said.hardware.empty() && has(said.warnings, "of another time"),
                     (said.titles + said.warnings).c_str());
        }
        const Said stated = saidOf(run, {{"gpus.csv", run.samples("kit", gpus, {}, [](int gpu, double at) {
                                              return Sample{.uncorrected = gpu == 6 && at > 10 ? 3 : 0};
                                          })}});
        QVERIFY2(!stated.hardware.empty() && !stated.hardware.front().isEstimated
                     && has(stated.titles, "uncorrectable ECC errors during the traces."),
                 stated.titles.c_str());
    }

    /// Errors between a sample hours before the traces and the next one need not be of the traces.
    void gaps()
    {
        HardwareRun run(gpus, -1);
        const std::string early
            = run.samples("kit", gpus, {.from = -10'800, .to = -10'800 - run.seconds() + 1}, {});
        const std::string later = run.samples("kit", gpus, {.from = 0, .to = -1}, [](int gpu, double) {
            return Sample{.uncorrected = gpu == 2 ? 40 : 0};
        });
        const Said said = saidOf(run, {{"gpus.csv", early + later.substr(later.find('\n') + 1)}});
        QVERIFY2(
            said.hardware.size() == 1 && has(said.titles, "counted 40 uncorrectable ECC errors between ")
                && has(said.titles, "19:13:21")
                && has(said.titles, "whether during the traces cannot be told, because the record has a gap"),
            said.titles.c_str());
    }

    /// Two nodes wrote into one file.
    void rowsOfSeveralNodes()
    {
        HardwareRun run(gpus, -1);
        const auto none = [](int, double) { return 0; };
        const Said said = saidOf(
            run, {{"smi.csv", namelessText(run, 0, none, [](int gpu) { return gpu == 2 ? 3 : 0; })}});
        QVERIFY2(said.hardware.empty() && has(said.warnings, "`smi.csv` is not used"),
                 (said.titles + said.warnings).c_str());
        // A counter that starts again once is that of a GPU that was reset.
        const Said reset = saidOf(run, {{"smi_node07.csv", namelessText(run, 0, [](int gpu, double at) {
                                             return gpu != 2 ? 0 : at < 5 ? 7 : at < 10 ? 0 : 2;
                                         })}});
        QVERIFY2(has(reset.titles, "counted 2 uncorrectable ECC errors"), reset.titles.c_str());
    }

    /// What all GPUs or most of them share is said once, of all of them.
    void allGpusAreHot()
    {
        HardwareRun run(gpus, -1);
        for (const int hot : {8, 5}) {
            const Said said
                = saidOf(run, {{"gpus.csv", run.samples("kit", gpus, {}, [&](int gpu, double) {
                                    return gpu < hot
                                        ? Sample{.clock = 1215, .temperature = 91, .reasons = 0x48}
                                        : Sample{.clock = 1215};
                                })}});
            const std::string words = hot == 8 ? "All 8 sampled GPUs were throttled, together in "
                                               : "5 of the 8 sampled GPUs were throttled, together in ";
            QVERIFY2(said.hardware.size() == 1 && has(said.titles, words)
                         && has(said.titles, "hardware thermal slowdown, up to 91 °C"),
                     said.titles.c_str());
            QCOMPARE(said.hardware.front().ranks.size(), static_cast<std::size_t>(hot));
            QVERIFY(!isToldToRemove(said.hardware.front()) && !adviceFor(said.hardware.front()).empty());
        }
    }

    /// Only a device that may be broken is to be taken out.
    void adviceByCause()
    {
        HardwareRun run(gpus, -1);
        const auto adviceOf = [&](const Sample& ofSecond, const std::string& log) {
            const Said said
                = saidOf(run,
                         {{"gpus.csv",
                           run.samples("kit", gpus, {.from = 0, .to = -1},
                                       [&](int gpu, double at) {
                                           Sample sample = gpu == 5 ? ofSecond : Sample{};
                                           sample.replays = at > 10 ? sample.replays : 5;
                                           return sample;
                                       })},
                          {"kern.log", "2023-11-14T20:00:00+00:00 node07 kernel: NVRM: loading\n" + log}});
            return said.hardware.size() == 1 ? std::string(adviceFor(said.hardware.front()))
                                             : "not one finding:\n" + said.titles;
        };
        const std::string front = "2023-11-14T22:13:40+00:00 node07 kernel: ";
        const auto expect = [](const std::string& advice, std::string_view words) {
            QVERIFY2(has(advice, words), advice.c_str());
        };
        expect(adviceOf({.clock = 1215, .reasons = 0x2}, {}), "reset them (nvidia-smi -rgc");
        expect(adviceOf({.clock = 1215, .reasons = 0x42}, {}), "Take this GPU or node out");
        expect(adviceOf({}, xidText(front, 31)), "mistake in the program");
        expect(adviceOf({}, xidText(front, 79)), "Take this GPU or node out");
        expect(adviceOf({}, xidText(front, 31) + xidText(front, 79)), "Take this GPU or node out");
        expect(adviceOf({.replays = 6}, {}), "keeps rising");
    }

    /// dmesg and the journal of a node tell of the same errors.
    void errorsInTwoLogs()
    {
        HardwareRun run(gpus, -1);
        const std::string samples = run.samples("kit", gpus, {}, [](int, double) { return Sample{}; });
        const auto both = [&](int errors) {
            std::string dmesg, journal;
            for (int error = 0; error < errors; ++error) {
                const std::string second = "2023-11-14T22:13:4" + std::to_string(2 * error);
                dmesg += xidText(second + ",250000+00:00 ", 74);
                journal += xidText(second + "+0000 node07 kernel: ", 74);
            }
            return saidOf(
                run, {{"gpus.csv", samples}, {"dmesg_node07.txt", dmesg}, {"journal_node07.txt", journal}});
        };
        const Said one = both(1), three = both(3);
        QVERIFY2(one.hardware.size() == 1 && one.hardware.front().count == 1 && !has(one.titles, "times"),
                 one.titles.c_str());
        QVERIFY2(three.hardware.size() == 1 && has(three.titles, " 3 times, first at "),
                 three.titles.c_str());
        // Two errors within a second of one log are two.
        const Said twice = saidOf(run,
                                  {{"gpus.csv", samples},
                                   {"dmesg_node07.txt",
                                    xidText("2023-11-14T22:13:40,250000+00:00 ", 74)
                                        + xidText("2023-11-14T22:13:40,750000+00:00 ", 74)}});
        QVERIFY2(has(twice.titles, " 2 times, first at "), twice.titles.c_str());
    }

    /// A month in the language of the node is a time, although it cannot be read.
    void unreadableTimes()
    {
        HardwareRun run(gpus, -1);
        const Said said
            = saidOf(run,
                     {{"gpus.csv", run.samples("kit", gpus, {}, [](int, double) { return Sample{}; })},
                      {"kern.txt",
                       "Nov 14 22:13:30 node07 kernel: NVRM: loading NVIDIA UNIX x86_64 Kernel Module  550\n"
                           + xidText("Mär 14 22:13:40 node07 kernel: ", 79)}});
        QVERIFY2(has(said.titles, "because the log has no time that can be read for it"),
                 said.titles.c_str());
        QVERIFY2(!has(said.titles, "has no times"), said.titles.c_str());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestHardwareDoubts)
#include "tst_hardware_doubts.moc"
