// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The tab "Hang", by mouse and keyboard.

#include "tests/gui/driver/window_test.h"
#include "tests/support/runs/hung_example.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "views/hang/hang_canvas.h"
#include "views/hang/hang_view.h"
#include "views/hang/stack_pair.h"
#include "views/tables/cell_table.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QTabWidget>
#include <QTest>
#include <QToolButton>

namespace collscope {

class TestHangView : public WindowTest
{
    Q_OBJECT

private:
    HangView& view() const { return *m_window->view<HangView>(); }
    HangCanvas& canvas() const { return *view().canvas(); }
    static QString textOf(const CellTable& table)
    {
        QStringList rows;
        for (int row = 0; row < table.model()->rowCount(); ++row) {
            QStringList cells;
            for (int column = 0; column < table.model()->columnCount(); ++column)
                cells << table.model()->index(row, column).data().toString();
            rows << cells.join(QStringLiteral(" | "));
        }
        return rows.join(QLatin1Char('\n'));
    }
    /// The row of the grid that has a rank.
    int rowOf(std::int32_t rank) const
    {
        const HangJob& job = view().hangCase()->job;
        for (std::size_t row = 0; row < canvas().grid().rows.size(); ++row) {
            const auto& ranks = canvas().grid().rows[row].ranks;
            if (std::find(ranks.begin(), ranks.end(), job.indexOf(rank)) != ranks.end())
                return static_cast<int>(row);
        }
        return -1;
    }
    QString letters(int row) const
    {
        QString text;
        for (const HangCell cell : canvas().grid().rows[static_cast<std::size_t>(row)].cells)
            text += QLatin1Char(letterOf(cell));
        return text;
    }

    void writeFiles() override { writeHungExample(runPath().toStdString()); }
    void openFirst() override
    {
        QVERIFY(openAndWait(*m_window, {runPath()}));
        QTRY_VERIFY(view().hangCase() != nullptr);
    }

private slots:
    void aFolderOfDumpsOpensWithTheVerdict()
    {
        QVERIFY(view().isVisible());
        QVERIFY2(view().verdictText().startsWith(QStringLiteral("Rank 5 stopped on the CPU: it never made")),
                 qPrintable(view().verdictText()));
        QVERIFY(view().verdictText().contains(QStringLiteral("call 7 (all_reduce)")));
    }
    void theGridShowsWhoDidNotCall()
    {
        QVERIFY(
            view().groups()->currentText().startsWith(QStringLiteral("TENSOR_MODEL_PARALLEL_GROUP (4, 5)")));
        QCOMPARE(rowOf(5), 0); // who is named comes first
        QCOMPARE(letters(rowOf(5)), QStringLiteral("CCCCN"));
        QCOMPARE(letters(rowOf(4)), QStringLiteral("CCCCP"));
    }
    void otherGroupsCanBeChosen()
    {
        const int other = view().groups()->findText(QStringLiteral("DATA_PARALLEL_GROUP (0, 2, 4, 6)"),
                                                    Qt::MatchStartsWith);
        QVERIFY(other >= 0);
        view().groups()->setFocus();
        while (view().groups()->currentIndex() < other)
            QTest::keyClick(view().groups(), Qt::Key_Down);
        QCOMPARE(letters(rowOf(0)), QStringLiteral("CP"));
        QCOMPARE(letters(rowOf(4)), QStringLiteral("CN"));
        QCOMPARE(rowOf(0), rowOf(2)); // alike: in one row
        QCOMPARE(rowOf(0), rowOf(6));
    }
    void allRanksThatWaitAreListed()
    {
        const QString waits = textOf(*view().path());
        QVERIFY2(waits.contains(QStringLiteral("rank 4 | rank 5 | call 7 (all_reduce) of "
                                               "TENSOR_MODEL_PARALLEL_GROUP (4, 5)")),
                 qPrintable(waits));
        QVERIFY2(waits.contains(QStringLiteral("ranks 1, 3 and 7 | rank 5 | call 2 (all_reduce)")),
                 qPrintable(waits));
        QVERIFY2(waits.contains(QStringLiteral("ranks 0, 2 and 6 | rank 4 | call 2 (all_reduce)")),
                 qPrintable(waits));
    }
    void aClickShowsTheCallAndTheWay()
    {
        const QRect cell = canvas().cellRect({rowOf(4), 4});
        QTest::mouseClick(canvas().viewport(), Qt::LeftButton, {}, cell.center());
        const QString details = view().details()->text();
        QVERIFY2(details.contains(QStringLiteral("rank 4, call 7")), qPrintable(details));
        QVERIFY2(details.contains(QStringLiteral("File nccl_trace_rank_4")), qPrintable(details));
        QVERIFY(textOf(*view().path()).startsWith(QStringLiteral("rank 4 | rank 5 | ")));
        QTest::keyClick(&canvas(), Qt::Key_Up);
        QCOMPARE(canvas().chosen()->row, rowOf(5));
        QVERIFY(view().details()->text().contains(QStringLiteral("does not hold call 7")));
    }
    void theStacksPartWhereTheyDiffer()
    {
        const QString stacks = textOf(*view().stacks()->table());
        QVERIFY2(stacks.contains(QStringLiteral("next_batch (data.py:77)")), qPrintable(stacks));
        QVERIFY(stacks.contains(QStringLiteral(":84")));
        QVERIFY(view().hangCase()->reported().front().firstDifference.has_value());
    }
    void theVerdictIsCopied()
    {
        QTest::mouseClick(view().copyButton(), Qt::LeftButton);
        const QString text = QApplication::clipboard()->text();
        QVERIFY(text.startsWith(view().verdictText()));
        QVERIFY(text.contains(QStringLiteral("A watchdog reported")));
    }
    void aRunThatDidNotHangHasNoTab()
    {
        SmallRun run(1);
        run.kernel(0, 10, 100);
        CHECKED(openRun(run));
        QTabWidget* const tabs = m_window->findChild<QTabWidget*>();
        QVERIFY(!tabs->isTabVisible(tabs->indexOf(&view())));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestHangView)
#include "tst_hang_view.moc"
