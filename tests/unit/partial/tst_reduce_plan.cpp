// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The plan of a distributed run as text: what survives it, and what is refused.

#include "model/partial/reduce_plan.h"
#include "tests/support/suite/suite.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <random>

namespace collscope {

namespace {

std::string fileWith(const std::string& checksum, const std::string& task)
{
    return R"({"path":"a","bytes":1,"head_crc32":7,"tail_crc32":)" + checksum
        + R"(,"iteration":-1,"name_rank":null,"chosen_rank":null,"process":"","spare":false,"reader":"kineto",)"
          R"("task":)"
        + task + "}";
}

std::string planWith(const std::string& tasks, const std::string& files = {})
{
    return R"({"schema":"collscope.plan/2","version":"1","keep":"all","paths":[],"iterations_offered":[],)"
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
        row("a checksum beyond all", planWith("1", fileWith("9.3e18", "0")).c_str());
        row("a negative checksum", planWith("1", fileWith("-1", "0")).c_str());
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
    void tasksHaveBlocksOfRanks_data()
    {
        QTest::addColumn<QList<int>>("ranks"); // -1: no rank
        QTest::addColumn<QList<int>>("bytes");
        QTest::addColumn<int>("tasks");
        QTest::addColumn<QList<int>>("expected"); // the task of each file
        QTest::newRow("in rank order, whatever the order of files")
            << QList{3, 0, 2, 1} << QList{100, 100, 100, 100} << 2 << QList{1, 0, 1, 0};
        QTest::newRow("without ranks in the order of files")
            << QList{-1, -1, -1, -1} << QList{300, 100, 100, 100} << 2 << QList{0, 1, 1, 1};
        QTest::newRow("files without a rank are last")
            << QList{-1, 1, 0} << QList{100, 100, 100} << 3 << QList{2, 1, 0};
        QTest::newRow("by bytes, not by files")
            << QList{0, 1, 2, 3} << QList{900, 300, 300, 300} << 2 << QList{0, 1, 1, 1};
        QTest::newRow("the nearest end")
            << QList{0, 1, 2, 3} << QList{400, 300, 300, 200} << 2 << QList{0, 0, 1, 1};
        QTest::newRow("a rank stays whole")
            << QList{0, 0, 0, 1, 1, 1} << QList{90, 90, 90, 110, 110, 110} << 2 << QList{0, 0, 0, 1, 1, 1};
        QTest::newRow("fewer ranks than tasks")
            << QList{0, 0, 1, 1} << QList{100, 100, 100, 100} << 4 << QList{0, 1, 2, 3};
        QTest::newRow("a rank larger than a share")
            << QList{0, 1, 1, 1, 1} << QList{100, 200, 200, 210, 200} << 3 << QList{0, 0, 1, 1, 2};
        QTest::newRow("one file has nearly all")
            << QList{0, 1, 2, 3} << QList{9000, 1, 1, 1} << 3 << QList{0, 1, 2, 2};
        QTest::newRow("the last file has nearly all")
            << QList{0, 1, 2, 3} << QList{1, 1, 1, 9000} << 3 << QList{0, 0, 1, 2};
        QTest::newRow("empty files") << QList{0, 1, 2, 3} << QList{0, 0, 0, 0} << 2 << QList{0, 0, 1, 1};
        QTest::newRow("more tasks than files") << QList{1, 0} << QList{5, 5} << 7 << QList{1, 0};
        QTest::newRow("no files") << QList<int>() << QList<int>() << 3 << QList<int>();
    }
    void tasksHaveBlocksOfRanks()
    {
        QFETCH(const QList<int>, ranks);
        QFETCH(const QList<int>, bytes);
        QFETCH(const int, tasks);
        QFETCH(const QList<int>, expected);
        ReducePlan plan;
        plan.tasks = static_cast<std::uint32_t>(tasks);
        for (qsizetype i = 0; i < ranks.size(); ++i) {
            ReducePlan::File& file = plan.files.emplace_back();
            if (ranks[i] >= 0)
                file.nameRank = ranks[i];
            file.identity.bytes = static_cast<std::uint64_t>(bytes[i]);
        }
        divideByRank(plan);
        QList<int> found;
        for (const ReducePlan::File& file : plan.files)
            found << static_cast<int>(file.task);
        QCOMPARE(found, expected);
    }
    /// The user's choice of a rank is above that of the name, and a process without a rank stays whole.
    void ranksAreThoseOfTheRun()
    {
        ReducePlan plan;
        plan.tasks = 2;
        plan.files.resize(4);
        for (std::size_t i = 0; i < 4; ++i) {
            plan.files[i].identity.bytes = 100;
            plan.files[i].nameRank = static_cast<std::int32_t>(i);
            plan.files[i].chosenRank = static_cast<std::int32_t>(3 - i);
        }
        divideByRank(plan);
        QCOMPARE(plan.files[0].task, 1u);
        QCOMPARE(plan.files[3].task, 0u);
        for (std::size_t i = 0; i < 4; ++i) {
            plan.files[i].nameRank = plan.files[i].chosenRank = std::nullopt;
            plan.files[i].process = i < 3 ? "node1_7" : "node1_8";
            plan.files[i].identity.bytes = i < 3 ? 60 : 200;
        }
        divideByRank(plan);
        QCOMPARE(plan.files[2].task, 0u);
        QCOMPARE(plan.files[3].task, 1u);
    }
    /// However the sizes are distributed: each task has a block, none is empty, and none is more than a rank
    /// above its share.
    void noTaskIsMoreThanARankAboveItsShare()
    {
        std::mt19937 random(7);
        for (int round = 0; round < 300; ++round) {
            ReducePlan plan;
            const auto ranks = static_cast<std::uint32_t>(1 + random() % 200);
            plan.tasks = static_cast<std::uint32_t>(1 + random() % ranks);
            std::uint64_t total = 0, most = 0;
            for (std::uint32_t rank = 0; rank < ranks; ++rank) {
                ReducePlan::File& file = plan.files.emplace_back();
                file.nameRank = static_cast<std::int32_t>(rank);
                file.identity.bytes = random() % 5 == 0 ? random() % 100'000 : 1000 + random() % 100;
                total += file.identity.bytes + 1;
                most = std::max(most, file.identity.bytes + 1);
            }
            std::shuffle(plan.files.begin(), plan.files.end(), random);
            divideByRank(plan);
            std::map<std::int32_t, const ReducePlan::File*> byRank;
            std::map<std::uint32_t, std::uint64_t> work;
            for (const ReducePlan::File& file : plan.files) {
                byRank[*file.nameRank] = &file;
                work[file.task] += file.identity.bytes + 1;
            }
            QCOMPARE(work.size(), std::size_t{plan.tasks});
            for (const auto& [task, own] : work)
                QVERIFY(own <= total / plan.tasks + most + 1);
            std::uint32_t last = 0;
            for (const auto& [rank, file] : byRank) {
                QVERIFY(file->task >= last);
                last = file->task;
            }
        }
    }
    /// Where the product of bytes and tasks is more than a number holds.
    void petabytesAreDivided()
    {
        ReducePlan plan;
        plan.tasks = 100'000;
        plan.files.resize(200'000);
        for (ReducePlan::File& file : plan.files)
            file.identity.bytes = std::uint64_t{1} << 40;
        divideByRank(plan);
        for (std::size_t i = 0; i < plan.files.size(); ++i)
            QCOMPARE(plan.files[i].task, static_cast<std::uint32_t>(i / 2));
    }
    void whichNamesAreOfSingleParts()
    {
        for (const std::uint32_t task : {0u, 99'999u, 100'000u})
            QVERIFY(isPartName(partName(task, 0x9f86d081884c7d65)));
        for (const std::string& other :
             {joinedPartName(0, 99, 0x9f86d081884c7d65), std::string("copy.cspart"), "old-" + partName(1, 2),
              partName(1, 2) + ".tmp"})
            QVERIFY2(!isPartName(other), other.c_str());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestReducePlan)
#include "tst_reduce_plan.moc"
