// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Slices by their args: what the model keeps at once, everything else from the files.

#include "app/runtime/thread_pool.h"
#include "model/readers/run/arg_search.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/stop_requests.h"
#include "tests/support/suite/suite.h"

#include <QFile>
#include <QTemporaryDir>

#include <atomic>
#include <set>

namespace collscope {

namespace {

ArgQuestion isExactly(std::string_view name, std::string_view value)
{
    return {{}, [=](std::string_view n, std::string_view v) { return n == name && v == value; }};
}

/// Two ranks; args that the model keeps, and "note" and "shape", which it does not.
SmallRun runWithArgs()
{
    SmallRun run(2);
    run.kernel(0, 100, 10, 7, "gemm", 90,
               ", \"grid\": [23, 1, 2], \"note\": \"first \\\"one\\\"\", \"shape\": [[1, 2], 3]");
    run.kernel(0, 200, 10, 20, "gemm", -1, ", \"registers per thread\": 64, \"blocks per SM\": 0.5");
    run.kernel(1, 100, 10, 7, "softmax", -1, ", \"note\": \"second\"");
    SmallCall call;
    call.group = "mesh_tp";
    call.inElements = 1024;
    call.sequence = 12;
    run.call(0, 300, 10, call);
    run.call(1, 300, 10, call);
    return run;
}

} // namespace

class TestArgSearch : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    TraceModelPtr m_model;

