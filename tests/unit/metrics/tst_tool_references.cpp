// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What existing tools print, from the model: against the values that they printed on the oracle's inputs, and
// by hand where those cannot tell two formulas apart.

#include "metrics/definitions/reference.h"
#include "metrics/export/written_report.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/reference_claims.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"

#include <QTemporaryDir>

#include <map>
#include <set>

namespace collscope {

namespace {

using nlohmann::json;

/// A program of the tests: the few options that the claims use.
MetricOptions metricOptions(const QStringList& arguments)
{
    MetricOptions options;
    options.wantReferences = true;
    for (qsizetype i = 0; i + 1 < arguments.size(); i += 2) {
        const QString& value = arguments[i + 1];
        if (arguments[i] == QStringLiteral("--rank"))
            options.rank = value.toInt();
        else if (arguments[i] == QStringLiteral("--link"))
            options.link = value.toUInt();
        else if (arguments[i] == QStringLiteral("--direction"))
            options.direction = value == QStringLiteral("tx") ? LinkDirection::Tx : LinkDirection::Rx;
    }
    return options;
}

json toJson(const Value& value)
{
    if (const auto* flag = value.as<bool>())
        return *flag;
    if (const auto* integer = value.as<std::int64_t>())
        return *integer;
    if (const auto* number = value.as<double>())
        return *number;
    if (const auto* text = value.as<std::string>())
        return *text;
    json object = json::object();
    if (const auto* members = value.as<Value::Object>()) {
        for (const auto& [key, member] : *members)
            object[key] = toJson(member);
    }
    return object;
}

/// What the named tool metric prints; nullptr = nothing.
const ReferenceValue* choose(const MetricResult& result, std::string_view name)
{
    const ReferenceValue* chosen = nullptr;
    for (const ReferenceValue& reference : result.references) {
        if ((!name.empty() && reference.forName == name) || (!chosen && reference.forName.empty()))
            chosen = &reference;
    }
    return chosen;
}

constexpr std::string_view twoRanks[] = {
    R"({"distributedInfo": {"rank": 0, "world_size": 2}, "traceEvents": [
        {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 1, "tid": 1, "ts": 0, "dur": 100},
        {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 10, "dur": 40, "args": {"stream": 7}},
        {"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce_Sum", "pid": 0, "tid": 8, "ts": 60, "dur": 30,
         "args": {"stream": 8}}]})",
    R"({"distributedInfo": {"rank": 1, "world_size": 2}, "traceEvents": [
        {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 1, "tid": 1, "ts": 0, "dur": 100},
        {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 10, "dur": 60, "args": {"stream": 7}},
        {"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce_Sum", "pid": 0, "tid": 8, "ts": 80, "dur": 10,
         "args": {"stream": 8}}]})"};

} // namespace

class TestToolReferences : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_scratch;
    std::map<QString, TraceModelPtr> m_models;
    json m_rows;

    TraceModelPtr load(const ReferenceClaim& claim)
    {
        const QString path = pathOfCase(QString::fromLatin1(claim.kase), m_scratch.path());
        if (path.isEmpty())
            return nullptr;
        TraceModelPtr& model = m_models[path + QString::fromLatin1(claim.options)];
        if (!model) {
            LoadOptions options;
            const QStringList arguments = optionsOf(claim);
            if (const qsizetype at = arguments.indexOf(QStringLiteral("--config")); at >= 0)
                options.configPath = arguments[at + 1].toStdString();
            const auto loaded = loadPath(path.toStdString(), options);
            if (loaded)
                model = *loaded;
        }
        return model;
    }

    /// The two ranks under these names, the second cut off if asked.
    TraceModelPtr writeRun(const QStringList& names, bool cut)
    {
        QTemporaryDir folder;
        for (qsizetype i = 0; i < names.size(); ++i) {
            std::string text(twoRanks[i]);
            if (cut && i == 1)
                text.resize(text.rfind("{\"ph\""));
            QFile file(folder.filePath(names[i]));
            if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), qint64(text.size())) < 0)
                return nullptr;
        }
        const auto loaded = loadPath(folder.path().toStdString());
        return loaded ? *loaded : nullptr;
    }

    static std::optional<double> printed(const TraceModel& model, std::string_view metric,
                                         const MetricOptions& options = {})
    {
        Analysis analysis(model, options);
        MetricResult ours;
        addReferences(analysis, metric, ours);
        const ReferenceValue* reference = choose(ours, "");
        return reference ? reference->value : std::nullopt;
    }

