// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The demo run in resources/demo is what `make_run demo` writes, and shows what it was made to show.

#include "metrics/core/metric.h"
#include "model/readers/byte_source.h"
#include "model/readers/measurements/hardware_toml.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/workloads/run_writer.h"

#include <set>

namespace collscope {

namespace {

std::string contentOf(const std::filesystem::path& path)
{
    auto source = ByteSource::open(path.string());
    if (!source)
        return {};
    std::string text;
    std::string buffer(1 << 20, '\0');
    for (;;) {
        const std::size_t got = (*source)->read({buffer.data(), buffer.size()});
        text.append(buffer, 0, got);
        if (got < buffer.size())
            return text;
    }
}

} // namespace

class TestDemo : public QObject
{
    Q_OBJECT

private slots:
    void isWhatTheGeneratorWrites()
    {
        const RunPlan plan = planRun(demoDescription());
        const std::filesystem::path folder = COLLSCOPE_SOURCE_FOLDER "/resources/demo";
        for (const PlannedRank& rank : plan.ranks) {
            const std::string number = std::to_string(rank.rank);
            QVERIFY2(contentOf(folder / ("rank" + number + "_trace.json.gz")) == kinetoJson(plan, rank),
                     "run: make_run demo resources/demo");
            QVERIFY2(contentOf(folder / ("nvlink_gpu" + number + ".bin")) == nvf1Bytes(plan, rank),
                     "run: make_run demo resources/demo");
        }
        QVERIFY(contentOf(folder / "workload_card.yaml") == workloadCardYaml(plan, RunFiles()));
        QVERIFY(contentOf(folder / "train_config.toml") == trainConfigToml(plan));
    }
    void loadsWithoutAProblem()
    {
        const auto model = loadPath(COLLSCOPE_SOURCE_FOLDER "/resources/demo");
        QVERIFY(model.has_value());
        QVERIFY2((*model)->problems.isEmpty(),
                 (*model)->problems.isEmpty() ? ""
                                              : (*model)->problems.entries().front().explanation.c_str());
        QCOMPARE((*model)->ranks().size(), std::size_t{8});
        QCOMPARE((*model)->nvlink.size(), std::size_t{8});
        for (const SourceInfo& source : (*model)->sources)
            QCOMPARE(source.excluded, std::uint64_t{0});
        // What the demo has no input for, or what makes no sense on it. All else must have a value.
        static const std::set<std::string_view> withoutValue{
            "bubble_size_pipeline",   "fsdp_copy_time", "alltoall_bus_bandwidth",
            "stage_link_utilization", "moe_fraction",   "memory_bandwidth_utilization",
            "what_if_slowdown"};
        static const std::set<std::string_view> otherInputs{"Serving", "Memory", "Model"};
        auto devices = readHardwareDatabase(COLLSCOPE_SOURCE_FOLDER "/resources/knowledge/devices.toml", {});
        QVERIFY(devices.has_value());
        MetricOptions options;
        options.hardware = std::make_shared<HardwareDatabase>(std::move(*devices));
        std::size_t values = 0;
        for (const MetricDescriptor& metric : allMetrics()) {
            const MetricResult result = evaluate(**model, *findMetric(metric.id), options);
            if (result.state == MetricState::Value) {
                ++values;
                continue;
            }
            QVERIFY2(result.state != MetricState::Error && !result.reason.empty(), metric.id.data());
            QVERIFY2(withoutValue.contains(metric.id)
                         || (otherInputs.contains(metric.group) && result.state != MetricState::Error),
                     metric.id.data());
        }
        QVERIFY2(values >= 75, numberText(static_cast<double>(values)).c_str());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestDemo)
#include <set>

#include "tst_demo.moc"
