// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Which operator launched what: by hand, and against a count of every nanosecond.

#include "metrics/operators/operator_categories.h"
#include "metrics/operators/operator_launchers.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/kineto_text.h"

#include <QFile>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>

namespace collscope {

namespace {

bool neverCancelled()
{
    return false;
}

OperatorLaunchers launchersOf(const TraceModel& model, bool linkedOnly = false)
{
    return {model, model.timelines.front(), linkedOnly, neverCancelled};
}

/// The one launcher of that name; nullptr if there is none or several.
const OperatorLauncher* named(const TraceModel& model, const OperatorLaunchers& launchers,
                              std::string_view name)
{
    const OperatorLauncher* found = nullptr;
    for (const OperatorLauncher& launcher : launchers.all()) {
        if (model.text(launcher.name) != name)
            continue;
        if (found)
            return nullptr;
        found = &launcher;
    }
    return found;
}

/// Name of the launcher of the only kernel of that name; "" without a launcher.
std::string launcherOf(const TraceModel& model, const OperatorLaunchers& launchers, std::string_view kernel)
{
    for (const TrackId id : model.timelines.front().tracks) {
        const Track& track = model.track(id);
        for (std::uint32_t row = 0; track.kind == TrackKind::GpuStream && row < track.slices.size(); ++row) {
            if (model.text(track.slices.name[row]) != kernel)
                continue;
            const OperatorLauncher* const launcher = launchers.of({id, row});
            return launcher ? std::string(model.text(launcher->name)) : std::string();
        }
    }
    return "no such kernel";
}

/// A random tree of operators on one thread, in whole ns, and what each of them launched.
class RandomCalls
{
public:
    explicit RandomCalls(unsigned seed)
        : m_random(seed)
    {
        fill(0, 1'000'000, 0, {});
    }

