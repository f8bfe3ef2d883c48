// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The table "Peak kernels" asks for its rows and shows the answer, which comes later.

#include "tests/support/runs/small_run.h"
#include "tests/support/suite/suite.h"
#include "views/common/format.h"
#include "views/tables/kernel_table.h"
#include "views/tables/table_text.h"

#include <QLabel>
#include <QTableView>

#include <memory>

namespace collscope {

namespace {

constexpr std::int64_t us = 1000;

/// A table whose questions are kept, for tests to answer.
struct AskedTable
{
    explicit AskedTable(const SmallRun& run)
        : model(run.load())
    {
        state.setModel(model);
        QObject::connect(&table, &KernelTable::kernelsWanted, &table,
                         [this](const KernelQuestion& question) { questions.push_back(question); });
    }
    void choose(TimeRange peak) { state.selection().setPeak(ViewSelection::Peak{0, peak, std::size_t{0}}); }
    void answer(const KernelQuestion& question)
    {
        table.setKernels(std::make_shared<const std::vector<KernelOverlap>>(kernelsOf(*model, question)));
    }
    int rows() const { return table.table()->model()->rowCount(); }
    QString caption() const { return table.findChild<QLabel*>()->text(); }

    TraceModelPtr model;
    ViewState state;
    KernelTable table{&state};
    std::vector<KernelQuestion> questions;
};

} // namespace

class TestKernelTable : public QObject
{
    Q_OBJECT

private slots:
    void theAnswerIsShownWhenItComes()
    {
        SmallRun run(1);
        run.kernel(0, 0, 10);
        run.kernel(0, 20, 30);
        AskedTable asked(run);
        asked.choose({5 * us, 30 * us});
        QCOMPARE(asked.questions.size(), std::size_t{1});
        QCOMPARE(asked.rows(), 0);
        QVERIFY2(asked.caption().startsWith(QStringLiteral("Listing")), qPrintable(asked.caption()));
        asked.answer(asked.questions.back());
        QCOMPARE(asked.rows(), 2);
        QCOMPARE(asked.state.run().rangeOf(asked.table.sliceAt(0)).beginNs, 20 * us); // 10 us against 5
        QVERIFY2(asked.caption().startsWith(QStringLiteral("2 kernels during")), qPrintable(asked.caption()));
        // The same peak again does not need another answer.
        asked.choose({5 * us, 30 * us});
        QCOMPARE(asked.questions.size(), std::size_t{1});
        QCOMPARE(asked.rows(), 2);
    }
    void anAnswerToAClearedPeakIsIgnored()
    {
        SmallRun run(1);
        run.kernel(0, 0, 10);
        AskedTable asked(run);
        asked.choose({0, 10 * us});
        asked.state.selection().setPeak(std::nullopt);
        asked.answer(asked.questions.back());
        QCOMPARE(asked.rows(), 0);
        QVERIFY(!asked.caption().contains(QStringLiteral("kernels during")));
        asked.choose({0, 10 * us});
        QCOMPARE(asked.questions.size(), std::size_t{2});
        // Until it is answered, choosing the peak again asks again: the work may have failed.
        asked.choose({0, 10 * us});
        QCOMPARE(asked.questions.size(), std::size_t{3});
    }
    void anotherPeakHidesTheKernelsOfTheLast()
    {
        SmallRun run(1);
        run.kernel(0, 0, 10);
        run.kernel(0, 20, 30);
        AskedTable asked(run);
        asked.choose({0, 10 * us});
        asked.answer(asked.questions.back());
        QCOMPARE(asked.rows(), 1);
        asked.choose({20 * us, 30 * us});
        QCOMPARE(asked.rows(), 0);
        asked.answer(asked.questions.back());
        QCOMPARE(asked.state.run().rangeOf(asked.table.sliceAt(0)).beginNs, 20 * us);
    }
    /// Qt sorts on the GUI thread.
    void ofVeryManyTheLongestAreListed()
    {
        SmallRun run(1);
        constexpr int kernels = 10'020;
        for (int i = 0; i < kernels; ++i)
            run.kernel(0, 10.0 * i, i < 20 ? 1 : 5);
        AskedTable asked(run);
        asked.choose({0, 10 * us * kernels});
        asked.answer(asked.questions.back());
        QCOMPARE(asked.rows(), 10'000);
        QVERIFY2(asked.caption().startsWith(formatCount(kernels) + QStringLiteral(" kernels during"))
                     && asked.caption().contains(
                         QStringLiteral("the %1 with the largest overlap").arg(formatCount(10'000))),
                 qPrintable(asked.caption()));
        QString fileName;
        auto* const exported = asked.table.findChild<TableExport*>();
        QObject::connect(exported, &TableExport::wanted, exported,
                         [&](const QString& name, const QByteArray&) { fileName = name; });
        exported->ask();
        QCOMPARE(fileName, QStringLiteral("peak_kernels_10_000_of_10_020.csv"));
        for (int row = 0; row < asked.rows(); ++row)
            QCOMPARE(asked.state.run().rangeOf(asked.table.sliceAt(row)).lengthNs(), 5 * us);
        asked.state.selection().setPeak(std::nullopt);
        exported->ask();
        QCOMPARE(fileName, QStringLiteral("peak_kernels.csv"));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestKernelTable)
#include "tst_kernel_table.moc"
