// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The sampler of the collection kit beside an NVML whose counters are a known ramp: what it writes is what
// the program reads.

#include "tests/batch/program.h"
#include "tests/support/suite/suite.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

namespace collscope {

class TestNvlinkSampler : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    static QProcessEnvironment surroundings(const QMap<QString, QString>& more = {})
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("COLLSCOPE_NVML_LIB"), QStringLiteral(COLLSCOPE_FAKE_NVML));
        for (auto it = more.begin(); it != more.end(); ++it)
            environment.insert(it.key(), it.value());
        return environment;
    }
    /// The exit code; -1 if it crashed.
    static int sample(const QStringList& arguments, const QMap<QString, QString>& more = {})
    {
        QProcess sampler;
        sampler.setProcessEnvironment(surroundings(more));
        sampler.start(QStringLiteral(COLLSCOPE_SAMPLER), arguments);
        return sampler.waitForFinished() && sampler.exitStatus() == QProcess::NormalExit ? sampler.exitCode()
                                                                                         : -1;
    }
    QStringList into(const char* folder, const QStringList& more = {}) const
    {
        return QStringList{QStringLiteral("--output"), path(folder), QStringLiteral("--period-ms"),
                           QStringLiteral("2")}
        + more;
    }
    static double throughput(const QString& folder, const char* gpu, const char* link, const char* direction)
    {
        return runBatchProgram({folder, QStringLiteral("--metric"), QStringLiteral("avg_throughput"),
                                QStringLiteral("--gpu"), QLatin1String(gpu), QStringLiteral("--link"),
                                QLatin1String(link), QStringLiteral("--direction"), QLatin1String(direction)})
            .out.toDouble();
    }

private slots:
    void theRampComesOut()
    {
        QCOMPARE(sample(into("ramp", {QStringLiteral("--duration"), QStringLiteral("0.5")})), 0);
        // n + 1 KiB in each microsecond; a counter of whole KiB is off by one at each end.
        for (const auto& [gpu, link, direction, expected] :
             {std::tuple("0", "0", "tx", 1.024), std::tuple("0", "2", "tx", 3.072),
              std::tuple("1", "1", "rx", 1.024), std::tuple("1", "2", "rx", 1.536)}) {
            const double measured = throughput(path("ramp"), gpu, link, direction);
            QVERIFY2(std::abs(measured - expected) < 1e-3 * expected, qPrintable(QString::number(measured)));
        }
        const QByteArray sidecar = contentOf(path("ramp/nvlink_sampler.txt"));
        QVERIFY2(sidecar.contains("gpu 1 uuid GPU-fake-1 links 0 1 2 records "), sidecar.constData());
        QVERIFY(sidecar.contains("period_ms 2\n"));
        // On the grid of the period, but for what a busy machine misses.
        const qsizetype bytes = contentOf(path("ramp/nvlink_gpu0.bin")).size();
        QCOMPARE((bytes - 12) % 48, 0);
        const qsizetype samples = (bytes - 12) / 48 / 6;
        QVERIFY2(samples > 20 && samples <= 252, qPrintable(QString::number(samples)));
        const nlohmann::json doctor = jsonOf(
            runBatchProgram({QStringLiteral("--doctor"), path("ramp"), QStringLiteral("--json")}).out);
        std::size_t counters = 0;
        for (const auto& file : doctor.at("files")) {
            counters += file.at("format") == "NVLink counter samples (NVF1)" ? 1u : 0u;
            for (const auto& finding : file.at("findings"))
                QCOMPARE(finding.at("code").get<std::string>(),
                         std::string("sampling_gap")); // a busy machine
        }
        QCOMPARE(counters, std::size_t{2});
    }
    void aSignalEndsItWithWholeRecords_data()
    {
        QTest::addColumn<bool>("isKilled");
        QTest::newRow("SIGTERM") << false;
        QTest::newRow("SIGKILL") << true; // a second is lost at most
    }
    void aSignalEndsItWithWholeRecords()
    {
        QFETCH(const bool, isKilled);
        const char* folder = isKilled ? "killed" : "ended";
        QProcess sampler;
        sampler.setProcessEnvironment(surroundings());
        sampler.start(QStringLiteral(COLLSCOPE_SAMPLER), into(folder));
        const QString file = path(folder) + QStringLiteral("/nvlink_gpu0.bin");
        QTRY_VERIFY(QFileInfo(file).size() > 12 + 48 * 6 * 10); // what is written once a second is there
        isKilled ? sampler.kill() : sampler.terminate();
        QVERIFY(sampler.waitForFinished());
        if (!isKilled)
            QCOMPARE(sampler.exitCode(), 0);
        QCOMPARE((QFileInfo(file).size() - 12) % 48, 0);
        QVERIFY(throughput(path(folder), "0", "0", "tx") > 1.0);
    }
    void whatIsThereIsNotWrittenOver()
    {
        const QStringList brief{QStringLiteral("--duration"), QStringLiteral("0.02")};
        QCOMPARE(sample(into("twice", brief)), 0);
        const QByteArray before = contentOf(path("twice/nvlink_gpu0.bin"));
        QCOMPARE(sample(into("twice", brief)), 4);
        QVERIFY(!before.isEmpty() && contentOf(path("twice/nvlink_gpu0.bin")) == before);
    }
    void gpusAreChosen()
    {
        QCOMPARE(sample(into("chosen",
                             {QStringLiteral("--gpus"), QStringLiteral("1"), QStringLiteral("--raw"),
                              QStringLiteral("--duration"), QStringLiteral("0.05")})),
                 0);
        QCOMPARE(QDir(path("chosen")).entryList({QStringLiteral("*.bin")}),
                 QStringList{QStringLiteral("nvlink_gpu1.bin")});
    }
    void itSaysWhatIsMissing()
    {
        const QStringList brief = into("none", {QStringLiteral("--duration"), QStringLiteral("0.02")});
        QCOMPARE(sample(brief, {{QStringLiteral("COLLSCOPE_NVML_LIB"), path("nowhere.so")}}), 2);
        QCOMPARE(sample(brief, {{QStringLiteral("FAKE_NVML_BROKEN"), QStringLiteral("1")}}), 2);
        QCOMPARE(sample(brief, {{QStringLiteral("FAKE_NVML_LINKS"), QStringLiteral("0")}}), 3);
        QCOMPARE(sample(brief, {{QStringLiteral("FAKE_NVML_GPUS"), QStringLiteral("0")}}), 3);
        QVERIFY(!QFileInfo::exists(path("none")));
        QCOMPARE(sample({QStringLiteral("--period-ms"), QStringLiteral("0")}), 1);
        QCOMPARE(sample({QStringLiteral("--gpus"), QStringLiteral("a")}), 1);
        QCOMPARE(sample({QStringLiteral("--gpus"), QStringLiteral("0.5")}), 1);
        QCOMPARE(sample(into("none", {QStringLiteral("--gpus"), QStringLiteral("7")})), 3);
        QCOMPARE(sample({QStringLiteral("--output")}), 1);
        QCOMPARE(sample({QStringLiteral("--help")}), 0);
        QCOMPARE(sample({QStringLiteral("--output"), QStringLiteral("/proc/none"),
                         QStringLiteral("--duration"), QStringLiteral("0.02")}),
                 4);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestNvlinkSampler)
#include "tst_nvlink_sampler.moc"
