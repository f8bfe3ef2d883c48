// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The report about a rank, worked out by hand.

#include "metrics/reports/rank_report.h"
#include "tests/support/suite/close.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/kineto_text.h"
#include "tests/support/texts/sheet_text.h"

#include <limits>

namespace collscope {

namespace {

constexpr const char* elementwiseKernel = "void at::native::vectorized_elementwise_kernel<4>(int)";
constexpr const char* reduceKernel = "void at::native::reduce_kernel<512, 1>(float)";

Workbook reportOf(const TraceModel& model, const RankReportOptions& options = {})
{
    std::vector<const Timeline*> timelines;
    for (const Timeline& timeline : model.timelines)
        timelines.push_back(&timeline);
    return rankReport(model, timelines, options);
}

std::vector<std::string> names(const Workbook& workbook)
{
    std::vector<std::string> all;
    for (const Sheet& sheet : workbook.sheets)
        all.push_back(sheet.name);
    return all;
}

/// Operators, a graph, NCCL, a call of nobody, and a kernel that nobody launched. Direct times of the
/// operators add up to 100 us, so that they are their percentages.
KinetoText smallStep()
{
    KinetoText trace;
    trace.cpuOp("aten::linear", 1, 0, 100);
    trace.cpuOp("aten::addmm", 1, 10, 50);
    trace.work("gpu_memset", "Memset (Device)", 7, 40, 2, trace.call("cudaMemsetAsync", 1, 12, 2));
    trace.kernel("gemm_a", 7, 50, 20, trace.launch(1, 20)); // [50, 70)
    trace.kernel("gemm_b", 8, 60, 30, trace.launch(1, 30)); // [60, 90)
    trace.cpuOp("aten::copy_", 1, 60, 30);
    trace.work("gpu_memcpy", "Memcpy DtoD", 7, 80, 20, trace.call("cudaMemcpyAsync", 1, 62, 2));
    trace.kernel(elementwiseKernel, 7, 100, 10, trace.launch(1, 92));
    trace.cpuOp("c10d::allreduce_", 1, 110, 40);
    trace.cpuOp("record_param_comms", 1, 112, 28);
    trace.kernel("ncclDevKernel_AllReduce_Sum", 20, 120, 40, trace.call("cudaLaunchKernelExC", 1, 115, 2));
    const int graph = trace.call("cudaGraphLaunch", 1, 200, 10);
    trace.kernel("graph_kernel", 7, 210, 5, graph);
    trace.kernel("graph_kernel", 7, 215, 10, graph);
    trace.cpuOp("conv_bn_fused", 1, 220, 40);
    trace.kernel("conv_kernel", 7, 240, 10, trace.launch(1, 230));
    trace.kernel(reduceKernel, 7, 310, 3, trace.launch(1, 300));
    trace.kernel("orphan", 7, 320, 1, 0);
    return trace;
}

} // namespace

class TestRankReport : public QObject
{
    Q_OBJECT

private slots:
    void sheetsInTheirOrder()
    {
        const auto model = smallStep().load();
        QCOMPARE(
            names(reportOf(*model)),
            (std::vector<std::string>{"gpu_timeline", "ops_summary_by_category", "ops_summary",
                                      "kernel_summary", "short_kernel_histogram", "short_kernels_summary"}));
    }
    void gpuTimelineSheet()
    {
        const auto model = smallStep().load();
        const Workbook report = reportOf(*model);
        const Sheet* const sheet = report.sheet("gpu_timeline");
        QVERIFY(sheet);
        QCOMPARE(sheet->columns, (std::vector<std::string>{"type", "time ms", "percent"}));
        // Computing: [40,42) [50,90) [100,110) [210,225) [240,250) [310,313) [320,321). From 40 to 321.
        QCOMPARE(rowTexts(sheet, 2),
                 (std::vector<std::string>{"computation_time | 0.081", "exposed_comm_time | 0.04",
                                           "exposed_memcpy_time | 0.01", "busy_time | 0.131",
                                           "idle_time | 0.15", "total_time | 0.281", "total_comm_time | 0.04",
                                           "total_memcpy_time | 0.02"}));
        COLLSCOPE_CLOSE(cellNumber(sheet->rows[0][2]), 100.0 * 81 / 281);
        QCOMPARE(cellNumber(sheet->rows[5][2]), 100.0);
    }
    void operatorSheets()
    {
        const auto model = smallStep().load();
        const Workbook report = reportOf(*model);
        QCOMPARE(rowTexts(report.sheet("ops_summary_by_category")),
                 (std::vector<std::string>{"GEMM | 1 | 0.042 | 42 | 42", "elementwise | 2 | 0.03 | 30 | 72",
                                           "other | 2 | 0.025 | 25 | 97", "reduce | 1 | 0.003 | 3 | 100"}));
        QCOMPARE(rowTexts(report.sheet("ops_summary")),
                 (std::vector<std::string>{
                     "aten::addmm | 42 | 42 | 0.042 | 0.042 | 1 | ['GEMM'] | 42 | 42",
                     "aten::copy_ | 20 | 20 | 0.02 | 0.02 | 1 | ['elementwise'] | 20 | 62",
                     "cudaGraphLaunch | 15 | 15 | 0.015 | 0.015 | 1 | ['other'] | 15 | 77",
                     "aten::linear | 10 | 62 | 0.01 | 0.062 | 1 | ['elementwise'] | 10 | 87",
                     "conv_bn_fused | 10 | 10 | 0.01 | 0.01 | 1 | ['other'] | 10 | 97",
                     "cudaLaunchKernel | 3 | 3 | 0.003 | 0.003 | 1 | ['reduce'] | 3 | 100"}));
        RankReportOptions two;
        two.topOperators = 2;
        QCOMPARE(rowTexts(reportOf(*model, two).sheet("ops_summary")).size(), std::size_t{2});
        QCOMPARE(rowTexts(reportOf(*model, two).sheet("ops_summary")).back(),
                 rowTexts(report.sheet("ops_summary"))[1]);
    }
    /// One name may launch work of several categories: they are told in the order of the alphabet.
    void categoriesOfOneName()
    {
        KinetoText trace;
        for (const char* kernel : {reduceKernel, "something else", elementwiseKernel}) {
            const double at = 100.0 * trace.call("cudaFuncGetAttributes", 1, 0, 0.1);
            trace.cpuOp("aten::_local", 1, at, 50);
            trace.kernel(kernel, 7, 5000 + at, 10, trace.launch(1, at + 1));
        }
        const auto model = trace.load();
        QCOMPARE(rowTexts(reportOf(*model).sheet("ops_summary"), 7),
                 std::vector<std::string>{
                     "aten::_local | 30 | 30 | 0.03 | 0.03 | 3 | ['elementwise', 'other', 'reduce']"});
    }
    void kernelSummarySheet()
    {
        const auto model = smallStep().load();
        const Workbook report = reportOf(*model);
        const Sheet* const sheet = report.sheet("kernel_summary");
        QCOMPARE(
            rowTexts(sheet, 9),
            (std::vector<std::string>{
                "record_param_comms | record_param_comms | ncclDevKernel_AllReduce_Sum | 20 | 40 | 1 | 40 "
                "| 40 | 40",
                "GEMM | aten::addmm | gemm_b | 8 | 30 | 1 | 30 | 30 | 30",
                "GEMM | aten::addmm | gemm_a | 7 | 20 | 1 | 20 | 20 | 20",
                "graph | cudaGraphLaunch | graph_kernel | 7 | 15 | 2 | 7.5 | 5 | 10",
                std::string("elementwise | aten::linear | ") + elementwiseKernel
                    + " | 7 | 10 | 1 | 10 | 10 | 10",
                "other | conv_bn_fused | conv_kernel | 7 | 10 | 1 | 10 | 10 | 10",
                std::string("runtime | cudaLaunchKernel | ") + reduceKernel + " | 7 | 3 | 1 | 3 | 3 | 3",
                "- | - | orphan | 7 | 1 | 1 | 1 | 1 | 1"}));
        COLLSCOPE_CLOSE(cellNumber(sheet->rows[0][9]), 100.0 * 40 / 129);
        COLLSCOPE_CLOSE(cellNumber(sheet->rows[0][10]), 100.0 * 40 / 281);
        QCOMPARE(report.notes,
                 std::vector<std::string>{
                     "1 kernel of 9 without a parent: the trace does not record what launched them."});
    }
    void shortKernelSheets()
    {
        const auto model = smallStep().load();
        RankReportOptions options;
        options.shortKernelNs = 15'000;
        const Workbook report = reportOf(*model, options);
        QCOMPARE(
            rowTexts(report.sheet("short_kernels_summary"), 5),
            (std::vector<std::string>{"cudaGraphLaunch | graph_kernel | 15 | 2 | 7.5",
                                      std::string("aten::linear | ") + elementwiseKernel + " | 10 | 1 | 10",
                                      "conv_bn_fused | conv_kernel | 10 | 1 | 10",
                                      std::string("cudaLaunchKernel | ") + reduceKernel + " | 3 | 1 | 3",
                                      "- | orphan | 1 | 1 | 1"}));
        COLLSCOPE_CLOSE(cellNumber(report.sheet("short_kernels_summary")->rows[0][5]), 100.0 * 15 / 281);
        // Of 1, 3, 5, 10, 10 and 10 us in bins of 0.09 us.
        const Sheet* const histogram = report.sheet("short_kernel_histogram");
        QCOMPARE(histogram->rows.size(), std::size_t{100});
        for (std::size_t bin = 0; bin < 100; ++bin) {
            const std::int64_t expected = bin == 0 || bin == 22 || bin == 44 ? 1 : bin == 99 ? 3 : 0;
            QCOMPARE(*histogram->rows[bin][2].as<std::int64_t>(), expected);
            COLLSCOPE_CLOSE(cellNumber(histogram->rows[bin][0]), 1 + 0.09 * static_cast<double>(bin));
            COLLSCOPE_CLOSE(cellNumber(histogram->rows[bin][1]), 1 + 0.09 * static_cast<double>(bin + 1));
        }
        // A kernel as long as the threshold is not short.
        options.shortKernelNs = 10'000;
        QCOMPARE(rowTexts(reportOf(*model, options).sheet("short_kernels_summary")).size(), std::size_t{3});
        options.shortKernelNs = 1'000;
        QVERIFY(reportOf(*model, options).sheet("short_kernel_histogram")->isEmpty());
        QVERIFY(reportOf(*model, options).sheet("short_kernels_summary")->isEmpty());
        options.shortKernelNs = std::numeric_limits<std::int64_t>::max();
        QCOMPARE(rowTexts(reportOf(*model, options).sheet("short_kernels_summary")).size(), std::size_t{8});
    }
    void equallyShortKernels()
    {
        KinetoText trace;
        for (const double at : {0.0, 10.0, 20.0})
            trace.kernel("k", 7, at, 2, 0);
        const auto model = trace.load();
        const Workbook report = reportOf(*model);
        const Sheet* const histogram = report.sheet("short_kernel_histogram");
        QCOMPARE(rowText(*histogram, 0), std::string("1.5 | 1.51 | 0"));
        QCOMPARE(rowText(*histogram, 50), std::string("2 | 2.01 | 3"));
        QCOMPARE(rowText(*histogram, 99), std::string("2.49 | 2.5 | 0"));
    }
    /// No arrow in that trace: only what a graph launched is linked.
    void linkedOnly()
    {
        const auto model = smallStep().load();
        RankReportOptions options;
        options.linkedOnly = true;
        const Workbook report = reportOf(*model, options);
        QCOMPARE(rowText(*report.sheet("gpu_timeline"), 5), std::string("total_time | 0.015 | 100"));
        QCOMPARE(rowTexts(report.sheet("ops_summary"), 3),
                 std::vector<std::string>{"cudaGraphLaunch | 15 | 15"});
        const std::vector<std::string> kernels = rowTexts(report.sheet("kernel_summary"), 4);
        QCOMPARE(kernels.size(), std::size_t{8});
        QCOMPARE(kernels[1], std::string("- | - | gemm_b | 8"));
        QCOMPARE(kernels[3], std::string("graph | cudaGraphLaunch | graph_kernel | 7"));
        QCOMPARE(report.notes.front(),
                 std::string("9 GPU events without a launch link excluded from gpu_timeline."));
    }
    void withoutOperators()
    {
        KinetoText trace;
        trace.kernel("a", 7, 100, 5, trace.launch(1, 0));
        trace.kernel("a", 7, 110, 7, trace.call("cudaLaunchKernelExC", 1, 5, 1));
        trace.kernel("b", 7, 120, 1, 0);
        const auto model = trace.load();
        const Workbook report = reportOf(*model);
        QCOMPARE(names(report),
                 (std::vector<std::string>{"gpu_timeline", "kernel_summary", "short_kernel_histogram",
                                           "short_kernels_summary"}));
        QCOMPARE(report.sheet("kernel_summary")->columns[1], std::string("Kernel name"));
        QCOMPARE(rowTexts(report.sheet("kernel_summary"), 5),
                 (std::vector<std::string>{"runtime | a | 7 | 12 | 2", "- | b | 7 | 1 | 1"}));
        QCOMPARE(rowTexts(report.sheet("short_kernels_summary"), 3),
                 (std::vector<std::string>{"a | 12 | 2", "b | 1 | 1"}));
        QCOMPARE(report.notes.size(), std::size_t{1});
    }
    void nothingOnTheGpu()
    {
        KinetoText trace;
        trace.cpuOp("aten::mm", 1, 0, 5);
        const auto model = trace.load();
        const Workbook report = reportOf(*model);
        QCOMPARE(rowText(*report.sheet("gpu_timeline"), 0), std::string("computation_time | 0 | -"));
        for (const char* sheet : {"ops_summary_by_category", "ops_summary", "kernel_summary",
                                  "short_kernel_histogram", "short_kernels_summary"})
            QVERIFY(report.sheet(sheet) && report.sheet(sheet)->isEmpty());
    }
    /// Files of one rank are added up.
    void severalFiles()
    {
        const auto model = smallStep().load();
        const Timeline* const both[] = {&model->timelines[0], &model->timelines[0]};
        const Workbook report = rankReport(*model, both, {});
        QCOMPARE(rowText(*report.sheet("gpu_timeline"), 0, 2), std::string("computation_time | 0.162"));
        QCOMPARE(rowText(*report.sheet("ops_summary"), 0),
                 std::string("aten::addmm | 84 | 84 | 0.084 | 0.084 | 2 | ['GEMM'] | 42 | 42"));
        QCOMPARE(rowText(*report.sheet("kernel_summary"), 3, 9),
                 std::string("graph | cudaGraphLaunch | graph_kernel | 7 | 30 | 4 | 7.5 | 5 | 10"));
    }
    void cancelledAtAnyQuestion()
    {
        const auto model = smallStep().load();
        int asked = 0;
        RankReportOptions options;
        options.cancelled = [&] { return ++asked < 0; };
        QCOMPARE(reportOf(*model, options).sheets.size(), std::size_t{6});
        const int questions = asked;
        QVERIFY(questions > 5);
        for (int patience = 0; patience < questions; ++patience) {
            asked = 0;
            options.cancelled = [&] { return ++asked > patience; };
            QVERIFY(reportOf(*model, options).sheets.empty());
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestRankReport)
#include "tst_rank_report.moc"