private slots:
    void initTestCase() { m_rows = expectedRows(); }

    void claim_data()
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < referenceClaims.size() && !m_rows.empty(); ++i)
            QTest::newRow(referenceClaims[i].label().constData()) << static_cast<int>(i);
    }
    void claim()
    {
        if (m_rows.empty())
            QSKIP("no oracle: set COLLSCOPE_ORACLE");
        QFETCH(int, index);
        const ReferenceClaim& claim = referenceClaims[static_cast<std::size_t>(index)];
        const TraceModelPtr model = load(claim);
        if (!model)
            QSKIP("this row's trace is not here: set COLLSCOPE_TRACES");
        const MetricOptions options = metricOptions(optionsOf(claim));
        Analysis analysis(*model, options);
        MetricResult ours; // no value: every reference is listed
        addReferences(analysis, findMetric(claim.id)->metric->id, ours);
        const ReferenceValue* reference = choose(ours, claim.asked());
        QVERIFY2(reference, "no reference");
        QVERIFY(!reference->whyDifferent.empty());
        const json value = reference->value ? json(*reference->value) : json();
        const QString error = disagreement(claim, rowOf(m_rows, claim.kase, claim.row), value,
                                           toJson(reference->details), claim.factor);
        QVERIFY2(error.isEmpty(), qPrintable(error));
        if (reference->value && *reference->value != 0)
            QVERIFY(!disagreement(claim, rowOf(m_rows, claim.kase, claim.row),
                                  json(*reference->value * 1.001), toJson(reference->details), claim.factor)
                         .isEmpty());
    }
    /// Each wrong value of the oracle is either reproduced or has a reason why not.
    void everyWrongRowIsAccountedFor()
    {
        if (m_rows.empty())
            QSKIP("no oracle: set COLLSCOPE_ORACLE");
        std::set<std::pair<std::string, std::string>> known;
        for (const ReferenceClaim& claim : referenceClaims)
            known.emplace(claim.kase, claim.row);
        for (const UnclaimedRow& row : unclaimedRows)
            QVERIFY2(known.emplace(row.kase, row.row).second, row.row);
        for (const json& row : m_rows) {
            if (row["verdict"] == "wrong")
                QVERIFY2(known.contains({row["case"], row["metric"]}), row.dump().c_str());
        }
    }
    void aFileThatEndsEarlyIsNotReadByTheTool()
    {
        const QStringList names{QStringLiteral("rank0_trace.json"), QStringLiteral("rank1_trace.json")};
        const TraceModelPtr whole = writeRun(names, false);
        const TraceModelPtr cut = writeRun(names, true);
        QVERIFY(whole && cut);
        // 30 of 70 and 10 of 70 us; the second rank's file is cut off.
        QCOMPARE(*printed(*whole, "communication_ratio"), 100.0 * (30.0 / 70 + 10.0 / 70) / 2);
        QCOMPARE(*printed(*cut, "communication_ratio"), 100.0 * 30 / 70);
        QCOMPARE(*printed(*whole, "straggler"), 20.0 / 30);
        QVERIFY(!printed(*cut, "straggler"));
    }
    void fileNamesDecide()
    {
        const TraceModelPtr ranks
            = writeRun({QStringLiteral("rank0_trace.json"), QStringLiteral("rank1_trace.json")}, false);
        const TraceModelPtr kineto
            = writeRun({QStringLiteral("kineto_trace_0.json"), QStringLiteral("kineto_trace_1.json")}, false);
        QVERIFY(ranks && kineto);
        QCOMPARE(*printed(*ranks, "coll_call_num"), 0.0);
        QCOMPARE(*printed(*kineto, "coll_call_num"), 1.0);
        QCOMPARE(*printed(*kineto, "straggler"), 0.0);
        QVERIFY(!printed(*ranks, "communication_overhead"));
        QCOMPARE(*printed(*kineto, "communication_overhead"), 30.0 / 70);
    }
    /// Both ranks run kernels for 70 us, though one computes for 40 and the other for 60.
    void waitingCountsAsBusy()
    {
        const TraceModelPtr model
            = writeRun({QStringLiteral("rank0_trace.json"), QStringLiteral("rank1_trace.json")}, false);
        QVERIFY(model);
        QCOMPARE(*printed(*model, "load_imbalance_ratio"), 1.0);
    }
    /// 2000 bytes in 2 us of one link. A failed read of 0 in the middle makes 2000 bytes of the second us;
    /// what fell into an interval of no length is dropped; raw fields are links of their own.
    void nvlinkSamplesAreTakenAsTheyLie()
    {
        TraceModel model;
        LinkSeries link;
        link.beginNs = {0};
        link.endNs = {2000};
        link.bytes = {2000};
        link.gap = {false};
        LinkSeries raw = link;
        raw.raw = true;
        raw.bytes = {2600};
        model.nvlink.push_back({std::nullopt, SourceId{0}, true, {link, raw}});
        QCOMPARE(*printed(model, "max_throughput"), 1.3);
        QCOMPARE(*printed(model, "avg_throughput"), 4600.0 / 4000);
        QCOMPARE(*printed(model, "total_communication"), 1000.0);

        model.nvlink[0].series[0].failedReads = {{1000, 0}};
        model.problems.add(Severity::DataLoss, "nvml_error", "a.bin", 0, "", 1);
        QCOMPARE(*printed(model, "max_throughput"), 2.0);
        model.nvlink[0].series[0].failedReads.clear(); // of another counter, which has no series
        QVERIFY(!printed(model, "max_throughput"));

        model.problems = {};
        model.nvlink[0].series[0].foldedBytes = 400;
        QCOMPARE(*printed(model, "avg_throughput"), 4200.0 / 4000);
        QCOMPARE(*printed(model, "total_communication"), 800.0);
        QVERIFY(!printed(model, "max_throughput"));
    }
    void noToolKnowsARange()
    {
        const TraceModelPtr model
            = writeRun({QStringLiteral("rank0_trace.json"), QStringLiteral("rank1_trace.json")}, false);
        QVERIFY(model);
        MetricOptions options;
        options.range = model->range;
        QVERIFY(!printed(*model, "communication_ratio", options));
    }
    /// An equal number is no difference, but it is what --definition reference prints, in the alias' unit.
    void equalNumbersAreNotListed()
    {
        const TraceModelPtr model
            = writeRun({QStringLiteral("rank0_trace.json"), QStringLiteral("rank1_trace.json")}, false);
        QVERIFY(model);
        MetricOptions options;
        options.wantReferences = true;
        const MetricResult listed = evaluate(*model, *findMetric("avg_step_time"), options);
        QCOMPARE(*listed.value, 1e-4);
        for (const ReferenceValue& reference : listed.references)
            QVERIFY2(std::abs(*reference.value - *listed.value) > 1e-12, reference.tool.c_str());
        options.definition = MetricOptions::Definition::Reference;
        const MetricResult printed = evaluate(*model, *findMetric("avg_step_time"), options);
        QCOMPARE(*printed.value, 1e-4);
        QVERIFY(printed.warnings.front().find("both values agree") != std::string::npos);
        const MetricResult inMs = evaluate(*model, *findMetric("iter_time"), options);
        QCOMPARE(*inMs.value, 0.1);
        QCOMPARE(inMs.unit, std::string("ms"));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestToolReferences)
#include "tst_tool_references.moc"
