// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Loading to a complete model: depth, flow links, collectives and steps included.

#include "tests/bench/child.h"
#include "tests/bench/kineto_generator.h"
#include "tests/bench/nsys_generator.h"
#include "tests/bench/references.h"
#include "tests/bench/suites.h"
#include "tests/support/workloads/run_writer.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QProcess>

#include <fstream>
#include <iterator>

namespace collscope::bench {

namespace {

/// Medians over the runs of one measurement.
struct Measured
{
    double seconds = 0;
    double ratio = 0; ///< reference seconds / seconds, each pair taken one after the other
    double bytesPerEvent = 0; ///< peak memory over an empty process
    QString digest;
};

struct LoadTask
{
    int threads = 1;
    bool overlap = false;
    QStringList paths;
};

/// Machines get slower and faster while they are measured: each run is compared with a reference beside it.
/// `referenceSeconds` receives the reference's median.
std::vector<Measured> measure(const Settings& settings, const std::vector<LoadTask>& tasks,
                              const Reference& reference, double& referenceSeconds)
{
    struct Samples
    {
        std::vector<double> seconds, ratios, bytesPerEvent;
    };
    std::vector<Samples> samples(tasks.size());
    std::vector<Measured> results(tasks.size());
    std::vector<double> references;
    reference(); // warms caches and grows buffers
    for (int run = 0; run < settings.runs; ++run) {
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            references.push_back(reference());
            const ChildResult loaded = measureInChild(tasks[i].threads, tasks[i].overlap, tasks[i].paths);
            const ChildResult empty = measureInChild(tasks[i].threads, false, {});
            samples[i].seconds.push_back(loaded.seconds);
            samples[i].ratios.push_back(references.back() / loaded.seconds);
            samples[i].bytesPerEvent.push_back(
                (static_cast<double>(loaded.peakBytes) - static_cast<double>(empty.peakBytes))
                / static_cast<double>(loaded.events));
            results[i].digest = loaded.digest;
        }
    }
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        results[i].seconds = median(samples[i].seconds);
        results[i].ratio = median(samples[i].ratios);
        results[i].bytesPerEvent = median(samples[i].bytesPerEvent);
    }
    referenceSeconds = median(references);
    return results;
}

/// A figure of loading beside its reference; `required` = 0: shown, not judged.
void addShare(Report& report, const Settings& settings, const QString& suite, const LoadTask& task,
              const Measured& measured, const QString& prefix, double amount, const QString& unit,
              const QString& reference, double required, const QString& goal)
{
    const QString threads
        = task.threads == 1 ? QStringLiteral("1 thread") : QStringLiteral("%1 threads").arg(task.threads);
    const bool judged = required > 0 && !settings.smoke;
    report.add({suite, prefix + threads, amount / measured.seconds, unit, reference, measured.ratio,
                required > 0 ? goal : QString(),
                judged ? std::optional(measured.ratio >= required) : std::nullopt});
}

void addMemory(const Settings& settings, Report& report, const QString& suite, const QString& name,
               double bytesPerEvent)
{
    report.add({suite, name + QStringLiteral(", peak memory"), bytesPerEvent, QStringLiteral("B/event"),
                QStringLiteral("over an empty process"), std::nullopt, QStringLiteral("<= 55 / 45"),
                settings.smoke ? std::nullopt : std::optional(bytesPerEvent <= 55)});
}

/// The same model whatever instructions simdjson uses.
void checkKernels(const QString& path, const QString& digest, Report& report)
{
    for (const std::string& kernel : simdjsonKernels()) {
        if (measureInChild(1, false, {path}, QString::fromStdString(kernel)).digest != digest)
            report.fail(QStringLiteral("simdjson's kernel %1 gives another model")
                            .arg(QString::fromStdString(kernel)));
    }
}

} // namespace

QString kinetoFile(const Settings& settings, const QString& name, int megabytes, int rank, int ranks)
{
    QString path = QDir(settings.folder).filePath(name);
    if (!QFileInfo::exists(path)) {
        QDir().mkpath(QFileInfo(path).path());
        constexpr std::uint64_t megabyte = 1'000'000;
        writeKinetoTrace(path.toStdString(),
                         {static_cast<std::uint64_t>(megabytes) * megabyte, rank, ranks, 1});
    }
    return path;
}

void measureLoad(const Settings& settings, Report& report)
{
    const QString suite = QStringLiteral("Load, one rank");
    const std::vector<int> sizes = settings.smoke ? std::vector<int>{6} : std::vector<int>{20, 250, 1000};
    for (const int size : sizes) {
        const QString path
            = kinetoFile(settings, QStringLiteral("%1MB/rank0_trace.json").arg(size), size, 0, 1);
        const auto megabytes = static_cast<double>(QFileInfo(path).size()) / 1e6;
        const std::vector<LoadTask> tasks{{1, false, {path}}, {2, false, {path}}};
        const double memory = memoryRead(path.toStdString())();
        double iterate = 0;
        const auto measured = measure(settings, tasks, simdjsonIterate(path.toStdString()), iterate);
        const QString prefix = QStringLiteral("%1 MB, ").arg(size);
        report.add({suite, prefix + QStringLiteral("simdjson on-demand iterate"), megabytes / iterate,
                    QStringLiteral("MB/s"), QStringLiteral("memory read"), memory / iterate});
        // 20 MB is over in a few milliseconds: shown, not judged.
        const bool judged = size >= 250;
        addShare(report, settings, suite, tasks[0], measured[0], prefix, megabytes, QStringLiteral("MB/s"),
                 QStringLiteral("simdjson iterate"), judged ? 0.16 : 0, QStringLiteral(">= 0.16 / 0.20"));
        addShare(report, settings, suite, tasks[1], measured[1], prefix, megabytes, QStringLiteral("MB/s"),
                 QStringLiteral("simdjson iterate"), judged ? 0.30 : 0, QStringLiteral(">= 0.30 / 0.38"));
        if (judged || settings.smoke)
            addMemory(settings, report, suite, prefix + QStringLiteral("2 threads"),
                      measured[1].bytesPerEvent);
        if (measured[0].digest != measured[1].digest)
            report.fail(QStringLiteral("one and two threads give different models"));
        if (size == sizes.front())
            checkKernels(path, measured[0].digest, report);
    }
}

