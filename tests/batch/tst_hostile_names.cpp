// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Paths of any bytes and names that would be commands elsewhere, through the real binary.

#include "tests/batch/program.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_writer.h"

#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <map>

namespace collscope {

namespace {

namespace fs = std::filesystem;

std::string traceOf(const std::string& kernel)
{
    return "{\"traceEvents\": [{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"" + kernel
        + "\",\"pid\":0,\"tid\":7,\"ts\":1,\"dur\":5}]}";
}

/// A step in which the GPU idles before a kernel whose name has two lines.
const char* const namedTwice = R"({"traceEvents": [
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":9,"tid":9,"ts":0,"dur":1000},
{"ph":"X","cat":"kernel","name":"a\n::error::b","pid":0,"tid":7,"ts":1,"dur":5},
{"ph":"X","cat":"kernel","name":"a\n::error::b","pid":0,"tid":7,"ts":900,"dur":5}]})";

std::string textIn(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

class TestHostileNames : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;

    std::string at(const std::string& name) const { return m_folder->path().toStdString() + '/' + name; }
    /// QProcess has no arguments of any bytes: a shell gets them from its environment.
    ProgramRun batchOn(const std::string& path, const QString& more) const
    {
        QProcess process;
        writeFile(at("arguments"), path);
        process.start(QStringLiteral("/bin/sh"),
                      {QStringLiteral("-c"),
                       QStringLiteral("p=$(cat \"$1\"; echo x); exec \"$2\" --batch \"${p%x}\" %1").arg(more),
                       QStringLiteral("sh"), QString::fromStdString(at("arguments")),
                       QStringLiteral(COLLSCOPE_PROGRAM)});
        process.waitForFinished(100'000);
        ProgramRun run;
        if (process.exitStatus() == QProcess::NormalExit)
            run.exitCode = process.exitCode();
        run.out = process.readAllStandardOutput();
        run.err = process.readAllStandardError();
        return run;
    }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void pathsOfAnyBytes_data()
    {
        QTest::addColumn<QByteArray>("name");
        const auto row = [](const char* title, const QByteArray& name) { QTest::newRow(title) << name; };
        row("newline", "a\ncollscope: error: forged\nb");
        row("not UTF-8", "a\xff\xfe\xC3(");
        row("255 bytes", QByteArray(255, 'n'));
        row("dash", "-rf --csv");
        row("quotes", "a\"'`$(touch x);b\\");
        row("escapes", "a\x1b]0;title\x07\x1b[2J\xC2\x9B");
        row("database", "a%41?mode=rwc#");
    }
    void pathsOfAnyBytes()
    {
        QFETCH(QByteArray, name);
        const std::string folder = at(name.toStdString());
        fs::create_directories(folder);
        const std::string file = name.toStdString().substr(0, 240);
        writeFile(folder + "/" + file + "rank0.json", traceOf("k\xC2\x9B"));
        writeFile(folder + "/" + file + ".bin", "no sampler wrote this");
        writeFile(folder + "/" + file + "c.sqlite", "SQLite format 3, but no more");
        const ProgramRun text = batchOn(folder, QStringLiteral("--metric total_kernel_time"));
        QVERIFY2(text.exitCode == 0, text.err.constData());
        QCOMPARE(text.out, QByteArray("0.000005\n"));
        // Each line of stderr is one of ours, printable, and valid UTF-8.
        for (const QByteArray& line : text.err.trimmed().split('\n')) {
            QVERIFY2(line.startsWith("collscope: "), line.constData());
            QVERIFY2(!line.startsWith("collscope: error: forged"), line.constData());
            QCOMPARE(QString::fromUtf8(line).toUtf8(), line);
            QVERIFY(!QString::fromUtf8(line).contains(
                QRegularExpression(QStringLiteral("[\\x00-\\x1f\\x7f-\\x9f]"))));
        }
        QVERIFY2(text.err.contains("[not_recognised]") && text.err.contains(".sqlite"), text.err.constData());
        const ProgramRun json = batchOn(folder, QStringLiteral("--json"));
        QVERIFY(!jsonOf(json.out).is_discarded());
        const ProgramRun tools = batchOn(folder, QStringLiteral("--tools kernel"));
        const ProgramRun examined = batchOn(folder, QStringLiteral("--doctor --json"));
        for (const QByteArray& answer : {json.out, tools.out, examined.out})
            QVERIFY(!QString::fromUtf8(answer).contains(
                QRegularExpression(QStringLiteral("[\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f]"))));
        for (const char* option : {"--output-json", "--csv", "--leaderboard"}) {
            // Into the same folder, which is asked for here.
            const ProgramRun written = batchOn(
                folder,
                QStringLiteral("--metric coll_call_num %1 \"${p%x}/out\"").arg(QLatin1String(option)));
            QVERIFY2(written.exitCode == 0 || written.exitCode == 3, written.err.constData());
            const std::string content = textIn(folder + "/out");
            QVERIFY2(!content.empty(), option);
            if (option[2] != 'c')
                QVERIFY(!jsonOf(QByteArray::fromStdString(content)).is_discarded());
        }
        const ProgramRun runs = batchOn(folder, QStringLiteral("\"${p%x}/.\" --json"));
        QVERIFY(!jsonOf(runs.out).is_discarded());
        const ProgramRun missing = batchOn(folder + "/none", QStringLiteral("--json"));
        QCOMPARE(missing.exitCode, 2);
        QVERIFY(!jsonOf(missing.out).is_discarded());
        QCOMPARE(missing.err.trimmed().count('\n'), 0);
    }

    void namesOfKernels()
    {
        for (const char* name :
             {"=HYPERLINK(1)", "+1", "-1", "@x", "\\t=1", "\\r=1", "\\u001b[2Jred", "a\\nb"}) {
            writeFile(at("rank0.json"), traceOf(name));
            const QString path = QString::fromStdString(at("rank0.json"));
            const ProgramRun csv = runBatchProgram(
                {path, QStringLiteral("--kernel-summary"), QStringLiteral("--csv"), QStringLiteral("-")});
            QCOMPARE(csv.exitCode, 0);
            const QByteArray cell = csv.out.mid(csv.out.lastIndexOf(',') + 1);
            QVERIFY2(QByteArray("=+-@\t\r\n").indexOf(cell.startsWith('"') ? cell[1] : cell[0]) < 0, csv.out);
            const ProgramRun text = runBatchProgram({path, QStringLiteral("--kernel-summary")});
            QCOMPARE(text.exitCode, 0);
            QVERIFY2(!text.out.contains('\x1b') && text.out.trimmed().count('\n') == 2, text.out);
        }
    }

    /// No name begins a line: what starts with :: is an order to GitHub.
    void namesInSentences()
    {
        writeFile(at("rank0.json"), namedTwice);
        const QString path = QString::fromStdString(at("rank0.json"));
        for (const QStringList& words :
             {QStringList{QStringLiteral("findings"), path},
              {QStringLiteral("explain"), path, QStringLiteral("--step"), QStringLiteral("1")}}) {
            const ProgramRun run = runBatchProgram(words);
            QVERIFY2(run.exitCode == 0, run.err.constData());
            QVERIFY2(run.out.contains("\\x0a::error::b") && !run.out.contains("\n::error"),
                     run.out.constData());
        }
    }

    void nothingIsWrittenBesideTheTrace()
    {
        const std::string run = at("run");
        RunFiles files;
        writeRun(planRun(WorkloadDescription()), run, files);
        const auto state = [&] {
            std::map<std::string, std::pair<std::uintmax_t, std::int64_t>> entries;
            for (const auto& entry : fs::recursive_directory_iterator(run)) {
                struct stat info = {};
                ::stat(entry.path().c_str(), &info);
                entries[entry.path().string()] = {static_cast<std::uintmax_t>(info.st_size),
                                                  info.st_mtim.tv_nsec ^ info.st_ctim.tv_nsec};
            }
            struct stat info = {};
            ::stat(run.c_str(), &info);
            entries[run] = {0, info.st_mtim.tv_nsec ^ info.st_ctim.tv_nsec};
            return entries;
        };
        const auto before = state();
        const QString path = QString::fromStdString(run);
        for (const QStringList& arguments :
             {QStringList{QStringLiteral("--batch"), path},
              {QStringLiteral("--batch"), path, QStringLiteral("--json")},
              {QStringLiteral("--batch"), path, QStringLiteral("--kernel-summary")},
              {QStringLiteral("--batch"), path, QStringLiteral("--tools"), QStringLiteral("all")},
              {QStringLiteral("--screenshot"), QString::fromStdString(at("picture.png")), path}})
            QCOMPARE(runProgram(arguments).exitCode, 0);
        QVERIFY(state() == before);
    }

    void theProgramKnowsNoNetwork()
    {
        // What the binaries are linked with, and what their sources say.
        for (const auto& [file, linked] :
             {std::pair(COLLSCOPE_PROGRAM, "libstdc++"), std::pair(COLLSCOPE_WINDOW_PROGRAM, "libQt6Core")}) {
            const std::string program = textIn(file);
            QVERIFY2(program.find(linked) != std::string::npos, file);
            for (const char* library :
                 {"libQt6Network", "libcurl", "libssl", "libQt6WebSockets", "libQt6DBus"})
                QVERIFY2(program.find(library) == std::string::npos, library);
        }
        const QRegularExpression word(QStringLiteral(
            "QtNetwork|QTcp|QUdp|QLocalSocket|QNetwork|QAbstractSocket|<sys/socket\\.h>|<netdb\\.h>|"
            "::socket\\(|getaddrinfo|Qt6::Network|\\bsystem\\(|popen\\(|QProcess|posix_spawn|execv|execl"));
        for (const char* folder : {"app", "views", "metrics", "model"}) {
            for (const auto& entry :
                 fs::recursive_directory_iterator(fs::path(COLLSCOPE_SOURCE_FOLDER) / folder)) {
                if (!entry.is_regular_file())
                    continue;
                QString source = QString::fromStdString(textIn(entry.path()));
                if (entry.path().filename() == "started_program.cpp")
                    source.remove(QStringLiteral("posix_spawn")); // sbatch and nsys, when a person asks
                if (entry.path().filename() == "run_command_line.cpp")
                    source.remove(QStringLiteral("execv")); // collscope-window
                if (entry.path().filename() == "confinement.cpp")
                    source.remove(QStringLiteral("SCMP_SYS(execve")); // the calls that it refuses
                const auto match = word.match(source);
                QVERIFY2(!match.hasMatch(),
                         qPrintable(QString::fromStdString(entry.path().string()) + QStringLiteral(": ")
                                    + match.captured()));
            }
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestHostileNames)
#include "tst_hostile_names.moc"
