// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How numbers, trees and tables are written: every digit that counts and none more, what has a value first.

#include "metrics/export/csv_rows.h"
#include "metrics/export/detail_rows.h"
#include "metrics/export/text_table.h"
#include "model/units.h"
#include "tests/support/suite/suite.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <cmath>

namespace collscope {

class TestExportText : public QObject
{
    Q_OBJECT

private:
    static NamedResult named(const char* id, std::optional<double> value, const char* reason = "")
    {
        NamedResult result{*findMetric(id), {}};
        result.result.state = value ? MetricState::Value : MetricState::NotApplicable;
        result.result.value = value;
        result.result.reason = reason;
        result.result.unit = result.request.unit;
        return result;
    }
    static std::string onOneLine(const Value& value)
    {
        return nlohmann::ordered_json::parse(jsonText(value)).dump();
    }

private slots:
    void numbersAreShortAndPlain_data()
    {
        QTest::addColumn<double>("number");
        QTest::addColumn<QString>("text");
        const auto row = [](double number, const char* text) {
            QTest::newRow(text) << number << QString::fromLatin1(text);
        };
        row(0.1, "0.1");
        row(0.0001, "0.0001");
        row(1e-6, "0.000001");
        row(1e-7, "1e-07");
        row(-2.5, "-2.5");
        row(100000, "100000");
        row(1e16, "10000000000000000");
        row(1.7599680000311115e15, "1759968000031111.5");
        row(123456789012345678e3, "123456789012345680000");
        row(1e21, "1e+21");
        row(-0.0, "0");
    }
    void numbersAreShortAndPlain()
    {
        QFETCH(double, number);
        QFETCH(QString, text);
        const std::string written = numberText(number);
        QVERIFY2(std::strtod(written.c_str(), nullptr) == number, written.c_str());
        QCOMPARE(static_cast<qsizetype>(written.size()), text.size());
        if (std::abs(number) < 1e17) // above, other digits of the same length may read back as well
            QCOMPARE(QString::fromStdString(written), text);
        QCOMPARE(jsonText(number), written + "\n");
    }
    void timesOfTodayKeepTheirNanoseconds()
    {
        QCOMPARE(jsonText(microsecondsValue(1'759'968'000'031'111'567)),
                 std::string("1759968000031111.567\n"));
        QCOMPARE(jsonText(microsecondsValue(1'759'968'000'031'111'500)), std::string("1759968000031111.5\n"));
        QCOMPARE(jsonText(microsecondsValue(1'759'968'000'031'111'000)), std::string("1759968000031111\n"));
        QCOMPARE(jsonText(microsecondsValue(-1'759'968'000'031'111'007)),
                 std::string("-1759968000031111.007\n"));
        QCOMPARE(jsonText(microsecondsValue(-5)), std::string("-0.005\n"));
        QCOMPARE(numberOf(microsecondsValue(1'759'968'000'031'111'567)).value_or(0), 1759968000031111.5);
        QCOMPARE(numberTextOf(Decimal{-70, 3}), std::string("-0.07"));
        QCOMPARE(numberTextOf("text"), std::string());
        for (std::int64_t ns = 1; ns < 20'000'000; ns += 7919)
            QCOMPARE(secondsToMs(nsToSeconds(ns)), nsToMs(ns));
        QCOMPARE(secondsToMs(1.0 / 3), 1e3 / 3);
    }
    void treesAreJson()
    {
        const Value tree = Value::Object{{"a", Value::Array{1, 2.5, true, Value(), Value::Array()}},
                                         {"b", Value::Object{}},
                                         {"a\"\xff", "x\n"},
                                         {"b", NAN}};
        QCOMPARE(jsonText(tree),
                 std::string("{\n  \"a\": [\n    1,\n    2.5,\n    true,\n    null,\n    []\n  ],\n"
                             "  \"b\": null,\n  \"a\\\"\xEF\xBF\xBD\": \"x\\n\"\n}\n"));
        QCOMPARE(onOneLine(Value::Object{{"x", Value::Object{{"y", 3}}}}), std::string(R"({"x":{"y":3}})"));
        QVERIFY(nlohmann::json::parse(metricListJson({})).size() == allMetrics().size());
    }
    void whatHasAValueStandsFirst()
    {
        const std::vector<NamedResult> results{
            named("mfu", std::nullopt, "No card."), named("avg_step_time", 0.25),
            named("hfu", std::nullopt, "No card."), named("ttft", std::nullopt, "It is training.")};
        QCOMPARE(resultsText(results, TextLayout::ValuesFirst),
                 std::string("avg_step_time  0.25  s\n"
                             "2 metrics not applicable: No card. [mfu, hfu]\n"
                             "1 metric not applicable: It is training. [ttft]\n"));
        QCOMPARE(resultsText(results, TextLayout::EachRow),
                 std::string("mfu            not_applicable  No card.\n"
                             "avg_step_time            0.25  s\n"
                             "hfu            not_applicable  No card.\n"
                             "ttft           not_applicable  It is training.\n"));
    }
    void runsStandSideBySide()
    {
        const std::vector<RunResults> runs{
            {"/x/a", {}, {}, {named("avg_step_time", 0.25), named("mfu", std::nullopt, "No card.")}},
            {"/x/b", {}, {}, {named("avg_step_time", 0.5), named("mfu", 41)}},
            {"/x/c", {}, {}, {named("avg_step_time", 10), named("mfu", 42)}}};
        QCOMPARE(runsText(runs, TextLayout::ValuesFirst),
                 std::string("metric                      a    b   c  unit\n"
                             "avg_step_time            0.25  0.5  10  s\n"
                             "mfu            not_applicable   41  42  %\n"
                             "a: 1 metric not applicable: No card. [mfu]\n"));
    }
    void detailsAreRows()
    {
        NamedResult phases = named("training_phases", std::nullopt);
        phases.result.state = MetricState::Value;
        phases.result.details
            = {{"forward_ms", 1.5},
               {"kernels", 7},
               {"method", "launches"},
               {"by_name", Value::Array{Value::Object{{"name", "gemm, big"}, {"share_percent", 60.0}}}},
               {"per_rank", Value::Object{{"3", Value::Object{{"forward_ms", 1.25}}}}},
               {"loss_by_step", Value::Object{{"10", 2.5}}}};
        const std::string csv = resultsCsv({phases});
        for (const char* row :
             {"training_phases,forward_ms,,,1.5,ms,value,\n", "training_phases,kernels,,,7,count,value,\n",
              "training_phases,\"by_name, gemm, big, share_percent\",,,60,%,value,\n",
              "training_phases,forward_ms,3,,1.25,ms,value,\n",
              "training_phases,loss_by_step,,10,2.5,ms,value,\n"})
            QVERIFY2(csv.find(row) != std::string::npos, (csv + "lacks\n" + row).c_str());
        QVERIFY(csv.find("launches") == std::string::npos);
        // What has a number has its details in the JSON alone.
        NamedResult time = named("avg_step_time", 0.25);
        time.result.details = {{"min_s", 0.2}};
        QVERIFY(detailRows(time.result).empty());
    }
    void tablesAreTextAndRows()
    {
        NamedResult peaks = named("peak_kernels", 2);
        peaks.result.tables = {{"peak 1: the highest",
                                {"peak 1",
                                 {"rank", "stream", "overlap_us", "overlap_percent", "kernel"},
                                 {{std::int64_t{0}, "7", 12.5, 100.0 / 3, "gemm"},
                                  {std::int64_t{0}, "21", std::int64_t{3}, 8.0, "copy"}}}}};
        QCOMPARE(resultsText({peaks}),
                 std::string("2\npeak 1: the highest\n"
                             "  rank  stream  overlap_us  overlap_percent  kernel\n"
                             "     0  7             12.5           33.333  gemm\n"
                             "     0  21               3                8  copy\n"));
        QVERIFY(explanationText(peaks).ends_with("     0  21               3                8  copy\n"));
        const std::string csv = resultsCsv({peaks});
        for (const char* row :
             {"peak_kernels,\"peak 1, stream 7, kernel gemm, overlap_us\",0,,12.5,us,value,\n",
              "peak_kernels,\"peak 1, stream 7, kernel gemm, "
              "overlap_percent\",0,,33.333333333333336,%,value,\n",
              "peak_kernels,\"peak 1, stream 21, kernel copy, overlap_us\",0,,3,us,value,\n"})
            QVERIFY2(csv.find(row) != std::string::npos, (csv + "lacks\n" + row).c_str());
    }
    void piecesOfTheCsvAreTheWholeCsv()
    {
        NamedResult time = named("avg_step_time", 0.25);
        for (int row = 0; row < 20'000; ++row)
            time.result.rows.push_back({row / 100, row % 100, row * 0.5});
        const std::vector<NamedResult> results{time, named("mfu", std::nullopt, "No card.")};
        std::string csv = resultsCsvHeader();
        std::size_t pieces = 0, longest = 0;
        for (const NamedResult& result : results) {
            writeCsvRows(result, [&](std::string_view piece) {
                csv += piece;
                ++pieces;
                longest = std::max(longest, piece.size());
                return true;
            });
        }
        QVERIFY(csv == resultsCsv(results));
        QVERIFY2(pieces > 10 && longest * 10 < csv.size(), std::to_string(longest).c_str());
        pieces = 0;
        writeCsvRows(time, [&](std::string_view) { return ++pieces < 3; });
        QCOMPARE(pieces, std::size_t{3}); // the disk is full: no more is written
    }
    void iterationsOfOneRunStandBehindTheColumnsOfTheContract()
    {
        QCOMPARE(iterationRowsCsv({{"r", "all", {}, {named("avg_step_time", 0.5)}},
                                   {"r", "10", {}, {named("avg_step_time", 0.25)}}}),
                 std::string("metric,scope,rank,step,value,unit,status,reason,iteration\n"
                             "avg_step_time,,,,0.5,s,value,,all\navg_step_time,,,,0.25,s,value,,10\n"));
    }
    void nearestNamesAreFoundByWords()
    {
        QCOMPARE(nearestMetrics("bubble_size").front(), std::string("bubble_size_pipeline"));
        QCOMPARE(nearestMetrics("overlap_comm_comp").front(), std::string("comm_comp_overlap"));
        QCOMPARE(nearestMetrics("TTFT").front(), std::string("ttft"));
        QCOMPARE(nearestMetrics("stragler").front(), std::string("straggler"));
        QCOMPARE(nearestMetrics("my_metrik", {"my_metric"}).front(), std::string("my_metric"));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestExportText)
#include "tst_export_text.moc"