    QString file(int rank) const
    {
        return m_folder.filePath(QStringLiteral("run/rank%1_trace.json").arg(rank));
    }
    /// "rank name at start in us", in order.
    std::set<std::string> words(const SliceMatchesPtr& matches) const
    {
        std::set<std::string> all;
        for (std::size_t i = 0; matches && i < matches->size(); ++i) {
            const SliceRef slice = matches->at(i);
            all.insert(std::to_string(m_model->timelineOf(slice).rank) + " "
                       + std::string(m_model->nameOf(slice)).substr(0, 7));
        }
        return all;
    }
    ArgSearchAnswerPtr inFiles(const ArgQuestion& question, const ArgSearchContext& context = {}) const
    {
        return slicesWithArgInFiles(*m_model, question, context);
    }

private slots:
    void init()
    {
        const std::string path = m_folder.filePath(QStringLiteral("run")).toStdString();
        runWithArgs().write(path);
        const auto model = loadPath(path);
        QVERIFY(model.has_value());
        m_model = *model;
    }
    void whatIsKept_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<int>("count");
        const auto row = [](const char* name, const char* value, int count) {
            QTest::addRow("%s=%s", name, value) << QByteArray(name) << QByteArray(value) << count;
        };
        row("stream", "7", 2);
        row("stream", "20", 3);
        row("device", "1", 2);
        row("grid", "[23, 1, 2]", 1);
        row("registers per thread", "64", 1);
        row("blocks per SM", "0.5", 1);
        row("correlation", "1", 2); // kernel and launch
        row("Process Group Name", "mesh_tp", 2);
        row("Collective name", "allreduce", 2);
        row("dtype", "Float", 2);
        row("Seq", "12", 2);
        row("In msg nelems", "1024", 2);
        row("Out msg nelems", "0", 0);
        row("stream", "8", 0);
    }
    void whatIsKept()
    {
        QFETCH(const QByteArray, name);
        QFETCH(const QByteArray, value);
        QFETCH(const int, count);
        const ArgQuestion question = isExactly({name.data(), static_cast<std::size_t>(name.size())},
                                               {value.data(), static_cast<std::size_t>(value.size())});
        const SliceMatchesPtr kept = slicesWithKeptArg(*m_model, question);
        QCOMPARE(kept->size(), static_cast<std::size_t>(count));
        // The files say the same, in the same words.
        QCOMPARE(words(inFiles(question)->matches), words(kept));
    }
    void whatOnlyFilesSay()
    {
        QCOMPARE(slicesWithKeptArg(*m_model, isExactly("note", "second"))->size(), std::size_t{0});
        QCOMPARE(words(inFiles(isExactly("note", "second"))->matches), std::set<std::string>{"1 softmax"});
        QCOMPARE(words(inFiles(isExactly("note", "first \"one\""))->matches),
                 std::set<std::string>{"0 gemm"});
        QCOMPARE(words(inFiles(isExactly("shape", "[[1, 2], 3]"))->matches), std::set<std::string>{"0 gemm"});
        ArgQuestion named = isExactly("stream", "7");
        named.isWantedName = [](std::string_view name) { return name == "softmax"; };
        QCOMPARE(words(inFiles(named)->matches), std::set<std::string>{"1 softmax"});
        QCOMPARE(words(slicesWithKeptArg(*m_model, named)), std::set<std::string>{"1 softmax"});
    }
    void sameForAnyNumberOfThreads()
    {
        std::atomic<std::uint64_t> bytes = 0;
        ArgSearchContext context;
        context.parallel = threadPool(3);
        context.progress = [&](std::size_t, std::uint64_t done) { bytes += done; };
        const ArgQuestion all{{}, [](std::string_view name, std::string_view) { return name == "device"; }};
        const ArgSearchAnswerPtr answer = inFiles(all, context);
        QCOMPARE(answer->matches->size(), std::size_t{5});
        QVERIFY(answer->failures.empty());
        const ArgSearchAnswerPtr serial = inFiles(all);
        for (std::size_t i = 0; i < 5; ++i)
            QVERIFY(answer->matches->at(i) == serial->matches->at(i));
        QCOMPARE(sourcesWithArgs(*m_model).size(), std::size_t{2});
    }
    void manyEventsAcrossPieces()
    {
        SmallRun run(1);
        for (int i = 0; i < 5'000; ++i)
            run.kernel(0, 10.0 * i, 5, 7, "k", -1,
                       ", \"number\": \"n" + std::to_string(i) + "\", \"ballast\": \""
                           + std::string(static_cast<std::size_t>(i * 37 % 1'500), 'x') + "\"");
        const std::string path = m_folder.filePath(QStringLiteral("many")).toStdString();
        run.write(path);
        const auto model = loadPath(path);
        QVERIFY(model.has_value());
        m_model = *model;
        const ArgQuestion odd{{}, [](std::string_view name, std::string_view value) {
                                  return name == "number" && (value.back() - '0') % 2 == 1;
                              }};
        const SliceMatchesPtr found = inFiles(odd)->matches;
        QCOMPARE(found->size(), std::size_t{2'500});
        for (std::size_t i = 0; i < found->size(); ++i)
            QCOMPARE(found->at(i).row, static_cast<std::uint32_t>(2 * i + 1));
    }
    void aFileThatIsGoneOrAnother()
    {
        QVERIFY(QFile::remove(file(1)));
        const ArgSearchAnswerPtr gone = inFiles(isExactly("stream", "7"));
        QCOMPARE(words(gone->matches), (std::set<std::string>{"0 gemm", "1 softmax"})); // the latter is kept
        QCOMPARE(gone->failures.size(), std::size_t{1});
        QVERIFY(gone->failures[0].kind == Error::Kind::NotFound);
        QVERIFY(QFile::copy(file(0), file(1)));
        const ArgSearchAnswerPtr another = inFiles(isExactly("stream", "7"));
        QCOMPARE(another->failures.size(), std::size_t{1});
        QVERIFY(another->failures[0].kind == Error::Kind::Format);
        QCOMPARE(words(another->matches), words(gone->matches));
    }
    void aFileWithOtherEventsInTheSamePlaces()
    {
        QFile changed(file(1));
        QVERIFY(changed.open(QIODevice::ReadWrite));
        const QByteArray text = changed.readAll().replace("softmax", "softmin");
        QVERIFY(changed.seek(0) && changed.write(text) == text.size());
        changed.close();
        const ArgSearchAnswerPtr answer = inFiles(isExactly("note", "second"));
        QCOMPARE(answer->failures.size(), std::size_t{1});
        QCOMPARE(answer->matches->size(), std::size_t{0});
    }
    void itCanBeCancelled()
    {
        ArgSearchContext context;
        context.stop = stopRequested();
        QVERIFY(!inFiles(isExactly("stream", "7"), context));
        QVERIFY(!slicesWithKeptArg(*m_model, isExactly("stream", "7"), context.stop));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestArgSearch)
#include "tst_arg_search.moc"
