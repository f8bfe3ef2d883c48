// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The plan of a distributed run as text: what survives it, and what is refused.

#include "model/partial/reduce_plan.h"
#include "tests/support/suite/suite.h"

#include <QTest>

#include <map>

namespace collscope {

namespace {

std::string fileWith(const std::string& modified, const std::string& task)
{
    return R"({"path":"a","bytes":1,"modified":)" + modified
        + R"(,"iteration":-1,"name_rank":null,"chosen_rank":null,"process":"","spare":false,"reader":"kineto",)"
          R"("task":)"
        + task + "}";
}

std::string planWith(const std::string& tasks, const std::string& files = {})
{
    return R"({"schema":"collscope.plan/1","version":"1","keep":"all","paths":[],"iterations_offered":[],)"
           R"("problems":[],"wrecks":[],"tasks":)"
        + tasks + R"(,"files":[)" + files + "]}";
}

} // namespace

class TestReducePlan : public QObject
{
    Q_OBJECT

private slots:
    void hostilePlansAreRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        const auto row = [](const char* name, const char* text) { QTest::newRow(name) << QByteArray(text); };
        row("nothing", "");
        row("no object", "[1]");
        row("another schema", "{\"schema\": \"collscope.report/1\"}");
        row("schema alone", "{\"schema\": \"collscope.plan/1\"}");
        row("no tasks", planWith("0").c_str());
        row("too many", planWith("4000000000").c_str());
        row("more tasks than a number holds", planWith("4294967297").c_str());
        row("half a task", planWith("1.5").c_str());
        row("a time beyond all", planWith("1", fileWith("-9.3e18", "0")).c_str());
        row("a task that is not there", planWith("1", fileWith("1", "1")).c_str());
    }
    /// What the hostile plans are made from is a plan: each is refused for its one fault.
    void aSoundPlanIsRead()
    {
        QVERIFY(parsePlan(planWith("1")));
        QVERIFY(parsePlan(planWith("1", fileWith("1", "0"))));
    }
    void hostilePlansAreRefused()
    {
        QFETCH(const QByteArray, text);
        QVERIFY(!parsePlan(text.toStdString()));
    }
    void plansSurviveOddPaths()
    {
        ReducePlan plan;
        plan.version = COLLSCOPE_VERSION;
        plan.paths = {"/run/\xff\"\n"};
        ReducePlan::File file;
        file.path = "/run/\xfe.json";
        file.nameRank = 5;
        file.process = "node\xfd_7";
        file.isSpare = true;
        plan.files.push_back(file);
        plan.wrecks.push_back({"/run/\xfc.json", 3, "its file is empty"});
        const auto read = parsePlan(planText(plan));
        QVERIFY(read);
        QCOMPARE(read->paths, plan.paths);
        QCOMPARE(read->files.front().path, plan.files.front().path);
        QCOMPARE(read->files.front().nameRank, std::optional(5));
        QCOMPARE(read->files.front().process, file.process);
        QVERIFY(read->files.front().isSpare);
        QCOMPARE(read->wrecks.front().path, plan.wrecks.front().path);
        QCOMPARE(read->wrecks.front().rank, std::optional(3));
        QCOMPARE(read->wrecks.front().why, plan.wrecks.front().why);
    }
    void tasksHaveAboutAsMuchToDo()
    {
        ReducePlan plan;
        plan.tasks = 4;
        for (std::uint64_t bytes : {900u, 100u, 400u, 500u, 300u, 600u, 700u, 100u, 400u}) {
            ReducePlan::File& file = plan.files.emplace_back();
            file.path = "f";
            file.bytes = bytes;
            file.reader = "kineto";
        }
        divideByBytes(plan);
        std::map<std::uint32_t, std::uint64_t> load;
        for (const ReducePlan::File& file : plan.files)
            load[file.task] += file.bytes;
        QCOMPARE(load.size(), std::size_t{4});
        for (const auto& [task, bytes] : load)
            QVERIFY(bytes >= 900 && bytes <= 1100);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestReducePlan)
#include "tst_reduce_plan.moc"
