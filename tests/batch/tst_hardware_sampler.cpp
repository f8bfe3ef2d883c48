// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The sampler of clocks, power and errors of the collection kit, beside an NVML and network cards with known
// values: what it writes is what the program reads.

#include "model/witnesses/hardware_record.h"
#include "tests/batch/program.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QSysInfo>
#include <QTemporaryDir>

#include <cmath>

namespace collscope {

class TestHardwareSampler : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    /// The exit code; -1 if it crashed.
    int sample(const QStringList& arguments, const QMap<QString, QString>& more = {}) const
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("COLLSCOPE_NVML_LIB"), QStringLiteral(COLLSCOPE_FAKE_NVML));
        environment.insert(QStringLiteral("COLLSCOPE_SYSFS"), path("sys"));
        for (auto it = more.begin(); it != more.end(); ++it)
            environment.insert(it.key(), it.value());
        QProcess sampler;
        sampler.setProcessEnvironment(environment);
        sampler.start(QStringLiteral(COLLSCOPE_HARDWARE_SAMPLER), arguments);
        return sampler.waitForFinished() && sampler.exitStatus() == QProcess::NormalExit ? sampler.exitCode()
                                                                                         : -1;
    }
    QStringList into(const char* folder) const
    {
        return {QStringLiteral("--output"),    path(folder),
                QStringLiteral("--period-ms"), QStringLiteral("20"),
                QStringLiteral("--duration"),  QStringLiteral("0.3")};
    }
    void addCard(const char* name, const char* value) const
    {
        const std::filesystem::path folder = path("sys").toStdString() + "/" + name + "/ports/1/counters";
        std::filesystem::create_directories(folder);
        writeFile(folder / "symbol_error", value);
    }

private slots:
    void whatItWritesIsRead()
    {
        addCard("mlx5_0", "12\n");
        addCard("mlx5_1", "no number\n");
        QCOMPARE(sample(into("run"), {{QStringLiteral("FAKE_NVML_THROTTLED"), QStringLiteral("1")}}), 0);
        const auto loaded = loadPath(path("run").toStdString());
        QVERIFY(loaded && (*loaded)->hardware);
        const HardwareRecord& record = *(*loaded)->hardware;
        QCOMPARE(record.devices.size(), std::size_t{4});
        const HardwareDevice* throttled = nullptr;
        const HardwareDevice* card = nullptr;
        for (const HardwareDevice& device : record.devices) {
            QVERIFY(device.stamps == StampKind::Utc && device.samples >= 5);
            QCOMPARE(device.host, QSysInfo::machineHostName().toStdString());
            throttled = device.index == 1 ? &device : throttled;
            card = device.name == "mlx5_0 port 1" ? &device : card;
        }
        QVERIFY(throttled && card);
        QCOMPARE(throttled->uuid, std::string("GPU-fake-1"));
        QCOMPARE(throttled->pci, std::string("0000:1c:00.0"));
        QCOMPARE(throttled->name, std::string("NVIDIA Fake, 80GB"));
        const auto valueOf = [](const HardwareDevice& device, HardwareQuantity quantity) {
            const HardwareSeries* const series = device.find(quantity);
            return series ? series->at(device.samples - 1) : std::nan("");
        };
        QCOMPARE(valueOf(*throttled, HardwareQuantity::SmClock), 1215.0);
        QCOMPARE(valueOf(*throttled, HardwareQuantity::Power), 412.345);
        QCOMPARE(valueOf(*throttled, HardwareQuantity::Temperature), 91.0);
        QCOMPARE(valueOf(*throttled, HardwareQuantity::Utilisation), 98.0);
        QCOMPARE(valueOf(*throttled, HardwareQuantity::ThrottleReasons), 72.0);
        QCOMPARE(valueOf(*throttled, HardwareQuantity::NvlinkReplays),
                 static_cast<double>(throttled->samples));
        // What the driver does not know is not 0.
        QVERIFY(std::isnan(valueOf(*throttled, HardwareQuantity::EccCorrected)));
        QVERIFY(std::isnan(valueOf(*throttled, HardwareQuantity::NvlinkCrc)));
        QVERIFY(std::isnan(valueOf(*throttled, HardwareQuantity::PowerLimit)));
        QCOMPARE(valueOf(*card, HardwareQuantity::LinkErrors), 12.0);
    }
    void whatIsThereIsNotWrittenOver()
    {
        QCOMPARE(sample(into("twice")), 0);
        QCOMPARE(sample(into("twice")), 4);
    }
    void itSaysWhatIsMissing()
    {
        const QMap<QString, QString> nothing{{QStringLiteral("COLLSCOPE_NVML_LIB"), path("nowhere.so")},
                                             {QStringLiteral("COLLSCOPE_SYSFS"), path("nowhere")}};
        QCOMPARE(sample(into("none"), nothing), 3);
        QVERIFY(!QFileInfo::exists(path("none")));
        QCOMPARE(sample({QStringLiteral("--period-ms"), QStringLiteral("1")}), 1);
        QCOMPARE(sample({QStringLiteral("--output")}), 1);
        QCOMPARE(sample({QStringLiteral("--help")}), 0);
        QCOMPARE(sample({QStringLiteral("--output"), QStringLiteral("/proc/none"),
                         QStringLiteral("--duration"), QStringLiteral("0.02")}),
                 4);
    }
    void aSignalEndsItWithWholeLines()
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("COLLSCOPE_NVML_LIB"), QStringLiteral(COLLSCOPE_FAKE_NVML));
        QProcess sampler;
        sampler.setProcessEnvironment(environment);
        sampler.start(
            QStringLiteral(COLLSCOPE_HARDWARE_SAMPLER),
            {QStringLiteral("--output"), path("ended"), QStringLiteral("--period-ms"), QStringLiteral("10")});
        const auto content = [&] {
            const QStringList names = QDir(path("ended")).entryList({QStringLiteral("gpu_state_*.csv")});
            QFile file(path("ended") + u'/' + names.value(0));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QTRY_VERIFY(content().count('\n') > 5);
        sampler.terminate();
        QVERIFY(sampler.waitForFinished());
        QCOMPARE(sampler.exitCode(), 0);
        QVERIFY(content().endsWith('\n'));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestHardwareSampler)
#include "tst_hardware_sampler.moc"
