// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What files say is text in the window, and stays text when it leaves it.

#include "app/jobs/load_job.h"
#include "app/parts/session_store.h"
#include "tests/gui/driver/window_driver.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_writer.h"
#include "views/common/format.h"
#include "views/tables/cell_table.h"
#include "views/tables/table_text.h"

#include <QComboBox>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

namespace collscope {

class TestHostileWindow : public QObject
{
    Q_OBJECT

private slots:
    void tablesHoldNoFormulas()
    {
        QStandardItemModel model(1, 0);
        const QStringList texts{QStringLiteral("=1+1"), QStringLiteral("+1"),   QStringLiteral("-1"),
                                QStringLiteral("@x"),   QStringLiteral("\t=1"), QStringLiteral("\r=1"),
                                QStringLiteral("gemm")};
        for (const QString& text : texts) {
            auto* item = new QStandardItem(text);
            item->setData(text, RawRole);
            model.appendColumn({item});
        }
        auto* number = new QStandardItem;
        number->setData(-2.5, RawRole);
        model.appendColumn({number});
        const QString csv = tableAsCsv(model, {0}).section(u'\n', 1);
        QCOMPARE(csv, QStringLiteral("'=1+1,'+1,'-1,'@x,'\t=1,\"'\r=1\",gemm,-2.5\n"));
        const QString tsv = tableAsTsv(model, {0}).section(u'\n', 1);
        QCOMPARE(tsv, QStringLiteral("'=1+1\t'+1\t'-1\t'@x\t' =1\t' =1\tgemm\t-2.5\n"));
    }
    void toolTipsShowNoMarkup()
    {
        QCOMPARE(plainToolTip(QStringLiteral("plain < text")), QStringLiteral("plain < text"));
        const QString tip = plainToolTip(QStringLiteral("<img src='file:///dev/zero'>"));
        QVERIFY(!tip.contains(QLatin1String("<img")) && tip.contains(QLatin1String("&lt;img")));
    }
    void groupsOfAFileAreText()
    {
        const QTemporaryDir folder;
        const QString description = QStringLiteral("<img src='file:///dev/zero'>");
        for (const int rank : {0, 1}) {
            QStringList events;
            for (int i = 0; i < 4; ++i)
                events << QStringLiteral(
                              "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": "
                              "\"ncclDevKernel_AllReduce_Sum_bf16_RING_LL\", \"pid\": %1, \"tid\": 20, "
                              "\"ts\": %2, "
                              "\"dur\": 50, \"args\": {\"device\": %1, \"stream\": 20, \"Collective name\": "
                              "\"allreduce\", \"In msg nelems\": 1024, \"dtype\": \"BFloat16\", \"Group "
                              "size\": 2, "
                              "\"Process Group Name\": \"0\", \"Process Group Description\": \"%3\", "
                              "\"Process Group Ranks\": \"[0, 1]\"}}")
                              .arg(rank)
                              .arg(1000 * (i + 1))
                              .arg(description);
            writeKineto(folder.filePath(QStringLiteral("rank%1.json").arg(rank)), rank, events);
        }
        const auto window = shownWindow();
        QVERIFY(openAndWait(*window, {folder.path()}));
        int named = 0;
        for (const QComboBox* box : window->findChildren<QComboBox*>()) {
            for (int i = 0; i < box->count(); ++i) {
                named += box->itemText(i).contains(description) ? 1 : 0;
                const QString tip = box->itemData(i, Qt::ToolTipRole).toString();
                QVERIFY2(!tip.contains(QLatin1String("<img")), qPrintable(tip));
            }
        }
        QVERIFY(named > 0);
    }
    void memoryIsLimited()
    {
        const QTemporaryDir folder;
        RunFiles files;
        files.nvlink = false;
        writeRun(planRun(WorkloadDescription()), folder.path().toStdString(), files);
        LoadJob job;
        QSignalSpy failed(&job, &LoadJob::failed);
        QSignalSpy loaded(&job, &LoadJob::loaded);
        LoadOptions options;
        options.maxMemory = 1;
        job.start({folder.path()}, options);
        QTRY_VERIFY_WITH_TIMEOUT(!failed.isEmpty(), 20'000);
        QVERIFY(failed.first().first().toString().contains(QLatin1String("--max-memory")));
        job.start({folder.path()}, {});
        QTRY_VERIFY_WITH_TIMEOUT(!loaded.isEmpty(), 20'000);
    }
    void sessionsThatAreNoFiles()
    {
        const QTemporaryDir folder;
        TraceModel model;
        model.paths = {folder.path().toStdString()};
        const SessionStore store(folder.filePath(QStringLiteral("sessions")));
        const std::string beside = SessionStore::fileBeside(model).toStdString();
        QCOMPARE(::mkfifo(beside.c_str(), 0600), 0);
        QVERIFY(!store.load(model).session);
        std::filesystem::remove(beside);
        std::filesystem::create_symlink("/proc/self/mem", beside);
        const SessionStore::Kept kept = store.load(model);
        QVERIFY(!kept.session);
        QVERIFY(!kept.status);
        QVERIFY(!kept.status.error().message.empty());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestHostileWindow)
#include "tst_hostile_window.moc"
