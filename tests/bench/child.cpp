// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/bench/child.h"

#include "app/runtime/memory_policy.h"
#include "app/runtime/thread_pool.h"
#include "metrics/core/metric.h"
#include "model/readers/run/load_trace.h"
#include "tests/support/suite/model_digest.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QProcess>

#include <chrono>
#include <cstdio>
#include <fstream>

namespace collscope::bench {

namespace {

/// A figure of /proc/self/status, in bytes. getrusage() would count the parent's peak, too.
std::uint64_t ownStatus(const char* key)
{
    std::ifstream status("/proc/self/status");
    std::string word;
    std::uint64_t kilobytes = 0;
    while (status >> word) {
        if (word == key)
            status >> kilobytes;
    }
    return kilobytes * 1024;
}

} // namespace

std::uint64_t peakBytes()
{
    return ownStatus("VmHWM:");
}

std::uint64_t residentBytes()
{
    return ownStatus("VmRSS:");
}

QJsonObject answerOfChild(const QStringList& arguments, const QString& simdjsonKernel)
{
    QProcess process;
    if (!simdjsonKernel.isEmpty()) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("SIMDJSON_FORCE_IMPLEMENTATION"), simdjsonKernel);
        process.setProcessEnvironment(environment);
    }
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process.start(QCoreApplication::applicationFilePath(), arguments);
    constexpr int longestMs = 600'000;
    if (!process.waitForFinished(longestMs) || process.exitCode() != 0)
        qFatal("the measuring process failed");
    return QJsonDocument::fromJson(process.readAllStandardOutput()).object();
}

ChildResult measureInChild(int threads, bool overlap, const QStringList& paths, const QString& simdjsonKernel)
{
    const QStringList arguments{QStringLiteral("--child"), QString::number(threads),
                                overlap ? QStringLiteral("overlap") : QStringLiteral("load")};
    const QJsonObject answer = answerOfChild(arguments + paths, simdjsonKernel);
    return {answer[QStringLiteral("seconds")].toDouble(),
            static_cast<std::uint64_t>(answer[QStringLiteral("peak_bytes")].toDouble()),
            static_cast<std::uint64_t>(answer[QStringLiteral("events")].toDouble()),
            answer[QStringLiteral("digest")].toString()};
}

int runChild(const QStringList& arguments)
{
    using Clock = std::chrono::steady_clock;
    giveFreedMemoryBack();
    const int threads = arguments.value(0).toInt();
    const bool overlap = arguments.value(1) == QStringLiteral("overlap");
    std::vector<std::string> paths;
    for (const QString& path : arguments.mid(2))
        paths.push_back(path.toStdString());
    TraceModelPtr model;
    const auto begin = Clock::now();
    if (!paths.empty()) {
        const auto plan = planLoad(paths, {});
        LoadContext context;
        context.parallel = threadPool(threads);
        if (plan) {
            if (auto loaded = loadTrace(*plan, context))
                model = *loaded;
        }
        if (!model)
            return 1;
        if (overlap)
            evaluate(*model, *findMetric("comm_comp_overlap"), MetricOptions());
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    std::printf("{\"seconds\": %.6f, \"peak_bytes\": %lld, \"events\": %llu, \"digest\": \"%s\"}\n", seconds,
                static_cast<long long>(peakBytes()),
                static_cast<unsigned long long>(model ? model->eventCount() : 0),
                model ? modelDigest(*model).c_str() : "");
    return 0;
}

} // namespace collscope::bench
