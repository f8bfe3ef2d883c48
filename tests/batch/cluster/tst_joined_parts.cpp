// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// merge --partial: whatever tree of joins the parts of tasks go through, the merge gives the numbers of one
// process, and nothing is lost without a word.

#include "metrics/summary/summarized_events.h"
#include "tests/batch/program.h"
#include "tests/support/runs/reduced_folder.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/planted_run.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <sys/resource.h>

namespace collscope {

class TestJoinedParts : public QObject
{
    Q_OBJECT

private:
    static constexpr int ranks = 16;

    QTemporaryDir m_folder;
    int m_folders = 0;

    QString path(const QString& name) const { return m_folder.filePath(name); }
    QString newFolder() { return path(QStringLiteral("folder%1").arg(++m_folders)); }
    static QStringList partsIn(const QString& folder)
    {
        QStringList parts;
        for (const QString& name :
             QDir(folder).entryList({QStringLiteral("*.cspart")}, QDir::Files, QDir::Name))
            parts.push_back(folder + u'/' + name);
        return parts;
    }
    /// Divides the run into tasks and reduces it. Returns the new folder with their parts, empty on failure.
    QString reduced(std::uint32_t tasks, Kept kept)
    {
        const QString folder = newFolder();
        const bool isWritten = writeReduced(path(QStringLiteral("run")).toStdString(), folder.toStdString(),
                                            tasks, kept, reductionTo(kept));
        return isWritten ? folder : QString();
    }
    static ProgramRun join(const QStringList& folders, const QString& output, const QStringList& more = {})
    {
        return runBatchProgram(QStringList{QStringLiteral("merge"), QStringLiteral("--partial")} + folders
                               + QStringList{QStringLiteral("-o"), output} + more);
    }
    static QStringList tasks(const char* block)
    {
        return {QStringLiteral("--tasks"), QString::fromLatin1(block)};
    }
    /// All metrics as JSON and CSV; what is said, too.
    static QByteArray numbersOf(const QStringList& command)
    {
        const auto all = [&](const char* option) {
            return command
                + QStringList{QStringLiteral("--metric"), QStringLiteral("all"), QString::fromLatin1(option)};
        };
        const ProgramRun json = runBatchProgram(all("--json"));
        const ProgramRun rows = runBatchProgram(all("--csv=-"));
        return QByteArray::number(json.exitCode) + json.out + json.err + QByteArray::number(rows.exitCode)
            + rows.out;
    }
    static QByteArray merged(const QString& folder)
    {
        QByteArray text = numbersOf({QStringLiteral("merge"), folder});
        return text.replace(folder.toUtf8(), "FOLDER");
    }
    /// The joined part of a folder into which one was written.
    static QByteArray onlyPartIn(const QString& folder)
    {
        const QStringList parts = partsIn(folder);
        return parts.size() == 1 ? contentOf(parts.front()) : QByteArray();
    }

private slots:
    void initTestCase()
    {
        PlantedPlan plan;
        plan.ranks = ranks;
        plan.tensorParallel = 4;
        plan.steps = 3;
        plan.cause = PlantedCause::SlowKernel;
        plan.culprit = 5;
        plan.extraUs = 300;
        QDir().mkpath(path(QStringLiteral("run")));
        writePlanted(plan, path(QStringLiteral("run")).toStdString());
    }
    /// Sixteen parts, four, one; and a mixture of joined and single ones.
    void treesGiveTheNumbersOfOneProcess_data()
    {
        QTest::addColumn<int>("kept");
        QTest::newRow("events") << static_cast<int>(Kept::WhatMetricsRead);
        QTest::newRow("all events") << static_cast<int>(Kept::Everything);
        QTest::newRow("summaries") << static_cast<int>(Kept::Summaries);
    }
    void treesGiveTheNumbersOfOneProcess()
    {
        QFETCH(const int, kept);
        const auto own = static_cast<Kept>(kept);
        const QByteArray expected = merged(reduced(1, own));
        QVERIFY(expected.startsWith('0') && expected.size() > 1000);
        if (own != Kept::Summaries) { // with them, some are refused
            QCOMPARE(runBatchProgram({QStringLiteral("merge"), reduced(3, own), QStringLiteral("--metric"),
                                      QStringLiteral("all"), QStringLiteral("--json")})
                         .out,
                     runBatchProgram({path(QStringLiteral("run")), QStringLiteral("--metric"),
                                      QStringLiteral("all"), QStringLiteral("--json")})
                         .out);
        }
        const QString three = reduced(3, own), joinedThree = newFolder();
        QCOMPARE(join({three}, joinedThree).exitCode, 0);
        QCOMPARE(partsIn(joinedThree).size(), 1);
        const auto numbers = [&](const QString& folder) {
            return merged(folder).replace("of 16 tasks", "of 1 tasks").replace("of 3 tasks", "of 1 tasks");
        };
        QCOMPARE(numbers(joinedThree), expected);

        const QString single = reduced(16, own), fours = newFolder(), one = newFolder();
        QCOMPARE(partsIn(single).size(), 16);
        for (const char* block : {"0-3", "4-7", "8-11", "12-15"}) {
            const ProgramRun joined = join({single}, fours, tasks(block));
            QVERIFY2(joined.exitCode == 0 && joined.out.isEmpty() && joined.err.isEmpty(),
                     joined.err.constData());
        }
        QCOMPARE(partsIn(fours).size(), 4);
        QCOMPARE(numbers(fours), expected);
        QCOMPARE(join({fours}, one).exitCode, 0);
        QCOMPARE(partsIn(one).size(), 1);
        QCOMPARE(numbers(one), expected);
        // Whatever the tree, the file is the same.
        const QString atOnce = newFolder();
        QCOMPARE(join({single}, atOnce).exitCode, 0);
        QVERIFY(onlyPartIn(atOnce) == onlyPartIn(one));
        QCOMPARE(partsIn(atOnce).front().section(u'/', -1), partsIn(one).front().section(u'/', -1));
        // Joined and single parts of the same tasks, and of others.
        for (const QString& part : partsIn(fours).mid(0, 3))
            QVERIFY(QFile::copy(part, single + u'/' + part.section(u'/', -1)));
        for (const QString& part : partsIn(single)) {
            static const QRegularExpression firstTen(QStringLiteral("/part-0000\\d-[0-9a-f]{16}\\."));
            if (firstTen.match(part).hasMatch())
                QVERIFY(QFile::remove(part));
        }
        QCOMPARE(numbers(single), expected);
        const QString again = newFolder();
        QCOMPARE(join({single, fours}, again).exitCode, 0);
        QVERIFY(onlyPartIn(again) == onlyPartIn(one));
    }
    void whatIsMissingIsSaid()
    {
        const QString parts = reduced(4, Kept::Summaries), joined = newFolder();
        const QString part = partsIn(parts)[2];
        const QByteArray content = contentOf(part);
        QVERIFY(QFile::remove(part));
        const ProgramRun refused = join({parts}, joined);
        QCOMPARE(refused.exitCode, 3);
        QVERIFY2(
            refused.err.contains("Task 2 of 4 produced no part: 4 files, ranks 8, 9, 10, 11 are missing"),
            refused.err.constData());
        QVERIFY(!QFile::exists(joined));
        QCOMPARE(join({parts}, joined, {QStringLiteral("--allow-missing")}).exitCode, 0);
        QCOMPARE(runBatchProgram({QStringLiteral("merge"), joined, QStringLiteral("--metric"),
                                  QStringLiteral("avg_step_time")})
                     .exitCode,
                 3);
        // The blocks without it are whole.
        QCOMPARE(join({parts}, newFolder(), tasks("0-1")).exitCode, 0);
        for (const char* task : {"2-2", "2"}) {
            const ProgramRun nothing = join({parts}, newFolder(), tasks(task));
            QCOMPARE(nothing.exitCode, 2);
            QVERIFY(nothing.err.contains("Nothing of these tasks can be joined."));
        }
        const QString third = newFolder();
        QCOMPARE(join({parts}, third, tasks("3")).exitCode, 0);
        QVERIFY(partsIn(third).front().contains(QStringLiteral("/part-00003-00003-")));
        // When it is there, what was joined without it is replaced.
        writeContent(part, content);
        QCOMPARE(join({parts}, joined).exitCode, 0);
        QCOMPARE(partsIn(joined).size(), 1);
        QCOMPARE(runBatchProgram({QStringLiteral("merge"), joined, QStringLiteral("--metric"),
                                  QStringLiteral("avg_step_time")})
                     .exitCode,
                 0);
    }
    /// The join of a block is there because a system limits the files that are open.
    void aBlockOpensOnlyItsOwnParts()
    {
        const QString parts = reduced(ranks, Kept::Summaries);
        ProgramSurroundings surroundings;
        surroundings.inChild = [] {
            const rlimit few{14, 14};
            setrlimit(RLIMIT_NOFILE, &few);
        };
        const auto joinWithFew = [&](const QStringList& more) {
            return runBatchProgram(QStringList{QStringLiteral("merge"), QStringLiteral("--partial"), parts,
                                               QStringLiteral("-o"), newFolder()}
                                       + more,
                                   surroundings);
        };
        for (const char* block : {"0-3", "12-15"}) {
            const ProgramRun joined = joinWithFew(tasks(block));
            QVERIFY2(joined.exitCode == 0 && joined.err.isEmpty(), joined.err.constData());
        }
        const ProgramRun all = joinWithFew({});
        QCOMPARE(all.exitCode, 3);
        QVERIFY2(all.err.contains("[unreadable_part"), all.err.constData());
    }
    /// It may be the only file with what it contains.
    void anInputIsNotReplaced()
    {
        const QString parts = reduced(2, Kept::Summaries), joined = newFolder(), late = newFolder();
        QCOMPARE(join({parts}, joined).exitCode, 0);
        const QString target = partsIn(joined).front();
        const QByteArray content = contentOf(target);
        QVERIFY(QDir().mkpath(late));
        for (const QString& file : {partsIn(parts)[0], parts + QStringLiteral("/plan.json")})
            QVERIFY(QFile::copy(file, late + u'/' + file.section(u'/', -1)));
        const QString linked = newFolder();
        QVERIFY(QFile::link(joined, linked));
        for (const QStringList& inputs : {QStringList{joined, late}, {late, joined}, {joined}, {linked}}) {
            for (const QStringList& more : {QStringList(), {QStringLiteral("--allow-missing")}}) {
                const ProgramRun refused = join(inputs, joined, more);
                QCOMPARE(refused.exitCode, 4);
                QVERIFY2(refused.err.contains("cannot write " + target.toUtf8())
                             && refused.err.contains("Give another folder for the output."),
                         refused.err.constData());
                QVERIFY(!refused.err.contains("produced"));
                QVERIFY(contentOf(target) == content);
            }
        }
        // A block of another name does not replace it.
        QCOMPARE(join({joined}, joined, tasks("0-0")).exitCode, 0);
        QVERIFY(contentOf(target) == content);
        // Nor is a file of the inputs replaced through a link in the folder of the output.
        const QString other = newFolder();
        QVERIFY(QDir().mkpath(other));
        QVERIFY(QFile::link(partsIn(parts)[0], other + u'/' + target.section(u'/', -1)));
        const QByteArray single = contentOf(partsIn(parts)[0]);
        QCOMPARE(join({parts}, other).exitCode, 4);
        QVERIFY(contentOf(partsIn(parts)[0]) == single);
    }
    /// A byte changed anywhere: the section is missing, or the whole part is foreign. Never is it copied.
    void damagedPartsAreNotJoined()
    {
        const QString parts = reduced(4, Kept::Summaries);
        const QString part = partsIn(parts)[1];
        const QByteArray sound = contentOf(part);
        const QString joined = newFolder();
        int sections = 0;
        for (qsizetype at = 2; at < sound.size(); at += 1 + sound.size() / 24) {
            QByteArray bytes = sound;
            bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
            writeContent(part, bytes);
            const ProgramRun run = join({parts}, joined);
            QVERIFY2(run.exitCode == 3 && run.err.contains("Task 1 of 4 produced"), run.err.constData());
            QVERIFY(!QFile::exists(joined));
            sections += run.err.contains("[damaged_section]") ? 1 : 0;
        }
        QVERIFY(sections > 10);
        writeContent(part, sound.left(sound.size() / 2));
        QCOMPARE(join({parts}, joined).exitCode, 3);
        // It is there, and not said to be missing.
        const ProgramRun nothing = join({parts}, joined, tasks("1"));
        QCOMPARE(nothing.exitCode, 2);
        QVERIFY2(nothing.err.contains("Nothing of these tasks can be joined.")
                     && nothing.err.contains("Task 1 of 4 produced a part that cannot be used"),
                 nothing.err.constData());
        // The format is named at both ends.
        const QByteArray magic = sound.left(8);
        QVERIFY(magic.startsWith("CSPART") && sound.endsWith(magic));
        QByteArray former = sound;
        former[6] = former[former.size() - 2] = '5';
        writeContent(part, former);
        for (const ProgramRun& run :
             {join({parts}, joined), runBatchProgram({QStringLiteral("merge"), parts})}) {
            QCOMPARE(run.exitCode, 3);
            QVERIFY2(run.err.contains("Task 1 of 4 produced a part in the format of another version of the "
                                      "program (reduce the run again): 4 files, ")
                         && !run.err.contains("damaged"),
                     run.err.constData());
        }
        former[former.size() - 2] = magic[6]; // only one end: damage
        writeContent(part, former);
        QVERIFY(join({parts}, joined).err.contains("is a damaged part"));
        writeContent(part, sound);
        QCOMPARE(join({parts}, joined).exitCode, 0);
        // Damage of a joined part is found when it is joined again, and by the merge.
        QByteArray bytes = onlyPartIn(joined);
        bytes[bytes.size() / 3] = static_cast<char>(bytes[bytes.size() / 3] ^ 0x10);
        writeContent(partsIn(joined).front(), bytes);
        QCOMPARE(join({joined}, newFolder()).exitCode, 3);
        QCOMPARE(runBatchProgram({QStringLiteral("merge"), joined, QStringLiteral("--metric"),
                                  QStringLiteral("avg_step_time")})
                     .exitCode,
                 3);
    }
    void onlyPartsOfOnePlanAreJoined()
    {
        const QString parts = reduced(2, Kept::Summaries), others = reduced(2, Kept::WhatMetricsRead);
        const ProgramRun twoPlans = join({parts, others}, newFolder());
        QCOMPARE(twoPlans.exitCode, 1);
        QVERIFY2(twoPlans.err.contains("has another plan than"), twoPlans.err.constData());
        QVERIFY(QFile::copy(partsIn(others)[0], parts + QStringLiteral("/part-other.cspart")));
        const QString joined = newFolder();
        const ProgramRun foreign = join({parts}, joined);
        QCOMPARE(foreign.exitCode, 0);
        QVERIFY(foreign.err.contains("[foreign_part]"));
        QCOMPARE(join({parts}, others).exitCode, 4); // it holds the parts of another plan
        QCOMPARE(join({parts}, newFolder(), tasks("0-2")).exitCode, 1);
        QCOMPARE(join({parts}, newFolder(), tasks("1-0")).exitCode, 1);
        QCOMPARE(join({path(QStringLiteral("run"))}, newFolder()).exitCode, 1);
        // A part of the same plan whose sections differ: neither is taken.
        const QString differing = newFolder();
        QVERIFY(writeReduced(path(QStringLiteral("run")).toStdString(), differing.toStdString(), 2,
                             Kept::Summaries, [](TraceFragment&) {}));
        QVERIFY(QFile::copy(partsIn(differing)[0], parts + QStringLiteral("/part-differs.cspart")));
        const ProgramRun differs = join({parts}, newFolder());
        QCOMPARE(differs.exitCode, 3);
        QVERIFY2(differs.err.contains("[differing_parts, 8 times]"), differs.err.constData());
        QVERIFY(differs.err.contains("Task 0 of 2 produced parts that differ: 8 files"));
        QVERIFY(differs.err.contains("is stored in other bytes than in"));
    }
    /// A file that could not be read stays named, until a part that has it comes.
    void unreadFilesStayNamed()
    {
        const QString trace = path(QStringLiteral("run/rank3_trace.json"));
        const QString parts = newFolder(), joined = newFolder();
        QDir().mkpath(parts);
        const auto command = [&](const QString& line) {
            return runBatchProgram(
                QString(line).replace(QLatin1String("PARTS"), parts).split(u' ', Qt::SkipEmptyParts));
        };
        QCOMPARE(command(QStringLiteral("plan ") + path(QStringLiteral("run"))
                         + QStringLiteral(" --tasks 2 --keep summary -o PARTS/plan.json"))
                     .exitCode,
                 0);
        const QString alone = newFolder();
        QDir().mkpath(alone);
        QCOMPARE(command(QStringLiteral("plan ") + path(QStringLiteral("run"))
                         + QStringLiteral(" --tasks 16 --keep summary -o ") + alone
                         + QStringLiteral("/plan.json"))
                     .exitCode,
                 0);
        const QString reduceAlone
            = QStringLiteral("reduce ") + alone + QStringLiteral("/plan.json --task 3 -o ") + alone;
        QVERIFY(QFile::rename(trace, trace + QStringLiteral(".away")));
        QCOMPARE(command(QStringLiteral("reduce PARTS/plan.json --task 0 -o PARTS")).exitCode, 3);
        QCOMPARE(command(QStringLiteral("reduce PARTS/plan.json --task 1 -o PARTS")).exitCode, 0);
        const ProgramRun refused = join({parts}, joined);
        QCOMPARE(refused.exitCode, 3);
        QVERIFY2(refused.err.contains("rank3_trace.json"), refused.err.constData());
        QCOMPARE(join({parts}, joined, {QStringLiteral("--allow-missing")}).exitCode, 0);
        const ProgramRun merge = runBatchProgram(
            {QStringLiteral("merge"), joined, QStringLiteral("--metric"), QStringLiteral("avg_step_time")});
        QCOMPARE(merge.exitCode, 3);
        QVERIFY2(merge.err.contains("rank3_trace.json"), merge.err.constData());
        // What contains nothing but reasons is not written.
        QCOMPARE(command(reduceAlone).exitCode, 2);
        QCOMPARE(partsIn(alone).size(), 1);
        for (const QStringList& more : {QStringList(), {QStringLiteral("--allow-missing")}}) {
            const QString nowhere = newFolder();
            const ProgramRun nothing = join({alone}, nowhere, tasks("3") + more);
            QCOMPARE(nothing.exitCode, 2);
            QVERIFY2(nothing.err.contains("Nothing of these tasks can be joined.")
                         && nothing.err.contains("rank3_trace.json"),
                     nothing.err.constData());
            QVERIFY(!QFile::exists(nowhere));
        }
        QVERIFY(QFile::rename(trace + QStringLiteral(".away"), trace));
        QCOMPARE(command(QStringLiteral("reduce PARTS/plan.json --task 0 -o PARTS")).exitCode, 0);
        QCOMPARE(join({joined, parts}, newFolder()).exitCode, 0);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestJoinedParts)
#include "tst_joined_parts.moc"
