// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Samples of GPUs and network cards and lines of XID errors as their tools print them: values, unknown ones,
// times, damaged rows, and files that only look similar. The lines have the form of those in public
// repositories, with other numbers.

#include "model/readers/hardware/log_stamp.h"
#include "model/readers/run/file_heads.h"
#include "model/witnesses/hardware_record.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"

#include <cmath>

namespace collscope {

namespace {

using Quantity = HardwareQuantity;

const std::string smi
    = "timestamp, index, pci.bus_id, power.draw [W], temperature.gpu, clocks.current.sm [MHz], "
      "clocks.current.memory [MHz], utilization.gpu [%], clocks_event_reasons.active, "
      "clocks_event_reasons.sw_power_cap, memory.used [MiB]\n"
      "2026/09/11 04:19:41.982, 0, 00000000:1B:00.0, 187.80 W, 33, 120 MHz, 3996 MHz, 0 %, "
      "0x0000000000000001, "
      "Not Active, 4 MiB\n"
      "2026/09/11 04:19:41.986, 1, 00000000:3B:00.0, [N/A], 39, 1965 MHz, 3996 MHz, 98 %, "
      "0x0000000000000044, "
      "Active, 70000 MiB\n"
      "2026/09/11 04:19:42.982, 0, 00000000:1B:00.0, 912.10 W, 61, 1965 MHz, 3996 MHz, 97 %, "
      "0x0000000000000000, "
      "Not Active, 70000 MiB\n";

std::shared_ptr<const HardwareRecord> recordOf(const std::string& name, const std::string& text)
{
    RunFolder folder;
    const TraceModelPtr model = folder.writeAndLoad(name, text);
    return model ? model->hardware : nullptr;
}

double valueOf(const HardwareDevice& device, Quantity quantity, std::uint32_t sample)
{
    const HardwareSeries* const series = device.find(quantity);
    return series ? series->at(sample) : -1;
}

/// The reader that takes a file; empty: none of hardware.
std::string takenBy(const std::string& name, const std::string& head)
{
    const ReaderDescriptor* const reader = readerFor(name, head);
    const bool isOurs
        = reader && (reader->kind == SourceKind::HardwareSamples || reader->kind == SourceKind::SystemLog);
    return isOurs ? std::string(reader->id) : std::string();
}

} // namespace

class TestHardwareSamples : public QObject
{
    Q_OBJECT

private slots:
    void nvidiaSmi()
    {
        const auto record = recordOf("gpus.csv", smi);
        QVERIFY(record && record->devices.size() == 2);
        const HardwareDevice& first = record->devices[0];
        QCOMPARE(first.index, std::optional(0));
        QCOMPARE(first.pci, std::string("0000:1b:00.0"));
        QVERIFY(first.stamps == StampKind::Local && first.samples == 2);
        QCOMPARE(first.timeNs,
                 (std::vector<std::int64_t>{1'789'100'381'982'000'000, 1'789'100'382'982'000'000}));
        QCOMPARE(valueOf(first, Quantity::SmClock, 0), 120.0);
        QCOMPARE(valueOf(first, Quantity::SmClock, 1), 1965.0);
        QCOMPARE(valueOf(first, Quantity::Power, 0), 187.8);
        QCOMPARE(valueOf(first, Quantity::ThrottleReasons, 0), 1.0);
        const HardwareDevice& second = record->devices[1];
        QVERIFY(std::isnan(valueOf(second, Quantity::Power, 0)) || valueOf(second, Quantity::Power, 0) == -1);
        QCOMPARE(valueOf(second, Quantity::ThrottleReasons, 0), 68.0);
        QCOMPARE(valueOf(second, Quantity::Temperature, 0), 39.0);
    }
    /// Without units, other order, single reasons in place of the bits, and the names again in between.
    void nvidiaSmiInOtherForms()
    {
        const auto record = recordOf("a.log",
                                     "index, clocks_throttle_reasons.hw_thermal_slowdown, "
                                     "clocks_throttle_reasons.hw_slowdown, clocks.gr, "
                                     "timestamp, power.draw.average, power.draw.instant\n"
                                     "3, Active, Active, 1200, 2026/09/11 04:19:41.000, 100.5, 200.5\n"
                                     "index, timestamp, temperature.gpu\n"
                                     "3, 2026/09/11 04:19:42.000, 77\n");
        QVERIFY(record && record->devices.size() == 1);
        const HardwareDevice& device = record->devices[0];
        QCOMPARE(valueOf(device, Quantity::ThrottleReasons, 0), 72.0);
        QCOMPARE(valueOf(device, Quantity::SmClock, 0), 1200.0);
        QCOMPARE(valueOf(device, Quantity::Power, 0), 200.5);
        QCOMPARE(valueOf(device, Quantity::Temperature, 1), 77.0);
    }
    void nvidiaDmon()
    {
        const auto record = recordOf("dmon.txt",
                                     "#Date       Time        gpu    pwr  gtemp  mtemp     sm    mem   mclk  "
                                     " pclk  pviol  tviol  sbecc  "
                                     "dbecc    pci  rxpci \n"
                                     "#YYYYMMDD   HH:MM:SS    Idx      W      C      C      %      %    MHz  "
                                     "  MHz      %   bool   errs   "
                                     "errs   errs   MB/s \n"
                                     " 20260104   13:54:35      0    239     63      -     96      1   6250  "
                                     " 1695     40      1      0      "
                                     "-      7      5 \n\n"
                                     " 20260104   13:54:36      0    240     64      -     97      1   6250  "
                                     " 1680      0      0      2      "
                                     "-      9      5 \n");
        QVERIFY(record && record->devices.size() == 1);
        const HardwareDevice& device = record->devices[0];
        QVERIFY(device.stamps == StampKind::Local && device.periodNs == 1'000'000'000);
        QCOMPARE(valueOf(device, Quantity::ThrottleReasons, 0), double(0x30000));
        QCOMPARE(valueOf(device, Quantity::ThrottleReasons, 1), 0.0);
        QCOMPARE(valueOf(device, Quantity::PcieReplays, 1), 9.0);
        QVERIFY(!(valueOf(device, Quantity::EccUncorrected, 0) >= 0)); // "-" is not 0
        // Without -o DT there is no time, and nothing can be placed.
        const auto timeless = recordOf("dmon.txt",
                                       "# gpu   pwr gtemp mtemp    sm   mem   enc   dec  mclk  pclk\n"
                                       "# Idx     W     C     C     %     %     %     %   MHz   MHz\n"
                                       "    0    70    48     -     5     1     0     0  7000  1350\n");
        QVERIFY(timeless && timeless->devices[0].stamps == StampKind::None
                && timeless->devices[0].samples == 1);
    }
    void dcgmi()
    {
        const auto record = recordOf(
            "dcgmi.txt",
            "#Entity         SMCLK    POWER       TMPTR    DVCCTR    XIDER    EDVTL\nID\n"
            "GPU 0           1980     412.310     61       0         0        0\n"
            "GPU 1           N/A      78.000      35       1         0        9223372036854775794\n"
            "#Entity         SMCLK    POWER       TMPTR    DVCCTR    XIDER    EDVTL\nID\n"
            "GPU 0           1215     300.000     88       72        79       2\n"
            "GPU-I 0         1215     300.000     88       72        79       2\n");
        QVERIFY(record && record->devices.size() == 2);
        QCOMPARE(record->devices[0].samples, 2u);
        QCOMPARE(valueOf(record->devices[0], Quantity::ThrottleReasons, 1), 72.0);
        QVERIFY(!(valueOf(record->devices[1], Quantity::EccUncorrected, 0) >= 0));
        // The last XID changed: an error between two samples.
        QCOMPARE(record->xids.size(), std::size_t{1});
        QCOMPARE(record->xids[0].code, 79);
        QCOMPARE(record->xids[0].index, std::optional(0));
        const auto stamped = recordOf("dcgmi.log",
                                      "2026-01-04T13:54:35+0100 #Entity  SMCLK\n2026-01-04T13:54:35+0100 ID\n"
                                      "2026-01-04T13:54:35+0100 GPU 0  1980\n");
        QVERIFY(stamped && stamped->devices[0].stamps == StampKind::Utc);
        QCOMPARE(stamped->devices[0].timeNs.front(), std::int64_t{1'767'531'275} * 1'000'000'000);
    }
    void dcgmExporter()
    {
        const std::string labels = "{gpu=\"0\",UUID=\"GPU-a8\",pci_bus_id=\"00000000:0D:00.0\",device="
                                   "\"nvidia0\",modelName=\"NVIDIA "
                                   "L40S, x\",Hostname=\"node-a\",DCGM_FI_DRIVER_VERSION=\"580.126.09\"} ";
        const std::string old = "{gpu=\"1\", UUID=\"GPU-b4\", device=\"nvidia1\"} ";
        const std::string help = "# HELP DCGM_FI_DEV_SM_CLOCK SM clock frequency (in MHz).\n# TYPE "
                                 "DCGM_FI_DEV_SM_CLOCK gauge\n";
        const auto record = recordOf(
            "dcgm.prom",
            "# 1767531275.5\n" + help + "DCGM_FI_DEV_SM_CLOCK" + labels + "1980\nDCGM_FI_DEV_SM_CLOCK" + old
                + "885\nDCGM_FI_DEV_MEMORY_TEMP" + labels + "9223372036854775794\nDCGM_FI_DEV_GPU_TEMP"
                + labels + "9223372036854775794\nDCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL" + labels
                + "12\n" + "# scraped 2026-01-04T12:54:36Z\n" + help + "DCGM_FI_DEV_SM_CLOCK" + labels
                + "1215\nDCGM_FI_DEV_SM_CLOCK" + old + "890\n");
        QVERIFY(record && record->devices.size() == 2);
        const HardwareDevice* own = nullptr;
        for (const HardwareDevice& device : record->devices)
            own = device.host == "node-a" ? &device : own;
        QVERIFY(own && own->uuid == "GPU-a8" && own->pci == "0000:0d:00.0" && own->name == "NVIDIA L40S, x");
        QCOMPARE(own->timeNs,
                 (std::vector<std::int64_t>{1'767'531'275'500'000'000, 1'767'531'276'000'000'000}));
        QCOMPARE(valueOf(*own, Quantity::SmClock, 1), 1215.0);
        QCOMPARE(valueOf(*own, Quantity::NvlinkReplays, 0), 12.0);
        QVERIFY(!(valueOf(*own, Quantity::Temperature, 0) >= 0));
        // Stamps of Prometheus itself separate answers, too.
        const auto federated
            = recordOf("f.prom",
                       "DCGM_FI_DEV_SM_CLOCK" + labels + "1980 1767531275500\nDCGM_FI_DEV_SM_CLOCK" + labels
                           + "1970 1767531276500\n");
        QVERIFY(federated && federated->devices[0].samples == 2);
    }
    void amdSmi()
    {
        const auto record = recordOf(
            "amd.csv",
            "timestamp,gpu,gfx_activity,umc_activity,mm_activity,vcn_activity,jpeg_activity,socket_power,"
            "gfx_voltage,throttle_status,power_management,gfx_0_clk,gfx_1_clk,mem_0_clk,edge,hotspot,mem\r\n"
            "1789515525,0,95,80,N/A,\"['N/A', 'N/A']\",\"[0, "
            "0]\",1180,850,THROTTLED,ENABLED,1404,1500,2000,N/A,78,"
            "60\r\n"
            "1789515525,1,0,0,N/A,\"['N/A', 'N/A']\",\"[0, "
            "0]\",N/A,N/A,UNTHROTTLED,ENABLED,132,132,900,N/A,40,"
            "25\r\n");
        QVERIFY(record && record->devices.size() == 2);
        const HardwareDevice& device = record->devices[0];
        QVERIFY(device.stamps == StampKind::Utc);
        QCOMPARE(valueOf(device, Quantity::SmClock, 0), 1404.0);
        QCOMPARE(valueOf(device, Quantity::Temperature, 0), 78.0);
        QCOMPARE(valueOf(device, Quantity::ThrottleReasons, 0), double(0x40000));
        QVERIFY(!(valueOf(record->devices[1], Quantity::Power, 0) >= 0));
    }
    void networkCards()
    {
        const auto record = recordOf("nic.csv",
                                     "timestamp_unix_ns,host,nic,port,symbol_error,link_downed\n"
                                     "1767531275500000000,node07,mlx5_0,1,3,\n"
                                     "1767531276500000000,node07,mlx5_0,1,9,\n");
        QVERIFY(record && record->devices.size() == 1);
        QVERIFY(record->devices[0].kind == HardwareDevice::Kind::NetworkCard);
        QCOMPARE(record->devices[0].name, std::string("mlx5_0 port 1"));
        QCOMPARE(valueOf(record->devices[0], Quantity::LinkErrors, 1), 9.0);
    }

    void kernelLogs_data()
    {
        QTest::addColumn<QString>("prefix");
        QTest::addColumn<int>("kind");
        QTest::addColumn<qint64>("ns");
        QTest::addColumn<QString>("host");
        const auto row = [](const char* prefix, StampKind kind, std::int64_t ns, const char* host = "") {
            QTest::newRow(prefix) << QString::fromLatin1(prefix) << static_cast<int>(kind)
                                  << static_cast<qint64>(ns) << QString::fromLatin1(host);
        };
        constexpr std::int64_t s = 1'000'000'000;
        row("[12345.678901] ", StampKind::SinceBoot, 12'345'678'901'000);
        row("[ 9001.000001] ", StampKind::SinceBoot, 9'001'000'001'000);
        row("<4>[ 9001.000001] ", StampKind::SinceBoot, 9'001'000'001'000);
        row("kern  :err   : [ 9001.000001] ", StampKind::SinceBoot, 9'001'000'001'000);
        row("[Mon Nov 23 12:34:56 2026] ", StampKind::Local, 1'795'437'296 * s);
        row("2026-11-23T12:34:56,789012+01:00 ", StampKind::Utc, 1'795'433'696 * s + 789'012'000);
        row("2026-11-23T12:34:56+0000 node07 kernel: ", StampKind::Utc, 1'795'437'296 * s, "node07");
        row("2026-11-23T12:34:56.500000-04:00 node07 kernel: [ 9001.000001] ", StampKind::SinceBoot,
            9'001'000'001'000);
        row("Nov 23 12:34:56 node07 kernel: ", StampKind::LocalWithoutYear, 91'370'096 * s, "node07");
        row("Mon 2026-11-23 12:34:56 UTC node07 kernel: ", StampKind::Utc, 1'795'437'296 * s, "node07");
        row("Mon 2026-11-23 12:34:56 CET node07 kernel: ", StampKind::Local, 1'795'437'296 * s, "node07");
        row("", StampKind::None, 0);
    }
    void kernelLogs()
    {
        QFETCH(const QString, prefix);
        QFETCH(const int, kind);
        QFETCH(const qint64, ns);
        QFETCH(const QString, host);
        const auto record = recordOf("kern.log",
                                     prefix.toStdString()
                                         + "NVRM: Xid (PCI:0000:3b:00): 79, pid='<unknown>', name=<unknown>, "
                                           "GPU has fallen off the bus.\n");
        QVERIFY(record && record->xids.size() == 1);
        const XidEvent& xid = record->xids.front();
        if (prefix.contains(QStringLiteral("-04:00"))) {
            // Both times are there; the one that can be placed counts.
            QVERIFY(xid.stamps == StampKind::Utc && xid.host == "node07");
            return;
        }
        QCOMPARE(static_cast<int>(xid.stamps), kind);
        QCOMPARE(static_cast<qint64>(xid.timeNs), ns);
        QCOMPARE(QString::fromStdString(xid.host), host);
        QCOMPARE(xid.pci, std::string("0000:3b:00.0"));
        QCOMPARE(xid.code, 79);
        QVERIFY(xid.text.ends_with("GPU has fallen off the bus."));
    }
    void onlyErrorsAreEvents()
    {
        RunFolder folder;
        const TraceModelPtr model = folder.writeAndLoad(
            "dmesg.txt",
            "[    0.000000] Linux version 6.8\n[    6.123456] NVRM: loading NVIDIA UNIX x86_64 Kernel "
            "Module\n"
            "[   99.000001] NVRM: Xid (0000:01:00): 31, Ch 00000010, engmask 00000101\n"
            "[  100.000001] NVRM: Xid (PCI:0000:01:00): broken\n[  101.000001] NVRM: Xid (nowhere): 13, x\n");
        QVERIFY(model && model->hardware);
        QCOMPARE(model->hardware->xids.size(), std::size_t{1});
        const SourceInfo& source = model->sources.front();
        QVERIFY(source.eventsInFile == 3 && source.shown == 1 && source.excluded == 2);
    }

    /// Rows that are cut off, not numbers, or impossible: excluded and counted, the others are read.
    void damagedRows()
    {
        const std::string head = "timestamp, index, clocks.sm [MHz], utilization.gpu [%]\n";
        const std::vector<std::string> bad{"2026/09/11 04:19:41.982, 0, 120 MHz",
                                           "2026/09/11 04:19:41.982, 0, 120 MHz, 3 %, 4",
                                           "yesterday, 0, 120 MHz, 3 %",
                                           "2026/13/11 04:19:41, 0, 120 MHz, 3 %",
                                           "2026/09/11 04:19:41, -1, 120 MHz, 3 %",
                                           "2026/09/11 04:19:41, 0, fast, 3 %",
                                           "2026/09/11 04:19:41, 0, 120 GHz, 3 %",
                                           std::string("2026/09/11 04:19\0:41, 0, 120 MHz, 3 %", 37),
                                           "2026/09/11 04:19:41, 99999999999999999999, 1, 3",
                                           "\xff\xfe",
                                           "2026/09/11 04:19:41, 0, 1e999, 3",
                                           "2026/09/11 04:19:41, 1024, 120 MHz, 3 %"};
        std::string text = head;
        for (const std::string& row : bad)
            text += row + "\n2026/09/11 04:19:42, 0, 120 MHz, 3 %\n";
        RunFolder folder;
        const TraceModelPtr model = folder.writeAndLoad("gpus.csv", text);
        QVERIFY(model && model->hardware);
        const SourceInfo& source = model->sources.front();
        QCOMPARE(source.eventsInFile, 2 * bad.size());
        QCOMPARE(source.excluded, bad.size());
        QCOMPARE(model->problems.excludedEvents(), bad.size());
        QCOMPARE(model->hardware->devices.size(), std::size_t{1});
        // Impossible values are not known, and the row stays.
        const auto odd = recordOf(
            "gpus.csv", head + "2026/09/11 04:19:41, 0, -5 MHz, 3 %\n2026/09/11 04:19:42, 0, 7 MHz, 900 %\n");
        QVERIFY(odd && odd->devices[0].samples == 2);
        QVERIFY(!(valueOf(odd->devices[0], Quantity::SmClock, 0) >= 0));
        QCOMPARE(valueOf(odd->devices[0], Quantity::SmClock, 1), 7.0);
        // NVML has 32 bits of reasons; a column that comes twice does not become another reason.
        const auto reasons
            = recordOf("gpus.csv", "index, clocks_event_reasons.active\n0, 0x0000000100000004\n0, 0x4\n");
        QVERIFY(reasons && !(valueOf(reasons->devices[0], Quantity::ThrottleReasons, 0) >= 0));
        QCOMPARE(valueOf(reasons->devices[0], Quantity::ThrottleReasons, 1), 4.0);
        const auto twice = recordOf("dmon.txt", "# gpu pwr pclk pviol pviol\n 0 90 1200 40 40\n");
        QVERIFY(twice && valueOf(twice->devices[0], Quantity::ThrottleReasons, 0) == double(0x10000));
        // A line without end, and a row that repeats a column head.
        QVERIFY(!recordOf("gpus.csv", head + std::string(3'000'000, 'x')));
        QVERIFY(!recordOf("gpus.csv", head));
    }
    /// Samples of several writers in one file come out in the order of their times.
    void unorderedSamples()
    {
        const auto record
            = recordOf("gpus.csv",
                       "timestamp, index, clocks.sm [MHz], power.draw [W]\n"
                       "2026/09/11 04:19:43, 0, 300 MHz, 3\n2026/09/11 04:19:41, 0, 100 MHz, 1\n"
                       "2026/09/11 04:19:42, 0, 200 MHz, [N/A]\n");
        QVERIFY(record && std::is_sorted(record->devices[0].timeNs.begin(), record->devices[0].timeNs.end()));
        QCOMPARE(valueOf(record->devices[0], Quantity::SmClock, 0), 100.0);
        QCOMPARE(valueOf(record->devices[0], Quantity::SmClock, 2), 300.0);
        QVERIFY(std::isnan(valueOf(record->devices[0], Quantity::Power, 1)));
        // Ten samples a second with whole seconds: what is between their times is not known.
        std::string often = "timestamp,gpu,gfx_activity,socket_power\n";
        for (int i = 0; i < 50; ++i)
            often += std::to_string(1'789'515'525 + i / 10) + ",0,95,1180\n";
        const auto amd = recordOf("amd.csv", often);
        QVERIFY(amd && amd->devices[0].samples == 50);
        QCOMPARE(amd->devices[0].periodNs, std::int64_t{1'000'000'000});
    }

    void onlyWhatToolsPrintIsTaken()
    {
        QCOMPARE(takenBy("a.csv", smi), std::string("nvidia_smi"));
        QCOMPARE(takenBy("a.txt", "# gpu   pwr  temp    sm   mem   enc   dec  mclk  pclk\n"),
                 std::string("nvidia_dmon"));
        for (const std::string head : {"",
                                       "\n\n",
                                       "name,value\na,1\n",
                                       "index,name\n0,a\n",
                                       "timestamp,index,value\n1,2,3\n",
                                       "time,gpu,loss\n1,0,2\n",
                                       "0, 120 MHz, 3 %\n",
                                       "timestamp, index, name\n",
                                       "# gpu        pid  type    sm   mem   enc   dec   command\n",
                                       "# a comment\nx\n",
                                       "#Entity\n",
                                       "#Entity  ONE  TWO\n",
                                       "http_requests_total{code=\"200\"} 5\n",
                                       "DCGM_FI_DEV_SM_CLOCK 5\n",
                                       "DCGM_FI_DEV_SM_CLOCK{gpu=\"0\" 5\n",
                                       "step: 3 loss: 4.5 NVRM: Xid in prose\n",
                                       "The line NVRM: Xid (PCI:0000:3b:00): 79, was seen\n",
                                       "timestamp_unix_ns,host,nic\n",
                                       "Nov 23 12:34:56 node07 sshd[1]: NVRM: Xid (PCI:0000:3b:00): 79, x\n",
                                       "gpu,gfx_activity\n0,1\n"})
            QVERIFY2(takenBy("a.txt", head).empty(), (takenBy("a.txt", head) + ": " + head).c_str());
    }
    /// What the kit's sampler writes beside its counters, as it begins and with damage.
    void noteOfTheNvlinkSampler()
    {
        const std::string front = "host nid001234\nstarted_unix_ns 1759968000000000000\nperiod_ms 5\n";
        const auto record
            = recordOf("nvlink_sampler.txt",
                       front + "gpu 0 uuid GPU-8f6c-1 links 0 1 2 records 0 missed 0\n"
                           + "gpu 3 uuid  links 0 records 7 missed 1 failed Driver Not Loaded\r\n"
                           + "gpu 99999 uuid GPU-a links 0\ngpu 1 uuid GPU;rm links 0\ngpu x\nmore\n");
        QVERIFY(record && record->devices.empty());
        QCOMPARE(record->numbered.size(), std::size_t{2});
        QCOMPARE(record->numbered[0].host, std::string("nid001234"));
        QCOMPARE(record->numbered[0].uuid, std::string("GPU-8f6c-1"));
        QCOMPARE(record->numbered[1].index, 3);
        QVERIFY(record->numbered[1].uuid.empty());
        RunFolder folder;
        const TraceModelPtr model
            = folder.writeAndLoad("nvlink_sampler.txt", front + "gpu 2 uuid GPU-b links 0\ngpu 1 uuid\n");
        QVERIFY(model);
        QCOMPARE(model->sources.front().shown, std::uint64_t{1});
        QCOMPARE(model->sources.front().excluded, std::uint64_t{1});
        QCOMPARE(model->problems.excludedEvents(), std::uint64_t{1});
        QCOMPARE(takenBy("nvlink_sampler.txt", front), std::string("nvlink_sampler"));
        for (const std::string head :
             {"host a\n", "host a\nperiod_ms 5\n", " host a\nstarted_unix_ns 1\nperiod_ms 5\n",
              "the host\nstarted_unix_ns 1\nperiod_ms 5\n", "ghost a\nstarted_unix_ns 1\nperiod_ms 5\n"})
            QVERIFY2(takenBy("a.txt", head).empty(), head.c_str());
        // Neither a host nor a UUID with other characters is taken, and a file without GPUs says nothing.
        const auto odd
            = recordOf("b.txt", "host a/../b\nstarted_unix_ns 1\nperiod_ms 5\ngpu 0 uuid GPU-1 links\n");
        QVERIFY(odd && odd->numbered.size() == 1 && odd->numbered[0].host.empty());
        QVERIFY(!recordOf("c.txt", front));
    }
    void addresses()
    {
        QCOMPARE(pciAddress("00000000:3B:00.0"), std::string("0000:3b:00.0"));
        QCOMPARE(pciAddress("PCI:0000:3b:00"), std::string("0000:3b:00.0"));
        QCOMPARE(pciAddress("3b:00.1"), std::string("0000:3b:00.1"));
        QCOMPARE(pciAddress("0008:3b:00.0"), std::string("0008:3b:00.0"));
        for (const char* const text : {"", "3b", "zz:00", "0000:3b:00.0:1", "00010000:3b:00.0", "0000:3b:0"})
            QCOMPARE(pciAddress(text), std::string());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestHardwareSamples)
#include "tst_hardware_samples.moc"
