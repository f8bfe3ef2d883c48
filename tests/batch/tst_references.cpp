// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// --definition reference prints what the existing tools printed on the oracle's inputs, through the real
// binary.

#include "metrics/core/metric.h"
#include "metrics/definitions/reference.h"
#include "tests/batch/program.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/reference_claims.h"
#include "tests/support/suite/suite.h"

#include <QTemporaryDir>

namespace collscope {

namespace {

using nlohmann::json;

} // namespace

class TestReferences : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_scratch;
    json m_rows;

private slots:
    void initTestCase() { m_rows = expectedRows(); }

    void claim_data()
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < referenceClaims.size() && !m_rows.empty(); ++i)
            QTest::newRow(referenceClaims[i].label().constData()) << static_cast<int>(i);
    }
    void claim()
    {
        if (m_rows.empty())
            QSKIP("no oracle: set COLLSCOPE_ORACLE");
        QFETCH(int, index);
        const ReferenceClaim& claim = referenceClaims[static_cast<std::size_t>(index)];
        const QString path = pathOfCase(QString::fromLatin1(claim.kase), m_scratch.path());
        if (path.isEmpty())
            QSKIP("this row's trace is not here: set COLLSCOPE_TRACES");
        const auto request = findMetric(claim.asked());
        QVERIFY2(request, "no metric has this name");
        QVERIFY2(request->metric == findMetric(claim.id)->metric, request->metric->id.data());

        const QString name = QString::fromStdString(claim.asked());
        const ProgramRun run = runBatchProgram(
            QStringList{QStringLiteral("--trace"), path, QStringLiteral("--metric"), name,
                        QStringLiteral("--definition"), QStringLiteral("reference"), QStringLiteral("--json")}
            + optionsOf(claim));
        QVERIFY2(run.exitCode == 0, run.err.constData());
        const json answer = jsonOf(run.out);
        QVERIFY2(answer.is_object() && answer.contains(claim.asked()), run.out.constData());
        const json& got = answer[claim.asked()];
        QVERIFY(!got.value("reference_tool", "").empty());
        QVERIFY(!got.value("why_different", "").empty());
        const QString error = disagreement(claim, rowOf(m_rows, claim.kase, claim.row), got["value"], got,
                                           claim.factor * request->factor);
        QVERIFY2(error.isEmpty(), qPrintable(error));
    }
    /// Every tool's number belongs to a metric, under a name that can be asked for.
    void everyReferenceHasItsMetric()
    {
        for (const ReferenceSet* set : allReferences()) {
            for (const Reference& reference : set->entries) {
                const std::string name(reference.forName.empty() ? reference.metric : reference.forName);
                const auto request = findMetric(name);
                QVERIFY2(request && request->metric->id == reference.metric, name.c_str());
            }
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestReferences)
#include "tst_references.moc"
