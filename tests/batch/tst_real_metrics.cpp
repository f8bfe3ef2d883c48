// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// All metrics on every real trace: none fails, none says 0 without saying why or from what.

#include "tests/batch/program.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"

#include <QFileInfo>

#include <nlohmann/json.hpp>

namespace collscope {

class TestRealMetrics : public QObject
{
    Q_OBJECT

private slots:
    void everyTrace_data()
    {
        QTest::addColumn<QString>("path");
        for (const QString& path :
             allTraces({QStringLiteral("json"), QStringLiteral("json.gz"), QStringLiteral("sqlite")})) {
            if (!path.contains(QStringLiteral("torch_et")))
                QTest::newRow(qPrintable(traceLabel(path))) << path;
        }
        QTest::newRow("generated") << generatedRun();
        const QString job = tracesFolder() + QStringLiteral("/multirank/param_dlrm_8rank");
        if (!tracesFolder().isEmpty() && QFileInfo::exists(job))
            QTest::newRow("param_dlrm_8rank") << job;
    }
    void everyTrace()
    {
        QFETCH(QString, path);
        const ProgramRun run = runBatchProgram({QStringLiteral("--trace"), path, QStringLiteral("--metric"),
                                                QStringLiteral("all"), QStringLiteral("--json")});
        QVERIFY2(run.exitCode == 0 || run.exitCode == 2, run.err.constData());
        const nlohmann::json answer = jsonOf(run.out);
        QVERIFY(answer.is_object() && answer.size() > 100);
        for (const auto& [id, result] : answer.items()) {
            const std::string status = result["status"];
            QVERIFY2(status != "error", id.c_str());
            if (status != "value") {
                QVERIFY2(!result["reason"].get<std::string>().empty(), id.c_str());
                continue;
            }
            const bool isZero = result["value"].is_number() && result["value"].get<double>() == 0;
            QVERIFY2(!isZero || result.contains("warnings") || result.contains("inputs"),
                     (id + " is 0 and says nothing about it").c_str());
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestRealMetrics)
#include "tst_real_metrics.moc"
