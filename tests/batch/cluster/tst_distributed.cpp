// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// plan, reduce, merge and slurm through the real binary: what they write, what they say, and their exit
// codes.

#include "tests/batch/program.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/planted_run.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

namespace collscope {

class TestDistributed : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    static ProgramRun run(const QString& verb, const QStringList& arguments)
    {
        return runProgram(QStringList{QStringLiteral("--batch"), verb} + arguments);
    }
    ProgramRun plan(int tasks, const char* file, const QStringList& more = {}) const
    {
        return run(QStringLiteral("plan"),
                   QStringList{path("run"), QStringLiteral("--tasks"), QString::number(tasks),
                               QStringLiteral("-o"), path(file)}
                       + more);
    }
    ProgramRun reduce(const char* file, int task, const char* parts) const
    {
        return run(QStringLiteral("reduce"),
                   {path(file), QStringLiteral("--task"), QString::number(task), QStringLiteral("-j"),
                    QStringLiteral("2"), QStringLiteral("-o"), path(parts)});
    }
    ProgramRun merge(const char* parts, const QStringList& more) const
    {
        return run(QStringLiteral("merge"), QStringList{path(parts)} + more);
    }
    QStringList partsIn(const char* folder) const
    {
        return QDir(path(folder)).entryList({QStringLiteral("*.cspart")}, QDir::Files, QDir::Name);
    }

private slots:
    void initTestCase()
    {
        PlantedPlan planted;
        planted.ranks = 5;
        planted.steps = 4;
        QDir().mkpath(path("run"));
        writePlanted(planted, path("run").toStdString());
        for (const int tasks : {1, 3}) {
            const QByteArray file = "plan" + QByteArray::number(tasks) + ".json";
            const QByteArray parts = "parts" + QByteArray::number(tasks);
            QCOMPARE(plan(tasks, file).exitCode, 0);
            for (int task = 0; task < tasks; ++task) {
                const ProgramRun reduced = reduce(file, task, parts);
                QVERIFY2(reduced.exitCode == 0, reduced.err.constData());
            }
        }
    }
    void mergesToWhatOneProcessPrints_data()
    {
        QTest::addColumn<QStringList>("arguments");
        const auto row
            = [](const char* name, const QStringList& arguments) { QTest::newRow(name) << arguments; };
        row("all metrics", {QStringLiteral("--json")});
        row("table", {QStringLiteral("--metric"), QStringLiteral("all")});
        row("CSV", {QStringLiteral("--csv"), QStringLiteral("-")});
        row("one metric", {QStringLiteral("--metric"), QStringLiteral("comm_comp_overlap")});
        row("tools", {QStringLiteral("--tools"), QStringLiteral("all")});
        row("kernels", {QStringLiteral("--kernel-summary")});
    }
    void mergesToWhatOneProcessPrints()
    {
        QFETCH(const QStringList, arguments);
        const ProgramRun whole = runBatchProgram(QStringList{path("run")} + arguments);
        QVERIFY2(whole.exitCode == 0 && !whole.out.isEmpty(), whole.err.constData());
        for (const char* parts : {"parts1", "parts3"}) {
            const ProgramRun merged = merge(parts, arguments);
            QVERIFY2(merged.exitCode == 0, merged.err.constData());
            QCOMPARE(merged.out, whole.out);
        }
        // The folder of the parts is a run like any other.
        QCOMPARE(runBatchProgram(QStringList{path("parts3")} + arguments).out, whole.out);
    }
    /// The calls of all ranks are folded before other metrics are computed; the order of the rows stays.
    void mergesSumsToWhatOneProcessWrites()
    {
        QCOMPARE(plan(2, "sums.json", {QStringLiteral("--keep"), QStringLiteral("summary")}).exitCode, 0);
        for (const int task : {0, 1})
            QCOMPARE(reduce("sums.json", task, "sums").exitCode, 0);
        const QStringList metrics{QStringLiteral("--metric"),
                                  QStringLiteral("avg_step_time,straggler,comm_comp_overlap,gpu_idle_time")};
        const auto csvOf = [&](const ProgramRun& run, const char* file) {
            return run.exitCode == 0 && run.out.isEmpty() ? contentOf(path(file)) : run.err;
        };
        const QByteArray whole
            = csvOf(runBatchProgram(QStringList{path("run")} + metrics
                                    + QStringList{QStringLiteral("--csv"), path("whole.csv")}),
                    "whole.csv");
        const QByteArray merged = csvOf(
            merge("sums", metrics + QStringList{QStringLiteral("--csv"), path("sums.csv")}), "sums.csv");
        QVERIFY2(whole.count("\nstraggler,rank,") == 5, whole.constData());
        QCOMPARE(whole.count(",rank and step,"), 2 * 5 * 2); // two metrics, five ranks, two inner steps
        QCOMPARE(merged, whole);
        // Values of ranks and steps also go to standard output, and not into text and JSON.
        QCOMPARE(merge("sums", metrics + QStringList{QStringLiteral("--csv"), QStringLiteral("-")}).out,
                 whole);
        QCOMPARE(merge("sums", metrics).out, runBatchProgram(QStringList{path("run")} + metrics).out);
    }
    void aTaskThatRanBeforeIsDone()
    {
        const QStringList parts = partsIn("parts3");
        const QString part = path("parts3") + QLatin1Char('/') + parts.at(1);
        const QDateTime before = QFileInfo(part).lastModified();
        const ProgramRun again = reduce("plan3.json", 1, "parts3");
        QCOMPARE(again.exitCode, 0);
        QVERIFY2(again.err.contains("already exists"), again.err.constData());
        QCOMPARE(QFileInfo(part).lastModified(), before);
        // What a node that died left behind is written anew, byte for byte.
        const QByteArray sound = contentOf(part);
        QVERIFY(QFile::resize(part, sound.size() / 2));
        QCOMPARE(reduce("plan3.json", 1, "parts3").exitCode, 0);
        QVERIFY(contentOf(part) == sound);
    }
    void missingRanksStopTheMerge()
    {
        QCOMPARE(plan(3, "lost.json").exitCode, 0);
        QCOMPARE(reduce("lost.json", 0, "lost").exitCode, 0);
        QCOMPARE(reduce("lost.json", 2, "lost").exitCode, 0);
        const QStringList metric{QStringLiteral("--metric"), QStringLiteral("avg_step_time")};
        const ProgramRun stopped = merge("lost", metric);
        QCOMPARE(stopped.exitCode, 3);
        QVERIFY2(stopped.out.isEmpty() && stopped.err.contains("Task 1 of 3 produced no part")
                     && stopped.err.contains("ranks "),
                 stopped.err.constData());
        const ProgramRun taken = merge("lost", metric + QStringList{QStringLiteral("--allow-missing")});
        QVERIFY2(taken.exitCode == 0 && taken.out.toDouble() > 0, taken.err.constData());
        QVERIFY(taken.err.contains("missing_part"));
    }
    void wrongUsage()
    {
        QCOMPARE(run(QStringLiteral("plan"), {path("run")}).exitCode, 1); // how many tasks?
        QCOMPARE(
            run(QStringLiteral("plan"), {path("nowhere"), QStringLiteral("--tasks"), QStringLiteral("2")})
                .exitCode,
            2);
        QCOMPARE(reduce("plan3.json", 3, "parts3").exitCode, 1);
        QCOMPARE(reduce("nothing.json", 0, "parts3").exitCode, 1);
        QCOMPARE(merge("run", {}).exitCode, 2);
        QCOMPARE(reduce("plan1.json", 0, "parts3").exitCode, 4); // parts of another plan
        QCOMPARE(runBatchProgram({path("run"), QStringLiteral("--allow-missing")}).exitCode, 1);
        QCOMPARE(run(QStringLiteral("slurm"), {QStringLiteral("--help")}).exitCode, 0);
    }
    void aVersionDoesNotReadThePlanOfAnother()
    {
        QByteArray text = contentOf(path("plan1.json"));
        text.replace("\"version\": \"", "\"version\": \"9.");
        QFile file(path("other.json"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        file.close();
        const ProgramRun refused = reduce("other.json", 0, "other");
        QCOMPARE(refused.exitCode, 1);
        QVERIFY2(refused.err.contains("create a new plan"), refused.err.constData());
    }
    void aFolderOfThatNameIsWrittenWithADot()
    {
        // From the folder that holds it; the program starts where the tests do.
        const QString folder = QDir(path("run")).absolutePath();
        QVERIFY(QFile::link(folder, path("merge")));
        QCOMPARE(runBatchProgram({path("merge"), QStringLiteral("--metric"), QStringLiteral("avg_step_time")})
                     .exitCode,
                 0);
    }
    void theKitIsWritten()
    {
        const QStringList write{QStringLiteral("--write-kit"), path("kit")};
        const ProgramRun written = runBatchProgram(write);
        QVERIFY2(written.exitCode == 0 && written.out.trimmed() == path("kit").toLocal8Bit(),
                 written.err.constData());
        QVERIFY(QFileInfo(path("kit/perlmutter/submit_all.sh")).isExecutable());
        QVERIFY(QFileInfo::exists(path("kit/tools/nvlink_sampler.cpp")));
        QVERIFY(!QFileInfo::exists(path("kit/tools/CMakeLists.txt")));
        QCOMPARE(runBatchProgram(write).exitCode, 4); // nothing is written over
        // What it says of its workloads is what the program reads.
        const QStringList folders
            = QDir(path("kit/workloads")).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
        QCOMPARE(folders.size(), 7);
        for (const QString& folder : folders) {
            const QString base = path("kit/workloads/") + folder;
            const ProgramRun read = runBatchProgram(
                {path("run"), QStringLiteral("--card"), base + QStringLiteral("/workload_card.yaml"),
                 QStringLiteral("--config"), base + QStringLiteral("/train_config.toml"),
                 QStringLiteral("--metric"), QStringLiteral("config_metadata"), QStringLiteral("--json")});
            const auto answer = jsonOf(read.out);
            QVERIFY2(read.exitCode == 0 && !answer.is_discarded(), read.err.constData());
            const auto& config = answer["config_metadata"];
            QVERIFY2(config["status"] == "value", read.out.constData());
            const auto& degrees = config["parallelism"];
            const bool is3d = folder.contains(QLatin1String("-3d-"));
            const bool shards = is3d || folder.contains(QLatin1String("dp+"));
            QCOMPARE(degrees["dp"].get<int>(), shards ? 2 : 1);
            QCOMPARE(degrees["dp"].get<int>() * degrees["tp"].get<int>() * degrees["pp"].get<int>(),
                     is3d ? 8 : 4);
            QVERIFY2(!read.err.contains("differ"), read.err.constData()); // card and TOML agree
        }
    }
    void slurmJobsAreWritten()
    {
        const ProgramRun jobs
            = run(QStringLiteral("slurm"),
                  {path("run"), QStringLiteral("--tasks"), QStringLiteral("2"), QStringLiteral("-o"),
                   path("it's 100% here"), QStringLiteral("--account"), QStringLiteral("m1234"),
                   QStringLiteral("--qos"), QStringLiteral("debug"), QStringLiteral("--running"),
                   QStringLiteral("7"), QStringLiteral("--sbatch=--mem=64G"), QStringLiteral("--dry-run"),
                   QStringLiteral("--"), QStringLiteral("--metric"), QStringLiteral("all")});
        QVERIFY2(jobs.exitCode == 0, jobs.err.constData());
        QVERIFY(jobs.out.contains("afterany"));
        const QByteArray reduceJob = contentOf(path("it's 100% here/reduce.sbatch"));
        for (const char* line :
             {"#SBATCH --array=0-1%7\n", "#SBATCH --account=m1234\n", "#SBATCH --qos=debug\n",
              "#SBATCH --mem=64G\n", "#SBATCH --cpus-per-task=16\n",
              "it's 100%% here/logs/reduce-%A_%a.log\"\n", "it'\\''s 100% here/plan.json'"})
            QVERIFY2(reduceJob.contains(line), reduceJob.constData());
        const QByteArray mergeJob = contentOf(path("it's 100% here/merge.sbatch"));
        QVERIFY2(mergeJob.contains(" --metric all") && !mergeJob.contains("--array"), mergeJob.constData());
        QVERIFY(QFileInfo(path("it's 100% here/logs")).isDir());
    }
    /// Slurm says how large an array may be; without it, its default counts.
    void moreTasksThanAnArrayMayHave()
    {
        QFile scontrol(path("scontrol"));
        QVERIFY(scontrol.open(QIODevice::WriteOnly));
        scontrol.write("#!/bin/sh\necho 'MaxArrayCount = 7'\necho 'MaxArraySize            = 2'\n");
        scontrol.close();
        QVERIFY(scontrol.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        ProgramSurroundings surroundings;
        surroundings.environment
            = {{QStringLiteral("PATH"), m_folder.path() + QStringLiteral(":/usr/bin:/bin")}};
        const auto jobs = [&](const char* folder, const QStringList& more) {
            return runProgram(QStringList{QStringLiteral("--batch"), QStringLiteral("slurm"), path("run"),
                                          QStringLiteral("--tasks"), QStringLiteral("5"),
                                          QStringLiteral("-o"), path(folder), QStringLiteral("--dry-run")}
                                  + more,
                              surroundings);
        };
        const ProgramRun split = jobs("split", {});
        QVERIFY2(split.exitCode == 0 && split.err.contains("5 tasks are 3 arrays"), split.err.constData());
        QVERIFY2(split.out.contains("--dependency=afterany:<job1>:<job2>:<job3> "), split.out.constData());
        QVERIFY(contentOf(path("split/reduce-1.sbatch")).contains("--array=0-1\n"));
        const QByteArray last = contentOf(path("split/reduce-3.sbatch"));
        QVERIFY(last.contains("--array=0-0\n") && last.contains("--task \"$((4 + SLURM_ARRAY_TASK_ID))\""));
        // %N limits one array, so that several must not run at once.
        QVERIFY(jobs("limited", {QStringLiteral("--running"), QStringLiteral("1")})
                    .out.contains("--dependency=afterany:<job2> " + path("limited").toUtf8()
                                  + "/reduce-3.sbatch"));
        // A folder that holds what this command writes is used again, and no other.
        QCOMPARE(jobs("split", {}).exitCode, 0);
        const ProgramRun other = jobs("split", {QStringLiteral("--cpus"), QStringLiteral("3")});
        QVERIFY2(other.exitCode == 4 && other.err.contains(".sbatch is different"), other.err.constData());
        QVERIFY(QFile::copy(path("split/plan.json"), path("split/logs/a.log")));
        QVERIFY(jobs("split", {}).err.contains("logs is not empty"));
        QVERIFY(QFile::remove(path("scontrol")));
    }
    void jobsStartTheWrapperThatStartedThis()
    {
        QFile sbatch(path("sbatch"));
        QVERIFY(sbatch.open(QIODevice::WriteOnly));
        sbatch.write("#!/bin/sh\nenv >>'" + QFile::encodeName(path("environment")) + "'\necho 7\n");
        sbatch.close();
        QVERIFY(sbatch.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        // Whatever the folder is called that the archive was unpacked in.
        const QString bin = path("my 'own' $HOME}\"`/bin");
        ProgramSurroundings package;
        package.environment
            = {{QStringLiteral("COLLSCOPE_PROGRAM"), bin + QStringLiteral("/collscope")},
               {QStringLiteral("FONTCONFIG_FILE"), bin + QStringLiteral("/../etc/fonts/fonts.conf")},
               {QStringLiteral("XKB_CONFIG_ROOT"), QStringLiteral("/opt/keyboards")},
               {QStringLiteral("PATH"), m_folder.path() + QStringLiteral(":/usr/bin:/bin")}};
        const ProgramRun jobs = runProgram({QStringLiteral("--batch"), QStringLiteral("slurm"), path("run"),
                                            QStringLiteral("--tasks"), QStringLiteral("2"),
                                            QStringLiteral("-o"), path("packaged")},
                                           package);
        QVERIFY2(jobs.exitCode == 0 && jobs.out == "reduce 7\nmerge 7\n", jobs.err.constData());
        // What bash makes of the line, is told by a program in the same place.
        QVERIFY(QDir().mkpath(bin));
        QFile program(bin + QStringLiteral("/collscope"));
        QVERIFY(program.open(QIODevice::WriteOnly));
        program.write("#!/bin/sh\necho started \"$2\"\n");
        program.close();
        QVERIFY(program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        for (const char* job : {"reduce", "merge"}) {
            QProcess bash;
            bash.start(QStringLiteral("bash"),
                       {path("packaged/") + QLatin1String(job) + QStringLiteral(".sbatch")});
            QVERIFY(bash.waitForFinished());
            QCOMPARE(bash.readAllStandardOutput(), QByteArray("started ") + job + "\n");
        }
        // Jobs inherit what sbatch gets: nothing of the wrapper's, all of the machine's.
        const QByteArray environment = contentOf(path("environment"));
        for (const char* name : {"COLLSCOPE_PROGRAM", "FONTCONFIG_FILE"})
            QVERIFY2(!environment.contains(name), environment.constData());
        QVERIFY(environment.contains("XKB_CONFIG_ROOT=/opt/keyboards\n"));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestDistributed)
#include "tst_distributed.moc"