void measureGzip(const Settings& settings, Report& report)
{
    const QString suite = QStringLiteral("Load, gzip");
    const int size = settings.smoke ? 6 : 250;
    const QString plain = kinetoFile(settings, QStringLiteral("%1MB/rank0_trace.json").arg(size), size, 0, 1);
    const QString packed
        = QDir(settings.folder).filePath(QStringLiteral("%1MBgz/rank0_trace.json.gz").arg(size));
    if (!QFileInfo::exists(packed)) {
        QDir().mkpath(QFileInfo(packed).path());
        std::ifstream text(plain.toStdString(), std::ios::binary);
        writeFile(
            packed.toStdString(),
            gzipped(std::string(std::istreambuf_iterator<char>(text), std::istreambuf_iterator<char>())));
    }
    const auto inflatedBytes = static_cast<std::uint64_t>(QFileInfo(plain).size());
    const double megabytes = static_cast<double>(inflatedBytes) / 1e6;
    const std::vector<LoadTask> tasks{{1, false, {packed}}, {2, false, {packed}}};
    double inflate = 0;
    const auto measured
        = measure(settings, tasks, libdeflateInflate(packed.toStdString(), inflatedBytes), inflate);
    report.add({suite, QStringLiteral("libdeflate inflate"), megabytes / inflate, QStringLiteral("MB/s")});
    const QString reference = QStringLiteral("libdeflate inflate");
    addShare(report, settings, suite, tasks[0], measured[0], {}, megabytes, QStringLiteral("MB/s"), reference,
             0, {});
    addShare(report, settings, suite, tasks[1], measured[1], {}, megabytes, QStringLiteral("MB/s"), reference,
             0.40, QStringLiteral(">= 0.40 / 0.50"));
    const QString expected = measureInChild(1, false, {plain}).digest;
    if (measured[0].digest != expected || measured[1].digest != expected)
        report.fail(QStringLiteral("plain and gzip give different models"));
}

void measureRanks(const Settings& settings, Report& report)
{
    const QString suite = QStringLiteral("Load, 8 ranks, with the overlap metric");
    const int size = settings.smoke ? 2 : 97;
    const QString folder = QDir(settings.folder).filePath(QStringLiteral("8x%1MB").arg(size));
    double megabytes = 0;
    QStringList files;
    for (int rank = 0; rank < 8; ++rank) {
        files << kinetoFile(settings, QStringLiteral("8x%1MB/rank%2_trace.json").arg(size).arg(rank), size,
                            rank, 8);
        megabytes += static_cast<double>(QFileInfo(files.back()).size()) / 1e6;
    }
    const Reference prototype = [&] {
        if (settings.prototype.isEmpty())
            return 0.0;
        QProcess process;
        process.setStandardOutputFile(QProcess::nullDevice());
        process.setStandardErrorFile(QProcess::nullDevice());
        QElapsedTimer timer;
        timer.start();
        process.start(settings.prototype, QStringList{QStringLiteral("-t"), QStringLiteral("2")} + files);
        process.waitForFinished(-1);
        return static_cast<double>(timer.nsecsElapsed()) / 1e9;
    };
    double prototypeSeconds = 0;
    const auto measured = measure(settings, {{2, true, {folder}}}, prototype, prototypeSeconds);
    Figure figure{suite, QStringLiteral("2 threads"), megabytes / measured[0].seconds,
                  QStringLiteral("MB/s")};
    if (!settings.prototype.isEmpty()) {
        figure.reference = QStringLiteral("the prototype's time");
        figure.ratio = 1 / measured[0].ratio;
        figure.goal = QStringLiteral("<= 2.0 / 1.6");
        figure.met = *figure.ratio <= 2.0;
    }
    report.add(figure);
    addMemory(settings, report, suite, QStringLiteral("2 threads"), measured[0].bytesPerEvent);
}

void measureNsys(const Settings& settings, Report& report)
{
    const QString suite = QStringLiteral("Load, Nsight Systems SQLite");
    const std::uint64_t kernels = settings.smoke ? 20'000 : 2'000'000;
    const QString path = QDir(settings.folder).filePath(QStringLiteral("nsys%1/report.sqlite").arg(kernels));
    if (!QFileInfo::exists(path)) {
        QDir().mkpath(QFileInfo(path).path());
        writeNsysExport(path.toStdString(), kernels);
    }
    const double rows = static_cast<double>(kernels) / 1e6;
    const std::vector<LoadTask> tasks{{1, false, {path}}, {2, false, {path}}};
    double scan = 0;
    const auto measured = measure(settings, tasks, sqliteScan(path.toStdString()), scan);
    report.add({suite, QStringLiteral("bare sqlite3 scan of the same columns"), rows / scan,
                QStringLiteral("Mrow/s")});
    for (std::size_t i = 0; i < tasks.size(); ++i)
        addShare(report, settings, suite, tasks[i], measured[i], {}, rows, QStringLiteral("Mrow/s"),
                 QStringLiteral("bare scan"), i == 1 ? 0.60 : 0, QStringLiteral(">= 0.60 / 0.80"));
}

} // namespace collscope::bench
