// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Every row of the oracle, through the real binary.

#include "tests/batch/program.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"

#include <QDir>
#include <QFile>

#include <nlohmann/json.hpp>

#include <cmath>

namespace collscope {

namespace {

using nlohmann::json;

/// True if `got` is what the oracle says: numbers within the row's relative tolerance, everything else equal.
bool agrees(const json& got, const json& expected, double tolerance)
{
    if (expected.is_number())
        return got.is_number()
            && std::abs(got.get<double>() - expected.get<double>())
            <= tolerance * std::abs(expected.get<double>());
    if (expected.is_object()) {
        for (const auto& [key, value] : expected.items()) {
            if (!got.contains(key) || !agrees(got[key], value, tolerance))
                return false;
        }
        return true;
    }
    return got == expected;
}

QString text(const json& value)
{
    return QString::fromStdString(value.is_string() ? value.get<std::string>() : value.dump());
}

} // namespace

class TestOracle : public QObject
{
    Q_OBJECT

private:
    std::vector<json> m_rows;

    static QString pathOf(const json& row)
    {
        const QString path = text(row["path"]);
        const QString real = QStringLiteral("traces:");
        return path.startsWith(real) ? tracesFolder() + u'/' + path.mid(real.size())
                                     : oracleFolder() + u'/' + path;
    }

private slots:
    void row_data()
    {
        QTest::addColumn<int>("index");
        QFile file(oracleFolder() + QStringLiteral("/cases.json"));
        if (oracleFolder().isEmpty() || !file.open(QIODevice::ReadOnly))
            return;
        for (const json& row : jsonOf(file.readAll())) {
            QString name = text(row["case"]) + u' ' + text(row["id"]);
            for (const json& option : row["options"])
                name += u' ' + text(option);
            QTest::newRow(qPrintable(name)) << static_cast<int>(m_rows.size());
            m_rows.push_back(row);
        }
    }
    void row()
    {
        if (m_rows.empty())
            QSKIP("no oracle: set COLLSCOPE_ORACLE");
        QFETCH(int, index);
        const json& row = m_rows[static_cast<std::size_t>(index)];
        if (pathOf(row).startsWith(u'/') && !QFile::exists(pathOf(row)))
            QSKIP("this row's trace is not here: set COLLSCOPE_TRACES");
        QStringList arguments{QStringLiteral("--trace"), pathOf(row), QStringLiteral("--metric"),
                              text(row["id"])};
        for (const json& option : row["options"])
            arguments << text(option);
        const ProgramRun run = runBatchProgram(arguments + QStringList{QStringLiteral("--json")});

        const std::string status = row["status"];
        QCOMPARE(run.exitCode, row.value("exit", status == "value" ? 0 : 3));
        if (run.exitCode != 0)
            QVERIFY2(run.err.contains(' ') && run.err.endsWith('\n'), "no sentence on stderr");
        const json answer = jsonOf(run.out);
        QVERIFY2(answer.is_object() && answer.contains(row["id"].get<std::string>()), run.out.constData());
        const json& got = answer[row["id"].get<std::string>()];
        const double tolerance = row["rel_tol"];
        QCOMPARE(text(got["status"]), QString::fromStdString(status));
        QCOMPARE(text(got["unit"]), text(row["unit"]));
        QVERIFY2(agrees(got["value"], row["expect"], tolerance),
                 qPrintable(text(got["value"]) + QStringLiteral(" is not ") + text(row["expect"])));
        if (status != "value") {
            QVERIFY(!got["reason"].get<std::string>().empty());
            return;
        }
        QCOMPARE(text(got["window"]), text(row["window"]));
        QCOMPARE(text(got["reduction"]), text(row["reduction"]));
        if (row.contains("detail") && !row["detail"].is_null()) {
            for (const auto& [key, expected] : row["detail"].items())
                QVERIFY2(got.contains(key) && agrees(got[key], expected, tolerance),
                         (key + ": " + (got.contains(key) ? got[key].dump() : "missing") + " is not "
                          + expected.dump())
                             .c_str());
        }
    }
    /// Asking for all at once gives what asking for each gives.
    void togetherIsTheSame()
    {
        if (oracleFolder().isEmpty())
            QSKIP("no oracle: set COLLSCOPE_ORACLE");
        const QStringList ids{QStringLiteral("avg_step_time"), QStringLiteral("iter_time_16"),
                              QStringLiteral("comm_comp_overlap"), QStringLiteral("coll_call_num"),
                              QStringLiteral("max_throughput")};
        const QString path = oracleFolder() + QStringLiteral("/inputs/kineto_4rank");
        const ProgramRun all
            = runBatchProgram({path, QStringLiteral("--metric"), ids.join(u','), QStringLiteral("--json")});
        QCOMPARE(all.exitCode, 0);
        json together = jsonOf(all.out);
        QCOMPARE(together.size(), static_cast<std::size_t>(ids.size()));
        for (const QString& id : ids) {
            const ProgramRun one
                = runBatchProgram({path, QStringLiteral("--metric"), id, QStringLiteral("--json")});
            QVERIFY(jsonOf(one.out)[id.toStdString()] == together[id.toStdString()]);
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestOracle)
#include "tst_oracle.moc"
