// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// PyTorch execution traces of every schema: which calls there are, how large, in which groups.

#include "model/kernels/kernel_names.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/gloo_jobs.h"
#include "tests/support/texts/kineto_text.h"

#include <QTest>

namespace collscope {

namespace {

std::string attributes(const char* name, int in, int out, int size)
{
    const auto attribute = [](const char* key, const std::string& value) {
        return std::string(",{\"name\":\"") + key + "\",\"type\":\"x\",\"value\":" + value + "}";
    };
    return "[{\"name\":\"rf_id\",\"type\":\"uint64\",\"value\":7}"
        + attribute("collective_name", std::string("\"") + name + "\"") + attribute("dtype", "\"BFloat16\"")
        + attribute("in_msg_nelems", std::to_string(in)) + attribute("out_msg_nelems", std::to_string(out))
        + attribute("in_split_size", "\"[]\"") + attribute("pg_name", "\"3\"")
        + attribute("pg_desc", "\"mesh_tp\"") + attribute("pg_size", std::to_string(size)) + "]";
}

/// With the members that tell most at the end, and the name last.
std::string chakra(const std::vector<std::string>& attributeLists)
{
    std::string text = R"({"schema": "1.1.1-chakra.0.0.4", "pid": 42, "nodes": [)"
                       R"({"id": 1, "name": "[pytorch|profiler|execution_trace|process]", "ctrl_deps": 0})";
    for (const std::string& list : attributeLists)
        text += R"(,{"inputs": {"values": [], "shapes": [], "types": []}, "attrs": )" + list
            + R"(, "name": "record_param_comms"})";
    return text + R"(], "finish_ts": 9})";
}

} // namespace

class TestExecutionTrace : public QObject
{
    Q_OBJECT

private:
    RunFolder m_folder;

private slots:
    void attributesSayAll()
    {
        m_folder.write(
            "new/torch_et_0.json",
            chakra({attributes("allreduce", 1000, 1000, 4), attributes("_allgather_base", 500, 2000, 4),
                    attributes("wait", 0, 0, 4), attributes("init", 0, 0, 4)}));
        const std::string second
            = m_folder.write("new/torch_et_1.json", chakra({attributes("allreduce", 1000, 1000, 4)}));
        const auto loaded = loadPath(m_folder.path("new"));
        QVERIFY(loaded);
        const TraceModel& run = **loaded;
        QCOMPARE(run.executionTraces.size(), std::size_t{2});
        const ExecutionTrace& trace = run.executionTraces.front();
        QCOMPARE(trace.nodes, std::uint64_t{5});
        QCOMPARE(trace.pid, std::int64_t{42});
        QCOMPARE(trace.calls.size(), std::size_t{2});
        const ExecutionTrace::Call& call = trace.calls.back();
        QCOMPARE(call.recordId, std::int64_t{7});
        QVERIFY(call.meta.kind == KernelClass::AllGather);
        QCOMPARE(run.text(call.meta.group), std::string_view("3"));
        QCOMPARE(run.text(call.meta.groupDescription), std::string_view("mesh_tp"));
        QCOMPARE(call.meta.groupSize, std::optional(4));
        QVERIFY(!call.meta.inSplit);
        QCOMPARE(run.worldSize, std::optional(4)); // by the largest group
        const MetricResult count = measure(run, "coll_call_num");
        QCOMPARE(count.value, std::optional(2.0));
        QCOMPARE(count.source, std::string("et"));
        QCOMPARE(count.scope, std::string("rank 0"));
        QCOMPARE(measureRank(run, "coll_call_num", 1).value, std::optional(1.0));
        // 2000 + 4000 bytes, and 2000.
        QCOMPARE(measure(run, "communication_volume").value, std::optional(4e-6));
        QCOMPARE(measureRank(run, "communication_volume", 0).value, std::optional(6e-6));
        QVERIFY(measure(run, "avg_step_time").state == MetricState::MissingInput);
        // A file alone is of the rank that its name says.
        const auto alone = loadPath(second);
        QVERIFY(alone);
        QCOMPARE((*alone)->executionTraces.front().rank, 1);
    }
    void oldOnesSayItByPlace_data()
    {
        QTest::addColumn<QString>("node");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* node, const char* expected) {
            QTest::newRow(name) << QString::fromUtf8(node) << QString::fromUtf8(expected);
        };
        row("1.0.1",
            R"x("inputs": [[[1,2,0,6,4,"cuda:0"]], 12, 0, 3, "all_to_all", [], []], "input_shapes": [[[2,3]],[],[],[],[],[],[]],
               "input_types": ["GenericList[Tensor(c10::Half)]","Int","Int","Int","String","GenericList[]","GenericList[]"], "rf_id": 9)x",
            "AllToAll 0  Half 6 - 9");
        row("1.0.2, with the group's size",
            R"x("inputs": {"values": [[[1,2,0,6,4,"cuda:0"]], 12, 82149104, 0, "all_gather", [], [], 2 ],
               "shapes": [[[5],[7]],[],[],[],[],[],[],[]], "types": ["GenericList[Tensor(float),Tensor(float)]","Int"]})x",
            "AllGather   float 12 2 0");
        row("1.0.3, group by name",
            R"x("inputs": {"values": [[1,2,0,6,4,"cuda:0"], 47, ["1", "tp"], 0, "broadcast", [], [], 0, 1, 8],
               "shapes": [[53120]], "types": ["Tensor(float)"]
    })x",
            "Broadcast 1 tp float 53120 8 0");
        row("no tensor",
            R"x("inputs": [141, 0, 0, "barrier", [], []], "input_types": ["Int"], "input_shapes": [[]])x",
            "other communication 0   - - 0");
        row("nonsense", R"x("inputs": {"values": [1, "broadcast"], "shapes": 5, "types": [[]]})x",
            "Broadcast    - - 0");
        row("sizes that overflow",
            R"x("inputs": {"values": [[], 1, 0, 0, "broadcast"], "shapes": [[99999999999, 99999999999]], "types": ["Tensor(float)"]})x",
            "Broadcast 0  float - - 0");
    }
    void oldOnesSayItByPlace()
    {
        QFETCH(QString, node);
        QFETCH(QString, expected);
        const std::string path = m_folder.write(
            "old/torch_et_0.json",
            R"({"schema": "1.0.1", "nodes": [{"name": "record_param_comms", )" + node.toStdString() + "}]}");
        const auto loaded = loadPath(path);
        QVERIFY(loaded);
        const ExecutionTrace& trace = (*loaded)->executionTraces.front();
        QCOMPARE(trace.calls.size(), std::size_t{1});
        const CollectiveCall& meta = trace.calls.front().meta;
        const auto text = [&](StringId id) {
            return id ? QString::fromStdString(std::string((*loaded)->text(id))) : QString();
        };
        const auto number = [](const auto& own) { return own ? QString::number(*own) : QStringLiteral("-"); };
        const QStringList got{QString::fromStdString(std::string(kernelClassName(meta.kind))),
                              text(meta.group),
                              text(meta.groupDescription),
                              text(meta.elementType),
                              number(meta.inElements),
                              number(meta.groupSize),
                              QString::number(trace.calls.front().recordId)};
        QCOMPARE(got.join(u' '), expected);
    }
    void ranksWithoutAPartnerAreNamed()
    {
        const std::string kineto = R"({"traceEvents": [{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,)"
                                   R"("ts":1,"dur":5,"args":{"stream":7}}]})";
        for (const int rank : {0, 1})
            m_folder.write("both/rank" + std::to_string(rank) + "_trace.json", kineto);
        for (const int rank : {1, 2})
            m_folder.write("both/torch_et_" + std::to_string(rank) + ".json",
                           chakra({attributes("allreduce", 8, 8, 4)}));
        const auto loaded = loadPath(m_folder.path("both"));
        QVERIFY(loaded);
        const auto explanationOf = [&](std::string_view code) {
            const Diagnostic* problem = findProblem((*loaded)->problems, code);
            return problem ? problem->explanation : std::string();
        };
        QVERIFY(explanationOf("no_execution_trace").ends_with("no execution traces: 0."));
        QVERIFY(explanationOf("no_timeline").ends_with("no timelines: 2."));
        QVERIFY(measure(**loaded, "coll_call_num").source != "et"); // a timeline answers better
    }
    void severalOfARankCountOnce()
    {
        m_folder.write("several/a/torch_et_0.json", chakra({attributes("allreduce", 8, 8, 2)}));
        m_folder.write("several/b/torch_et_0.json",
                       chakra({attributes("allreduce", 8, 8, 2), attributes("broadcast", 8, 8, 2)}));
        LoadOptions asOne; // two folders with the same rank are two runs, unless somebody says otherwise
        asOne.asOneRun = true;
        QVERIFY(!loadPath(m_folder.path("several")));
        const auto loaded = loadPath(m_folder.path("several"), asOne);
        QVERIFY(loaded && (*loaded)->executionTraces.size() == 2);
        QCOMPARE((*loaded)->executionTraces.back().rank, (*loaded)->executionTraces.front().rank);
        const MetricResult calls = measure(**loaded, "coll_call_num");
        QCOMPARE(calls.value, std::optional(2.0)); // of the last one
        QCOMPARE(calls.rows.size(), std::size_t{1});
        QVERIFY(calls.warnings.back().starts_with("Not counted: 1 execution trace of ranks"));
    }
    void oneOddNodeIsLeftOut()
    {
        const std::string text = chakra(
            {attributes("allreduce", 8, 8, 2), "[{\"name\":\"x\"}]", attributes("broadcast", 8, 8, 2)});
        const auto loaded = loadPath(m_folder.write("odd/torch_et_0.json", text));
        QVERIFY(loaded);
        QCOMPARE((*loaded)->executionTraces.front().calls.size(), std::size_t{2});
        QVERIFY(findProblem((*loaded)->problems, "bad_node"));
        const SourceInfo& source = (*loaded)->sources.front();
        QCOMPARE(source.excluded, std::uint64_t{1});
        QCOMPARE(source.shown + source.excluded, source.eventsInFile);
    }
    void damagedOnesKeepWhatIsThere()
    {
        const std::string whole
            = chakra({attributes("allreduce", 8, 8, 2), attributes("allreduce", 8, 8, 2)});
        std::size_t calls = 0;
        for (std::size_t cut = 60; cut < whole.size(); cut += 7) {
            const auto loaded = loadPath(m_folder.write("cut/torch_et_0.json", whole.substr(0, cut)));
            if (!loaded)
                continue;
            QVERIFY((*loaded)->executionTraces.front().calls.size() >= calls);
            calls = (*loaded)->executionTraces.front().calls.size();
        }
        QVERIFY(calls >= 1);
    }
    void wholeFiles_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("nodes");
        QTest::addColumn<QString>("kinds");
        writeGlooJob(GlooJob::ExecutionTraces, m_folder.path("gloo"));
        QTest::newRow("planted") << QString::fromStdString(m_folder.path("gloo/torch_et_0.json")) << 9
                                 << QStringLiteral("4 AllReduce");
        if (tracesFolder().isEmpty())
            return;
        const auto row = [](const char* file, int nodes, const char* kinds) {
            QTest::newRow(file) << tracesFolder() + u'/' + QString::fromUtf8(file) << nodes
                                << QString::fromUtf8(kinds);
        };
        // Counted by a few lines of Python.
        row("multirank/param_dlrm_8rank/torch_et/dlrm_eg_0.json", 1675, "3 AllReduce 5 AllToAll");
        row("torch_et/param/resnet_et.json.gz", 14392, "15 AllReduce 6 Broadcast");
        row("torch_et/param/pt2_et.json", 20, "");
        row("kineto/hta/execution_trace/benchmark_simple_add_et.json.gz", 38, "");
    }
    void wholeFiles()
    {
        QFETCH(QString, file);
        QFETCH(int, nodes);
        QFETCH(QString, kinds);
        const auto loaded = loadPath(file.toStdString());
        QVERIFY(loaded);
        const ExecutionTrace& trace = (*loaded)->executionTraces.front();
        QCOMPARE(trace.nodes, static_cast<std::uint64_t>(nodes));
        std::map<std::string, int> counts;
        for (const ExecutionTrace::Call& call : trace.calls)
            ++counts[std::string(kernelClassName(call.meta.kind))];
        QStringList all;
        for (const auto& [kind, count] : counts)
            all << QStringLiteral("%1 %2").arg(count).arg(QString::fromStdString(kind));
        QCOMPARE(all.join(u' '), kinds);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestExecutionTrace)
#include "tst_execution_trace.moc"