    KinetoText text;
    std::map<std::string, std::set<int>> direct; ///< ns in which own work of an operator ran
    std::map<std::string, std::set<int>> inside; ///< ns in which work launched anywhere inside it ran

private:
    int below(int n) { return static_cast<int>(m_random() % static_cast<unsigned>(n)); }
    void launch(int at, const std::vector<std::string>& around)
    {
        const int correlation = text.call("cudaLaunchKernel", 1, static_cast<double>(at) / 1000, 0.002);
        const bool nccl = below(5) == 0;
        const int begin = below(3000);
        const int length = below(120);
        text.kernel(nccl ? "ncclDevKernel" : "gemm", below(4), static_cast<double>(begin) / 1000,
                    static_cast<double>(length) / 1000, correlation);
        for (int ns = begin; ns < begin + length; ++ns) {
            for (const std::string& op : around)
                inside[op].insert(ns);
            if (!nccl)
                direct[around.back()].insert(ns);
        }
    }
    void fill(int begin, int end, int depth, const std::vector<std::string>& around)
    {
        int at = begin;
        while (end - at > 50 && m_operators < 120) {
            at += 1 + below(10);
            if (!around.empty() && below(3) == 0) {
                launch(at, around);
                at += 3;
                continue;
            }
            const int length = std::min(end - at, depth == 0 ? 50'000 : 30 + below((end - at) / 2 + 1));
            std::vector<std::string> chain = around;
            chain.push_back("op " + std::to_string(++m_operators));
            text.cpuOp(chain.back(), 1, static_cast<double>(at) / 1000, static_cast<double>(length) / 1000);
            if (depth < 6)
                fill(at, at + length, depth + 1, chain);
            at += length;
        }
    }

    std::mt19937 m_random;
    int m_operators = 0;
};

} // namespace

class TestOperatorLaunchers : public QObject
{
    Q_OBJECT

private slots:
    void nearestOperatorAroundTheCall()
    {
        KinetoText trace;
        trace.python("torch/nn/modules/linear.py(1): forward", 1, 0, 100);
        trace.cpuOp("aten::linear", 1, 1, 90);
        trace.cpuOp("aten::addmm", 1, 2, 40);
        trace.python("a frame inside", 1, 3, 30);
        trace.annotation("an annotation inside", 1, 4, 20);
        trace.kernel("inner", 7, 200, 5, trace.launch(1, 5));
        trace.kernel("outer", 7, 210, 5, trace.launch(1, 50));
        trace.cpuOp("aten::elsewhere", 2, 0, 1000); // another thread
        trace.kernel("bare", 7, 220, 5, trace.launch(1, 95));
        trace.kernel("unknown", 7, 230, 5, 0);
        const auto model = trace.load();
        const OperatorLaunchers launchers = launchersOf(*model);
        QVERIFY(launchers.hasOperators());
        QCOMPARE(launchers.all().size(), std::size_t{3});
        QCOMPARE(launcherOf(*model, launchers, "inner"), std::string("aten::addmm"));
        QCOMPARE(launcherOf(*model, launchers, "outer"), std::string("aten::linear"));
        QCOMPARE(launcherOf(*model, launchers, "bare"), std::string("cudaLaunchKernel"));
        QCOMPARE(launcherOf(*model, launchers, "unknown"), std::string());
        QVERIFY(named(*model, launchers, "aten::addmm")->isOperator);
        QVERIFY(!named(*model, launchers, "cudaLaunchKernel")->isOperator);
    }
    void timesAreUnions()
    {
        KinetoText trace;
        trace.cpuOp("aten::linear", 1, 0, 100);
        trace.cpuOp("aten::addmm", 1, 10, 40);
        trace.kernel("gemm", 7, 200, 20, trace.launch(1, 11)); // [200, 220)
        trace.kernel("gemm", 8, 210, 20, trace.launch(1, 12)); // [210, 230)
        trace.work("gpu_memset", "Memset", 7, 190, 2, trace.launch(1, 13)); // the first of all
        trace.kernel("ncclDevKernel_AllReduce", 20, 300, 50, trace.launch(1, 14));
        trace.work("gpu_memcpy", "Memcpy DtoD", 7, 225, 10, trace.launch(1, 60)); // of aten::linear
        const auto model = trace.load();
        const OperatorLaunchers launchers = launchersOf(*model);
        const OperatorLauncher* const addmm = named(*model, launchers, "aten::addmm");
        QVERIFY(addmm);
        QCOMPARE(addmm->events, std::int64_t{4});
        QCOMPARE(addmm->directNs, std::int64_t{32'000}); // not the 50 us of NCCL
        QCOMPARE(addmm->subtreeNs, std::int64_t{82'000});
        QCOMPARE(addmm->category, std::string_view("GEMM"));
        QCOMPARE(model->nameOf(addmm->firstWork), std::string_view("Memset"));
        const OperatorLauncher* const linear = named(*model, launchers, "aten::linear");
        QVERIFY(linear);
        QCOMPARE(linear->events, std::int64_t{1});
        QCOMPARE(linear->directNs, std::int64_t{10'000});
        QCOMPARE(linear->subtreeNs, std::int64_t{2'000 + 35'000 + 50'000});
    }
    void onlyNcclLeavesNoWorkOfItsOwn()
    {
        KinetoText trace;
        trace.cpuOp("record_param_comms", 1, 0, 10);
        trace.kernel("ncclDevKernel_Generic", 20, 50, 5, trace.launch(1, 1));
        const auto model = trace.load();
        const OperatorLaunchers launchers = launchersOf(*model);
        QCOMPARE(launchers.all().size(), std::size_t{1});
        QVERIFY(!launchers.all()[0].firstWork);
        QCOMPARE(launchers.all()[0].directNs, std::int64_t{0});
        QCOMPARE(launchers.all()[0].subtreeNs, std::int64_t{5'000});
        QCOMPARE(launchers.all()[0].category, std::string_view("record_param_comms"));
    }
    /// Operators of a thread whose ends cross lie on overflow lanes; they still are one thread's.
    void siblingsThatOverlap()
    {
        KinetoText trace;
        trace.cpuOp("parent", 1, 0, 100);
        trace.cpuOp("first", 1, 10, 10); // [10, 20)
        trace.cpuOp("a little early", 1, 19.5, 20); // shares 0.5 us with it: a sibling
        trace.kernel("k1", 7, 200, 1, trace.launch(1, 30));
        trace.kernel("k2", 7, 210, 1, trace.launch(1, 50)); // of the parent, so that it has an entry
        trace.cpuOp("much too early", 1, 90, 50); // shares 10 us with the parent: not looked at
        trace.kernel("k3", 7, 220, 1, trace.launch(1, 95)); // the parent is still open
        trace.kernel("k4", 7, 230, 1, trace.launch(1, 120)); // and now nothing is
        trace.cpuOp("outermost", 1, 300, 10);
        trace.cpuOp("next outermost", 1, 309.5, 10);
        trace.kernel("k5", 7, 240, 1, trace.launch(1, 315));
        const auto model = trace.load();
        const OperatorLaunchers launchers = launchersOf(*model);
        QCOMPARE(launcherOf(*model, launchers, "k1"), std::string("a little early"));
        QCOMPARE(launcherOf(*model, launchers, "k3"), std::string("parent"));
        QCOMPARE(launcherOf(*model, launchers, "k4"), std::string("cudaLaunchKernel"));
        QCOMPARE(launcherOf(*model, launchers, "k5"), std::string("next outermost"));
        QCOMPARE(named(*model, launchers, "parent")->subtreeNs, std::int64_t{3'000}); // k1, k2, k3
    }
    /// Exactly a microsecond is too much; a call that crosses its operator's end is measured all the same.
    void callsThatOutliveTheirOperator()
    {
        KinetoText trace;
        trace.cpuOp("around a", 1, 0, 19);
        trace.cpuOp("a", 1, 1, 9);
        trace.kernel("k1", 7, 200, 2, trace.call("cudaLaunchKernel", 1, 9, 5));
        trace.cpuOp("b", 1, 20, 10);
        trace.cpuOp("c", 1, 22, 3);
        trace.kernel("k2", 7, 210, 3, trace.call("cudaLaunchKernel", 1, 24.001, 2)); // 0.999 us in c
        const auto model = trace.load();
        const OperatorLaunchers launchers = launchersOf(*model);
        QCOMPARE(launcherOf(*model, launchers, "k1"), std::string("cudaLaunchKernel"));
        QCOMPARE(launcherOf(*model, launchers, "k2"), std::string("b"));
        QCOMPARE(named(*model, launchers, "cudaLaunchKernel")->subtreeNs, std::int64_t{2'000});
        QCOMPARE(named(*model, launchers, "cudaLaunchKernel")->directNs, std::int64_t{2'000});
    }
    void operatorAsLongAsItsCall()
    {
        KinetoText trace;
        const int correlation = trace.call("cudaLaunchKernel", 1, 10, 2);
        trace.cpuOp("aten::relu", 1, 10, 2); // behind the call in the file
        trace.kernel("k", 7, 100, 1, correlation);
        const auto model = trace.load();
        QCOMPARE(launcherOf(*model, launchersOf(*model), "k"), std::string("aten::relu"));
    }
    void executeIsLookedThrough()
    {
        KinetoText trace;
        trace.cpuOp("conv_bn_fused", 1, 0, 20);
        trace.cpuOp("execute", 1, 1, 15);
        trace.kernel("k1", 7, 100, 1, trace.launch(1, 2));
        trace.cpuOp("execute", 1, 30, 10);
        trace.kernel("k2", 7, 110, 1, trace.launch(1, 31));
        const auto model = trace.load();
        const OperatorLaunchers launchers = launchersOf(*model);
        QCOMPARE(launcherOf(*model, launchers, "k1"), std::string("conv_bn_fused"));
        QCOMPARE(launcherOf(*model, launchers, "k2"), std::string("cudaLaunchKernel"));
    }
    void aGraphLaunchOwnsAllItsKernels()
    {
        KinetoText trace;
        const int graph = trace.call("cudaGraphLaunch", 1, 0, 10);
        trace.kernel("g1", 7, 100, 5, graph);
        trace.kernel("g2", 8, 102, 5, graph);
        const auto model = trace.load();
        for (const bool linkedOnly : {false, true}) {
            const OperatorLaunchers launchers = launchersOf(*model, linkedOnly);
            QVERIFY(!launchers.hasOperators());
            QCOMPARE(launchers.all().size(), std::size_t{1});
            QCOMPARE(launchers.all()[0].events, std::int64_t{2});
            QCOMPARE(launchers.all()[0].directNs, std::int64_t{7'000});
        }
    }
    void linkedOnlyAsksForTheArrow()
    {
        KinetoText trace;
        trace.cpuOp("aten::mm", 1, 0, 50);
        for (const double at : {1.0, 2.0, 3.0}) {
            const int correlation = trace.launch(1, at);
            trace.kernel("k" + std::to_string(correlation), 7, 100 + 10 * at, 1, correlation);
            if (correlation > 1)
                trace.link(correlation, 1, at, 7, 100 + 10 * at, correlation > 2);
        }
        const auto model = trace.load();
        QCOMPARE(launchersOf(*model).all()[0].events, std::int64_t{3});
        const OperatorLaunchers linked = launchersOf(*model, true);
        QCOMPARE(linked.all()[0].events, std::int64_t{1});
        QCOMPARE(launcherOf(*model, linked, "k1"), std::string());
        QCOMPARE(launcherOf(*model, linked, "k2"), std::string());
        QCOMPARE(launcherOf(*model, linked, "k3"), std::string("aten::mm"));
    }
    /// Far deeper than depths are counted, each operator with work of its own.
    void deepNesting()
    {
        constexpr int depth = 3000;
        KinetoText trace;
        for (int i = 0; i < depth; ++i) {
            trace.cpuOp("op" + std::to_string(i), 1, i, 2 * depth - i);
            trace.kernel("k", 7, 3 * depth + 2 * i, 1, trace.launch(1, i + 0.5));
        }
        const auto model = trace.load();
        const OperatorLaunchers launchers = launchersOf(*model);
        QCOMPARE(launchers.all().size(), std::size_t{depth});
        for (const int i : {0, 1, 255, 256, 2000, depth - 1}) {
            const OperatorLauncher* const op = named(*model, launchers, "op" + std::to_string(i));
            QVERIFY(op);
            QCOMPARE(op->directNs, std::int64_t{1'000});
            QCOMPARE(op->subtreeNs, std::int64_t{depth - i} * 1'000);
        }
    }
    void equalsACountOfEveryNanosecond()
    {
        for (unsigned seed = 1; seed <= 20; ++seed) {
            RandomCalls calls(seed);
            const auto model = calls.text.load();
            const OperatorLaunchers launchers = launchersOf(*model);
            std::size_t counted = 0;
            for (const OperatorLauncher& launcher : launchers.all()) {
                const std::string name(model->text(launcher.name));
                QCOMPARE(launcher.directNs, static_cast<std::int64_t>(calls.direct[name].size()));
                QCOMPARE(launcher.subtreeNs, static_cast<std::int64_t>(calls.inside[name].size()));
                ++counted;
            }
            QVERIFY(counted >= 10);
        }
    }
    void stopsWhenCancelled()
    {
        KinetoText trace;
        trace.cpuOp("aten::mm", 1, 0, 50);
        trace.kernel("k", 7, 100, 1, trace.launch(1, 1));
        const auto model = trace.load();
        int asked = 0;
        // Cancelled while work is collected, and then while threads are read.
        for (const int patience : {0, 1, 2}) {
            asked = 0;
            const OperatorLaunchers launchers(*model, model->timelines.front(), false,
                                              [&] { return asked++ >= patience; });
            QCOMPARE(launchers.all().empty(), patience < 2);
        }
    }
    void categories()
    {
        const std::string_view elementwise = "void at::native::vectorized_elementwise_kernel<4>(int)";
        QCOMPARE(operatorCategory("aten::mm", elementwise), std::string_view("GEMM"));
        QCOMPARE(operatorCategory("triton_poi_fused_add_0", elementwise), std::string_view("triton"));
        QCOMPARE(operatorCategory("record_param_comms", ""), std::string_view("record_param_comms"));
        QCOMPARE(operatorCategory("aten::gelu", elementwise), std::string_view("elementwise"));
        QCOMPARE(operatorCategory("aten::all", "void at::native::reduce_kernel<512, 1>()"),
                 std::string_view("reduce"));
        QCOMPARE(operatorCategory("aten::_foreach_add_",
                                  "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<>()"),
                 std::string_view("multi_tensor_apply"));
        QCOMPARE(operatorCategory("aten::all", "reduce_kernel"), std::string_view("other"));
        QCOMPARE(operatorCategory("aten::cat", "void at::native::CatArrayBatchedCopy<>()"),
                 std::string_view("other"));
        QCOMPARE(operatorCategory("aten::gelu", ""), std::string_view("other"));
    }
    void categoriesOfTraceLens()
    {
        QFile file(oracleFolder() + QStringLiteral("/reports/op_categories.csv"));
        if (oracleFolder().isEmpty() || !file.open(QIODevice::ReadOnly))
            QSKIP("the list of categories is not here: set COLLSCOPE_ORACLE");
        int rows = 0;
        for (const QByteArray& line : file.readAll().split('\n').mid(1)) {
            const qsizetype comma = line.lastIndexOf(','); // names may hold one, in quotes
            if (comma < 0)
                continue;
            QByteArray name = line.left(comma);
            if (name.startsWith('"'))
                name = name.mid(1, name.size() - 2);
            QCOMPARE(operatorCategory(name.toStdString(), ""),
                     std::string_view(line.mid(comma + 1).trimmed().toStdString()));
            ++rows;
        }
        QCOMPARE(rows, 292);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestOperatorLaunchers)
#include "tst_operator_launchers.moc"
