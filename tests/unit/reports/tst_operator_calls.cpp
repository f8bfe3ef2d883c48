// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Operators by their inputs: the tables against those that TraceLens wrote. What work follows from inputs is
// tst_operator_work.cpp's.

#include "metrics/reports/rank_report.h"
#include "model/readers/kineto/kineto_event_args.h"
#include "tests/support/suite/close.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/texts/sheet_text.h"

#include <QFile>

namespace collscope {

class TestOperatorCalls : public QObject
{
    Q_OBJECT

    static OperatorInputReader readerOf(const TraceModel& model)
    {
        return [&model](const Timeline& timeline, std::span<const SliceRef> calls,
                        const std::function<void(SliceRef, OperatorInputs &&)>& take) -> Status {
            std::vector<EventLocation> places;
            for (const SliceRef call : calls)
                places.push_back({model.track(call.track).slices.fileOffset[call.row], call});
            std::sort(places.begin(), places.end(),
                      [](const auto& a, const auto& b) { return a.offset < b.offset; });
            return readArgsOf(
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
    static Workbook reportOf(const TraceModel& model, RankReportOptions options)
    {
        const Timeline* const timeline = &model.timelines.front();
        options.inputs = readerOf(model);
        return rankReport(model, std::span(&timeline, 1), options);
    }

private slots:
    /// Figures of the tables that TraceLens has of this trace in its repository.
    void asTraceLensHasThem()
    {
        const QString path = tracesFolder()
            + QStringLiteral("/kineto_tracelens/traces/h100/gaunernst_bert-small-uncased__1016001.json.gz");
        if (!QFile::exists(path))
            QSKIP("No real traces (COLLSCOPE_TRACES).");
        const auto model = loadPath(path.toStdString());
        QVERIFY(model);
        RankReportOptions options;
        options.linkedOnly = true;
        const Workbook report = reportOf(**model, options);
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
        const Sheet* const norms = report.sheet("Normalization");
        QVERIFY(norms);
        QCOMPARE(cellText(norms->rows[0][0]), std::string("aten::native_layer_norm"));
        COLLSCOPE_CLOSE(number(*norms, 0, "GFLOPS"), 0.000364032);
        COLLSCOPE_CLOSE(number(*norms, 0, "Data Moved (MB)"), 0.28125);
        QVERIFY(std::abs(number(*norms, 0, "TB/s_mean") - 0.0954756) < 1e-4);
        const Sheet* const unified = report.sheet("unified_perf_summary");
        QVERIFY(unified);
        QCOMPARE(unified->rows.size(), unique->rows.size());
        QCOMPARE(cellText(unified->rows[static_cast<std::size_t>(rowWith(*unified, "name", "aten::gelu"))]
                                       [*unified->column("GFLOPS")]),
                 std::string("-"));
    }
    /// The same of a training on an MI300: convolutions and batch norms, and what goes back through them.
    void asTraceLensHasATraining()
    {
        const QString path
            = tracesFolder() + QStringLiteral("/kineto_tracelens/traces/mi300/resnet_act_checkpoint.json.gz");
        if (!QFile::exists(path))
            QSKIP("No real traces (COLLSCOPE_TRACES).");
        const auto model = loadPath(path.toStdString());
        QVERIFY(model);
        RankReportOptions options;
        options.topCalls = 0;
        const Workbook report = reportOf(**model, options);
        const Sheet* const backward = report.sheet("CONV_bwd");
        QVERIFY(backward);
        const int row
            = rowWith(*backward, "Input Dims", "[[10, 64, 56, 56], [10, 64, 56, 56], [64, 64, 3, 3]");
        QVERIFY(row >= 0);
        const auto text = [&](const char* column) {
            return cellText(backward->rows[static_cast<std::size_t>(row)][*backward->column(column)]);
        };
        QCOMPARE(text("name"), std::string("aten::convolution_backward"));
        QCOMPARE(text("param: filter_shape"), std::string("(64, 64, 3, 3)"));
        COLLSCOPE_CLOSE(number(*backward, row, "GFLOPS"), 4.62422016);
        COLLSCOPE_CLOSE(number(*backward, row, "Data Moved (MB)"), 15.453125);
        COLLSCOPE_CLOSE(number(*backward, row, "FLOPS/Byte"), 285.37917087967645);
        QCOMPARE(number(*backward, row, "name_count"), 12.0);
        for (const char* name : {"CONV_fwd", "Normalization", "UnaryElementwise", "Reduce_fwd"})
            QVERIFY2(report.sheet(name), name);
        // Where attention was not traced, it has no sheet.
        QVERIFY(!report.sheet("SDPA_fwd") && !report.sheet("SDPA_bwd"));
    }
    void aFileThatIsGoneIsANote()
    {
        const auto model = loadPath(generatedRun().toStdString() + "/rank0_trace.json.gz");
        QVERIFY(model);
        const Timeline* const timeline = &(*model)->timelines.front();
        RankReportOptions options;
        options.inputs = [](const auto&, auto, const auto&) -> Status {
            return Error{.kind = Error::Kind::NotFound, .message = "it is gone."};
        };
        const Workbook report = rankReport(**model, std::span(&timeline, 1), options);
        QVERIFY(!report.sheet("ops_unique_args") && report.sheet("ops_summary"));
        QVERIFY(report.notes.back().find("it is gone.") != std::string::npos);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestOperatorCalls)
#include "tst_operator_calls.moc"
