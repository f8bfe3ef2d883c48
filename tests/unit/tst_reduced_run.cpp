// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A run that tasks reduce and a merge puts together gives the very numbers of one process that loads all of
// it.

#include "metrics/analysis.h"
#include "metrics/export/report.h"
#include "metrics/kept_events.h"
#include "model/readers/load_trace.h"
#include "model/readers/reduced_run.h"
#include "tests/support/data_folders.h"
#include "tests/support/planted_run.h"
#include "tests/support/run_folder.h"
#include "tests/support/suite.h"

#include <filesystem>

namespace collscope {

namespace fs = std::filesystem;

namespace {

constexpr const char* version = "1.2.3";

/// Every metric as JSON, its rows as CSV, and what it counted as text.
QStringList numbersOf(const TraceModel& model)
{
    Analysis analysis(model, {});
    std::vector<NamedResult> results;
    for (const MetricDescriptor* metric : allMetrics()) {
        MetricRequest request{std::string(metric->id), metric, metric->unit};
        MetricResult result = evaluate(analysis, request);
        results.push_back({std::move(request), std::move(result)});
    }
    QString text = QString::fromStdString(resultsJson(results) + resultsCsv(results));
    for (const NamedResult& named : results)
        text += QString::fromStdString(explanationText(named));
    return text.split(QLatin1Char('\n'));
}

QString difference(const QStringList& one, const QStringList& other)
{
    QString text;
    for (qsizetype i = 0; i < std::max(one.size(), other.size()); ++i) {
        if (one.value(i) != other.value(i))
            text += QStringLiteral("\n- %1\n+ %2").arg(one.value(i), other.value(i));
        if (text.size() > 4000)
            break;
    }
    return text;
}

} // namespace

class TestReducedRun : public QObject
{
    Q_OBJECT

private:
    const RunFolder m_folder;
    int m_runs = 0;

    /// Reduces a run in so many tasks; the folder of the parts.
    std::string reduce(const std::string& run, std::uint32_t tasks, Kept kept = Kept::WhatMetricsRead)
    {
        const auto plan = planLoad({run}, {});
        if (!plan)
            return {};
        const std::string name = "parts" + std::to_string(++m_runs) + "/";
        const std::string text = planText(reducePlan(*plan, tasks, kept, version));
        m_folder.write(name + std::string(planName), text);
        for (std::uint32_t task = 0; task < tasks; ++task)
            reduceTask(name, text, task);
        return m_folder.path(name);
    }
    void reduceTask(const std::string& folder, const std::string& text, std::uint32_t task) const
    {
        const auto plan = parsePlan(text);
        const auto part
            = partOfTask(filesOfTask(*plan, task), planHash(text), task, {}, [&](TraceFragment& fragment) {
                  if (plan->kept == Kept::WhatMetricsRead)
                      keepWhatMetricsRead(fragment);
              });
        m_folder.write(folder + partName(task, planHash(text)), part->bytes);
    }
    static std::vector<fs::path> partsIn(const std::string& folder)
    {
        std::vector<fs::path> parts;
        for (const auto& entry : fs::directory_iterator(folder)) {
            if (entry.path().extension() == partEnding)
                parts.push_back(entry.path());
        }
        std::sort(parts.begin(), parts.end());
        return parts;
    }

private slots:
    void mergesToTheNumbersOfOneProcess_data()
    {
        QTest::addColumn<QString>("run");
        for (const std::uint64_t seed : {3u, 11u, 29u}) {
            const std::string folder = m_folder.path("planted" + std::to_string(seed));
            fs::create_directories(folder);
            writePlanted(plannedBy(seed), folder);
            QTest::addRow("planted %d", static_cast<int>(seed)) << QString::fromStdString(folder);
        }
        for (const QString& base :
             {oracleFolder() + QStringLiteral("/inputs"), tracesFolder() + QStringLiteral("/multirank"),
              tracesFolder() + QStringLiteral("/kineto"), tracesFolder() + QStringLiteral("/nsys_sqlite"),
              tracesFolder() + QStringLiteral("/odd")}) {
            std::error_code error;
            for (const auto& entry : fs::directory_iterator(base.toStdString(), error)) {
                const auto& path = entry.path();
                QTest::newRow((path.parent_path().filename() / path.filename()).c_str())
                    << QString::fromStdString(path.string());
            }
        }
    }
    void mergesToTheNumbersOfOneProcess()
    {
        QFETCH(const QString, run);
        const auto whole = loadPath(run.toStdString());
        if (!whole || ((*whole)->timelines.empty() && !(*whole)->memory.empty()))
            return; // nothing to reduce
        const QStringList expected = numbersOf(**whole);
        for (const std::uint32_t tasks : {1u, 3u, 16u}) {
            const auto merged = loadPath(reduce(run.toStdString(), tasks));
            QVERIFY2(merged, run.toUtf8().constData());
            const QString differs = difference(expected, numbersOf(**merged));
            QVERIFY2(differs.isEmpty(), differs.toUtf8().constData());
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestReducedRun)
#include "tst_reduced_run.moc"
