// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Operators by their inputs: the work that follows from shapes, and the tables against those that TraceLens
// wrote.

#include "metrics/reports/rank_report.h"
#include "model/readers/kineto_event_args.h"
#include "tests/support/close.h"
#include "tests/support/data_folders.h"
#include "tests/support/fragment_text.h"
#include "tests/support/sheet_text.h"
#include "tests/support/suite.h"

#include <QFile>

namespace collscope {

class TestOperatorCalls : public QObject
{
    Q_OBJECT

    static OperatorInputReader readerOf(const TraceModel& model)
    {
        return [&model](const Timeline& timeline, std::span<const SliceRef> calls,
                        const std::function<void(SliceRef, OperatorInputs &&)>& take) -> std::string {
            std::vector<EventPlace> places;
            for (const SliceRef call : calls)
                places.push_back({model.track(call.track).slices.fileOffset[call.row], call});
            std::sort(places.begin(), places.end(),
                      [](const auto& a, const auto& b) { return a.offset < b.offset; });
            const auto read = readArgsOf(
                model, model.sources[timeline.source.value].path, places,
                [&](SliceRef call, EventArgs&& args) {
                    OperatorInputs inputs;
                    for (const auto& [name, value] : args) {
                        if (name == "Input Dims")
                            inputs.dims = value;
                        else if (name == "Input type")
                            inputs.types = value;
                        else if (name == "Concrete Inputs")
                            inputs.concrete = value;
                        else if (name == "Input Strides")
                            inputs.strides = value;
                    }
                    take(call, std::move(inputs));
                },
                [](std::uint64_t) { return true; });
            return read ? std::string() : read.error().message;
        };
    }
    /// The row whose cell in that column begins so; -1 if there is none.
    static int rowWith(const Sheet& sheet, const char* column, const std::string& begin)
    {
        const auto at = sheet.column(column);
        for (std::size_t row = 0; at && row < sheet.rows.size(); ++row) {
            if (cellText(sheet.rows[row][*at]).starts_with(begin))
                return static_cast<int>(row);
        }
        return -1;
    }
    static double number(const Sheet& sheet, int row, const char* column)
    {
        const auto at = sheet.column(column);
        return row < 0 || !at ? -1 : cellNumber(sheet.rows[static_cast<std::size_t>(row)][*at]);
    }

private slots:
    void listsOfTheProfiler()
    {
        using Shapes = std::vector<std::vector<std::int64_t>>;
        QCOMPARE(shapesOf("[[512], [141, 512], []]"), std::optional(Shapes{{512}, {141, 512}, {}}));
        QCOMPARE(shapesOf("[]"), std::optional(Shapes{}));
        for (const char* other : {"", "[", "[[1], [[2], [3]]]", "[[1]] x", "[[1.5]]", "[[1], ]", "[1]"})
            QVERIFY2(!shapesOf(other), other);
        QCOMPARE(textsOf(R"(["c10::Half", "", "1"])"),
                 std::optional(std::vector<std::string>{"c10::Half", "", "1"}));
        QCOMPARE(onOneLine("[\n  [\n 1,2 ],\t\"a , b\", \"\\\" ,\"]"),
                 std::string("[[1, 2], \"a , b\", \"\\\" ,\"]"));
        QVERIFY(!textsOf("[1]") && !textsOf("[\"a"));
    }
    void workOfShapes()
    {
        const auto work
            = [](const char* name, const char* dims, const char* types, const char* concrete = "[]") {
                  return operatorWork(name, {dims, types, "", concrete});
              };
        // 2 x 3 x 4 x 5 operations; 2 bytes for each element of A (3 x 5), B (5 x 4) and C (3 x 4).
        const auto product = work("aten::mm", "[[3, 5], [5, 4]]", R"(["c10::Half", "c10::Half"])");
        QVERIFY(product);
        QCOMPARE(product->flops, 120.0);
        QCOMPARE(product->bytes, 2.0 * (15 + 20 + 12));
        const auto batch = work("aten::bmm", "[[7, 3, 5], [7, 5, 4]]", R"(["float", "float"])");
        QVERIFY(batch && batch->flops == 7 * 120.0 && batch->bytes == 4.0 * 7 * (15 + 20 + 12));
        const auto sum = work("aten::add", "[[2, 1, 4], [3, 4]]", R"(["float", "c10::Half"])");
        QVERIFY(sum && sum->flops == 24.0 && sum->bytes == 8 * 4.0 + 12 * 2.0 + 24 * 4.0);
        const char* const causal = R"(["", "", "", "0.", "True", "False", ""])";
        const auto attention
            = work("aten::_scaled_dot_product_flash_attention",
                   "[[1, 2, 8, 4], [1, 2, 8, 4], [1, 2, 8, 4], [], [], [], []]",
                   R"(["float", "float", "float", "Scalar", "Scalar", "Scalar", "Scalar"])", causal);
        QVERIFY(attention);
        QCOMPARE(attention->flops, 4.0 * 2 * 8 * 8 * 4 / 2); // half of the pairs
        QCOMPARE(attention->bytes, 4.0 * 4 * 64);
        // What does not fit, or is not known, has no work.
        QVERIFY(!work("aten::mm", "[[3, 5], [6, 4]]", R"(["float", "float"])"));
        QVERIFY(!work("aten::mm", "[[3, 5], [5, 4]]", R"(["float", "c10::Half"])"));
        QVERIFY(!work("aten::mm", "[[3, 5], [5, 4]]", R"(["unheard", "unheard"])"));
        QVERIFY(!work("aten::mm", "", ""));
        QVERIFY(!work("aten::add", "[[3, 5], [4, 5]]", R"(["float", "float"])"));
        QVERIFY(!work("aten::gelu", "[[3, 5]]", R"(["float"])"));
    }
    /// Figures of the tables that TraceLens has of this trace in its repository.
    void asTraceLensHasThem()
    {
        const QString path = tracesFolder()
            + QStringLiteral("/kineto_tracelens/traces/h100/gaunernst_bert-small-uncased__1016001.json.gz");
        if (!QFile::exists(path))
            QSKIP("No real traces (COLLSCOPE_TRACES).");
        const auto model = loadPath(path.toStdString());
        QVERIFY(model);
        const Timeline* const timeline = &(*model)->timelines.front();
        RankReportOptions options;
        options.linkedOnly = true;
        options.inputs = readerOf(**model);
        const Workbook report = rankReport(**model, std::span(&timeline, 1), options);
        const Sheet* const unique = report.sheet("ops_unique_args");
        QVERIFY(unique);
        QCOMPARE(cellText(unique->rows[0][0]), std::string("aten::addmm"));
        COLLSCOPE_CLOSE(number(*unique, 0, "operation_count"), 17.0);
        QVERIFY(std::abs(number(*unique, 0, "total_direct_kernel_time_sum") - 98.718) < 1e-2);
        QVERIFY(std::abs(number(*unique, 0, "Percentage (%)") - 31.902) < 1e-2);
        const Sheet* const gemm = report.sheet("GEMM");
        QVERIFY(gemm);
        const int row = rowWith(*gemm, "Input Dims", "[[512], [141, 512]");
        QCOMPARE(number(*gemm, row, "param: M"), 141.0);
        QCOMPARE(number(*gemm, row, "param: N"), 512.0);
        COLLSCOPE_CLOSE(number(*gemm, row, "GFLOPS"), 0.0739968);
        COLLSCOPE_CLOSE(number(*gemm, row, "Data Moved (MB)"), 0.7763671875);
        QVERIFY(std::abs(number(*gemm, row, "TFLOPS/s_mean") - 12.7475) < 1e-2);
        QVERIFY(std::abs(number(*gemm, row, "TB/s_mean") - 0.14024) < 1e-4);
        QVERIFY(std::abs(number(*gemm, row, "Kernel Time (\u00b5s)_median") - 5.792) < 1e-2);
        const Sheet* const attention = report.sheet("SDPA_fwd");
        QVERIFY(attention);
        COLLSCOPE_CLOSE(number(*attention, 0, "GFLOPS"), 0.040716288);
        COLLSCOPE_CLOSE(number(*attention, 0, "Data Moved (MB)"), 0.55078125);
        const Sheet* const sums = report.sheet("BinaryElementwise");
        QVERIFY(sums);
        COLLSCOPE_CLOSE(number(*sums, rowWith(*sums, "name", "aten::add"), "Data Moved (MB)"), 0.4130859375);
        const Sheet* const unified = report.sheet("unified_perf_summary");
        QVERIFY(unified);
        QCOMPARE(unified->rows.size(), unique->rows.size());
        QCOMPARE(cellText(unified->rows[static_cast<std::size_t>(rowWith(*unified, "name", "aten::gelu"))]
                                       [*unified->column("GFLOPS")]),
                 std::string("-"));
    }
    void aFileThatIsGoneIsANote()
    {
        const QString path = tracesFolder()
            + QStringLiteral("/kineto_tracelens/traces/h100/gaunernst_bert-small-uncased__1016001.json.gz");
        if (!QFile::exists(path))
            QSKIP("No real traces (COLLSCOPE_TRACES).");
        const auto model = loadPath(path.toStdString());
        QVERIFY(model);
        const Timeline* const timeline = &(*model)->timelines.front();
        RankReportOptions options;
        options.inputs = [](const auto&, auto, const auto&) { return std::string("it is gone."); };
        const Workbook report = rankReport(**model, std::span(&timeline, 1), options);
        QVERIFY(!report.sheet("ops_unique_args") && report.sheet("ops_summary"));
        QVERIFY(report.notes.back().find("it is gone.") != std::string::npos);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestOperatorCalls)
#include "tst_operator_calls.moc"
