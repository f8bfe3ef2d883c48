// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// One file read by several threads: the same model as by one, whatever the file holds where it is cut.

#include "app/runtime/thread_pool.h"
#include "tests/support/suite/model_digest.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/texts/json_text.h"
#include "tests/support/workloads/run_writer.h"

#include <QTemporaryDir>

namespace collscope {

namespace {

constexpr int eventCount = 40'000; // about 6 MB: many times what is parsed at once

/// Events of many kinds; `extra` is put in the middle of every thousandth one's args.
std::string events(const std::string& extra)
{
    std::string text;
    for (int i = 0; i < eventCount; ++i) {
        const std::string n = std::to_string(i);
        const std::string thread = std::to_string(i % 3);
        text += i > 0 ? ",\n" : "";
        switch (i % 5) {
        case 0:
            text += json("{'ph':'X','cat':'kernel','name':'ncclDevKernel_AllReduce_") + std::to_string(i % 11)
                + json("','pid':0,'tid':") + thread + json(",'ts':") + n
                + json(".5,'dur':0.25,'args':{'stream':") + thread + json(",'correlation':") + n
                + json(",'Collective name':'allreduce','Seq':") + n + json(",'grid':[1,2,") + thread + "]}}";
            break;
        case 1:
            text += json("{'ph':'X','cat':'cpu_op','name':'aten::op") + std::to_string(i % 400)
                + json("','pid':9,'tid':") + thread + json(",'ts':") + n
                + json(",'dur':7.125,'args':{'External id':") + n
                + (i % 1000 == 1 ? "," + extra : std::string()) + "}}";
            break;
        case 2:
            // Half of the pairs are open at any time, so many lie across a cut.
            text += json("{'ph':'") + std::string(i / 5 % 2 == 0 ? "B" : "E") + json("','name':'range")
                + thread + json("','pid':9,'tid':'pairs','ts':") + n + "}";
            break;
        case 3:
            text += json("{'ph':'") + std::string(i % 2 == 0 ? "s" : "f")
                + json("','cat':'ac2g','name':'ac2g','id':") + std::to_string(i / 10)
                + json(",'pid':9,'tid':") + thread + json(",'ts':") + n + "}";
            break;
        default:
            text += i % 10 == 4
                ? json("{'ph':'i','name':'mark','pid':9,'tid':1,'ts':") + n + "}"
                : json("{'ph':'C','name':'bytes','pid':9,'ts':") + n + json(",'args':{'a':") + n + "}}";
        }
    }
    return text;
}

} // namespace

class TestKinetoParallel : public QObject
{
    Q_OBJECT

private:
    static TraceModelPtr load(const std::string& path, int threads)
    {
        const auto plan = planLoad({path}, {});
        LoadContext context;
        context.parallel = threadPool(threads);
        auto model = loadTrace(*plan, context);
        return model ? *model : nullptr;
    }

private slots:
    void threadsDoNotChangeTheModel_data()
    {
        QTest::addColumn<QByteArray>("text");
        const auto row = [](const char* what, const std::string& text) {
            QTest::newRow(what) << QByteArray(text.data(), static_cast<qsizetype>(text.size()));
        };
        const std::string head
            = json("{'schemaVersion':1,'distributedInfo':{'rank':2,'world_size':4},'traceEvents':[");
        const std::string sound = head + events(json("'x':1"));
        row("sound", sound + json("],'traceName':'t'}"));
        row("metadata behind the events",
            "{\"traceEvents\":[" + events(json("'x':1"))
                + json("],'distributedInfo':{'rank':3,'world_size':8},'notes':'") + std::string(900'000, 'n')
                + "\"}");
        row("cut off", sound.substr(0, sound.size() - 40));
        row("bare list", "[" + events(json("'x':1")) + "]");
        // What looks like two events inside one: wherever it is cut, the cut is wrong.
        const std::string inner = json("{'ph':'X','name':'inner','ts':1,'dur':1}");
        row("events in events", head + events("\"list\":[" + inner + "," + inner + "," + inner + "]") + "]}");
        row("not a number", head + events(json("'x':NaN")) + "]}");
        row("control characters", head + events("\"x\":\"a\x01\"") + "]}");
        row("elements that are no events", head + "1,2,[3]," + events(json("'x':1")) + ",null,\"s\"]}");
    }
    void threadsDoNotChangeTheModel()
    {
        QFETCH(QByteArray, text);
        const QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("trace.json")).toStdString();
        writeFile(path, {text.constData(), static_cast<std::size_t>(text.size())});
        const TraceModelPtr one = load(path, 1);
        QVERIFY(one);
        QVERIFY(one->sources[0].eventsInFile >= eventCount - 1);
        QCOMPARE(one->sources[0].eventsInFile, one->sources[0].shown + one->sources[0].excluded);
        for (const int threads : {2, 3, 5}) {
            const TraceModelPtr several = load(path, threads);
            QVERIFY(several);
            QCOMPARE(modelDigest(*several), modelDigest(*one));
            QCOMPARE(several->problems.excludedEvents(), one->problems.excludedEvents());
            QCOMPARE(several->problems.entries().size(), one->problems.entries().size());
        }
        const std::string packed = path + ".gz";
        writeFile(packed, gzipped({text.constData(), static_cast<std::size_t>(text.size())}));
        QCOMPARE(modelDigest(*load(packed, 2)), modelDigest(*one));
    }
    void digestsTellModelsApart()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("trace.json")).toStdString();
        std::string text = "[" + events(json("'x':1")) + "]";
        writeFile(path, text);
        const std::string before = modelDigest(*load(path, 1));
        text.replace(text.rfind(".25"), 3, ".26");
        writeFile(path, text);
        QVERIFY(modelDigest(*load(path, 1)) != before);
    }
    void cancelAnswersBetweenTwoRounds()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("trace.json")).toStdString();
        writeFile(path, "[" + events(json("'x':1")) + "]");
        const auto plan = planLoad({path}, {});
        for (const int threads : {1, 2}) {
            LoadContext context;
            context.parallel = threadPool(threads);
            std::uint64_t furthest = 0;
            std::stop_source user;
            context.stop = user.get_token();
            context.progress = [&](std::size_t, std::uint64_t done) {
                furthest = done;
                user.request_stop();
            };
            const auto result = loadTrace(*plan, context);
            QVERIFY(!result && result.error().kind == Error::Kind::Cancelled);
            QVERIFY2(furthest < std::uint64_t{5} << 20, "most of the file was still read after the cancel");
        }
    }
    void aRawQuoteCostsNothing_data()
    {
        QTest::addColumn<int>("threads");
        QTest::newRow("one thread") << 1;
        QTest::newRow("two threads") << 2;
    }
    void aRawQuoteCostsNothing()
    {
        QFETCH(int, threads);
        const QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("trace.json")).toStdString();
        writeFile(path,
                  "[" + events(json("'x':1")) + json(",{'ph':'X','name':'bad'quote','ts':1,'dur':1},")
                      + events(json("'x':1")) + "]");
        const TraceModelPtr model = load(path, threads);
        QVERIFY(model);
        QCOMPARE(model->sources[0].eventsInFile, std::uint64_t{2 * eventCount + 1});
        QCOMPARE(model->sources[0].excluded, std::uint64_t{0});
        QVERIFY(findProblem(model->problems, "unescaped_quote") != nullptr);
        QVERIFY(static_cast<bool>(model->strings.find(json("bad'quote"))));
    }
    void bracketsThatNeverCloseEndSoon()
    {
        // Each of these looks like an event and opens a bracket for good: cutting at one must not start over.
        std::string text = "[";
        for (int i = 0; i < 200'000; ++i)
            text += json("{'ph':[},");
        const auto fragment = readKineto(text);
        QVERIFY(fragment.has_value());
        QCOMPARE(fragment->source.excluded, fragment->source.eventsInFile);
        QCOMPARE(fragment->source.eventsInFile, std::uint64_t{200'000});
    }
    void behindDamageSoundEventsStay()
    {
        // The first string never ends. Behind it: an event that begins with an unusual key, one that holds
        // what looks like two events, the end of the list, and a list of devices that looks like events, too.
        const std::string text = json(
            "{'distributedInfo':{'rank':6,'world_size':8},'traceEvents':[{'ph':'X','name':'lo\"st,'ts':1,"
            "'dur':1},\n"
            "{'ph':'X','name':'one','pid':1,'tid':1,'ts':2,'dur':1},\n"
            "{'sf':7,'ph':'X','name':'two','pid':1,'tid':1,'ts':4,'dur':1},\n"
            "{'ph':'X','name':'three','pid':1,'tid':1,'ts':6,'dur':1,'args':{'l':[{'id':1},{'id':2}]}},\n"
            "{'ph':'X','name':'four','pid':1,'tid':1,'ts':8,'dur':1}\n"
            "],'deviceProperties':[{'id':0,'name':'H100'},{'id':1,'name':'H100'}]}");
        const auto fragment = readKineto(text);
        QVERIFY(fragment.has_value());
        QCOMPARE(fragment->source.eventsInFile, std::uint64_t{5});
        QCOMPARE(fragment->source.shown, std::uint64_t{4});
        QCOMPARE(fragment->source.excluded, std::uint64_t{1});
        QCOMPARE(fragment->tracks.at(0).slices.size(), std::size_t{4});
        QCOMPARE(fragment->contentRank, std::optional(6));
        QVERIFY(findProblem(fragment->problems, "truncated") == nullptr);
    }
    void theIndexKnowsTheClassThatTheMetadataSay()
    {
        // Older profilers: the kernel's name says Send/Recv, the call around its launch says AllToAll.
        const auto fragment = readKineto(
            json("[{'ph':'X','cat':'cpu_op','name':'record_param_comms','pid':1,'tid':1,'ts':1,'dur':9,"
                 "'args':{'External id':4,'Collective name':'all_to_allv'}},"
                 "{'ph':'X','cat':'kernel','name':'ncclDevKernel_SendRecv(ncclDevKernelArgsStorage)','pid':0,"
                 "'tid':7,'ts':5,'dur':8,'args':{'External id':4,'device':0,'stream':7}}]"));
        QVERIFY(fragment.has_value());
        for (const Track& track : fragment->tracks) {
            SliceColumns again = track.slices;
            again.buildIndex();
            QVERIFY(track.slices.index == again.index);
            if (track.kind == TrackKind::GpuStream)
                QCOMPARE(track.slices.index.summary(0).longestClass, KernelClass::AllToAll);
        }
    }
    void argsMayComeBeforeThePhase()
    {
        // Tools that sort keys write them so.
        const auto fragment = readKineto(json(
            "[{'args':{'correlation':5,'stream':7},'cat':'kernel','dur':2,'name':'gemm','ph':'X','pid':0,"
            "'tid':7,'ts':1},"
            "{'args':{'name':'python'},'name':'thread_name','ph':'M','pid':1,'tid':2,'ts':0},"
            "{'args':{'value':3.5},'name':'util','ph':'C','pid':0,'ts':4},"
            "{'args':{},'cat':'cpu_op','dur':1,'name':'op','ph':'X','pid':1,'tid':2,'ts':1}]"));
        QVERIFY(fragment.has_value());
        QCOMPARE(fragment->source.shown, std::uint64_t{4});
        QVERIFY(fragment->problems.isEmpty());
        QVERIFY(static_cast<bool>(fragment->timelines[0].gpuSliceOf(5)));
        QCOMPARE(fragment->timelines[0].counters.at(0).value.at(0), 3.5);
        const Track& thread = fragment->tracks.back();
        QCOMPARE(fragment->strings.view(thread.name), std::string_view("python (2)"));
    }
    void aSecondDocumentIsReadToo()
    {
        const auto fragment = readKineto(
            json("{'distributedInfo':{'rank':3},'traceEvents':[{'ph':'i','name':'a','ts':1}]}") + "\n"
            + json(
                "{'distributedInfo':{'rank':5},'traceEvents':[{'ph':'i','name':'b','ts':2},{'ph':'i','name':'"
                "c','ts':3}]}"));
        QVERIFY(fragment.has_value());
        QCOMPARE(fragment->source.shown, std::uint64_t{3});
        QCOMPARE(fragment->contentRank, std::optional(3));
        QVERIFY(findProblem(fragment->problems, "several_documents") != nullptr);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestKinetoParallel)
#include "tst_kineto_parallel.moc"
