// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Device peaks and model sizes: names as traces and cards spell them, the shipped tables, a user's own file.

#include "model/readers/measurements/hardware_toml.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_writer.h"

#include <QTemporaryDir>

namespace collscope {

namespace {

HardwareDatabase shipped()
{
    HardwareDatabase hardware;
    for (const char* file : {"devices.toml", "models.toml"}) {
        auto more = readHardwareDatabase(std::string(COLLSCOPE_SOURCE_FOLDER "/resources/knowledge/") + file,
                                         hardware);
        if (more)
            hardware = std::move(*more);
    }
    return hardware;
}

} // namespace

class TestHardwareDatabase : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    Result<HardwareDatabase> readText(const char* text, HardwareDatabase hardware = {})
    {
        const std::string path = m_folder.filePath(QStringLiteral("own.toml")).toStdString();
        writeFile(path, text);
        return readHardwareDatabase(path, std::move(hardware));
    }

private slots:
    void devices_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("device"); // empty = unknown
        QTest::addColumn<double>("bf16");
        QTest::addColumn<double>("memory"); // 0 = unknown
        const auto row = [](const char* name, const char* device, double bf16, double memory) {
            QTest::newRow(name) << QByteArray(name) << QByteArray(device) << bf16 << memory;
        };
        row("NVIDIA A100-SXM4-80GB", "A100 80GB", 312, 2039);
        row("NVIDIA A100-SXM4-40GB", "A100 40GB", 312, 1555);
        row("NVIDIA A100 80GB PCIe", "A100 PCIe 80GB", 312, 1935);
        row("NVIDIA A100-PG509-200", "A100", 312, 0);
        row("nvidia_a100", "A100", 312, 0);
        row("nvidia_a100_40gb", "A100 40GB", 312, 1555);
        row("NVIDIA H100 80GB HBM3", "H100 SXM", 989, 3350);
        row("NVIDIA H100 PCIe", "H100 PCIe", 756, 2039);
        row("NVIDIA H100 NVL", "H100 NVL", 835, 3938);
        row("nvidia_h100", "H100 SXM", 989, 3350);
        row("NVIDIA H200", "H200 SXM", 989, 4800);
        row("NVIDIA H200 NVL", "H200 NVL", 835, 4800);
        row("NVIDIA GH200 480GB", "GH200", 989, 4000);
        row("NVIDIA GH200 144G HBM3e", "GH200 HBM3e", 989, 4900);
        row("NVIDIA B200", "B200", 2250, 8000);
        row("NVIDIA GB200", "GB200", 2500, 8000);
        row("Tesla V100-SXM2-32GB", "V100 SXM2", 125, 900);
        row("Tesla V100-PCIE-16GB", "V100 PCIe", 112, 900);
        row("NVIDIA A10", "A10", 125, 600);
        row("NVIDIA L4", "L4", 121, 300);
        row("NVIDIA L40S", "L40S", 362, 864);
        row("AMD Instinct MI300X", "MI300X", 1307, 5300);
        row("AMD Instinct MI250X/MI250", "MI250X, one GCD", 191.5, 1638);
        row("tpu_v6e", "TPU v6e", 918, 1640);
        row("TPU v5 lite", "TPU v5e", 197, 819);
        row("TPU v4", "TPU v4", 275, 1228);
        // Near misses of known names are other devices: unknown, never the next best.
        for (const char* name :
             {"NVIDIA A10G", "NVIDIA L40", "NVIDIA A1000", "NVIDIA H20", "AMD Instinct MI350X",
              "NVIDIA GeForce RTX 2080 Ti", "nvidia_dgx_spark", "AMD Radeon Graphics", "ARTEMIS", "tpu", ""})
            QTest::newRow((std::string("unknown: ") + name).c_str())
                << QByteArray(name) << QByteArray() << 0.0 << 0.0;
    }
    void devices()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, device);
        QFETCH(double, bf16);
        QFETCH(double, memory);
        const HardwareDatabase hardware = shipped();
        const DevicePeak* found = hardware.findDevice(name.toStdString());
        if (device.isEmpty()) {
            QVERIFY2(!found, found ? found->name.c_str() : "");
            return;
        }
        QVERIFY(found);
        QCOMPARE(QByteArray::fromStdString(found->name), device);
        QCOMPARE(found->bf16Tflops.value_or(0), bf16);
        QCOMPARE(found->memoryGbps.value_or(0), memory);
        QVERIFY(!found->source.empty());
    }
    void models_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("flavor");
        QTest::addColumn<qint64>("params"); // 0 = unknown
        const auto row = [](const char* name, const char* flavor, qint64 params) {
            QTest::newRow((std::string(name) + " " + flavor).c_str())
                << QByteArray(name) << QByteArray(flavor) << params;
        };
        row("llama3", "8B", 8'030'261'248);
        row("llama3-8b", "", 8'030'261'248);
        row("Llama-3.1-8B", "", 8'030'261'248);
        row("meta-llama/Meta-Llama-3-70B-Instruct", "", 70'553'706'496);
        row("llama3", "405B", 405'853'388'800);
        row("meta-llama/Llama-2-7b-hf", "", 6'738'415'616);
        row("mistralai/Mixtral-8x7B-v0.1", "", 46'702'792'704);
        row("Qwen/Qwen3-32B", "", 32'762'123'264);
        row("deepseek_v2_lite", "", 15'706'484'224);
        row("llama3", "", 0);
        row("llama3", "18B", 0);
        row("toy-250m", "", 0);
        row("", "", 0);
    }
    void models()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, flavor);
        QFETCH(qint64, params);
        const HardwareDatabase hardware = shipped();
        const KnownModel* found = hardware.findModel(name.toStdString(), flavor.toStdString());
        QCOMPARE(found ? qint64{found->params.value_or(-1)} : qint64{0}, params);
    }
    /// N_emb is a table of words as wide as the model; what is left is what the layers hold.
    void sizesFitTogether()
    {
        const HardwareDatabase hardware = shipped();
        QVERIFY(!hardware.models.empty());
        for (const KnownModel& model : hardware.models) {
            QVERIFY2(model.params && model.paramsEmbedding && model.layers && model.heads && model.headDim
                         && !model.source.empty(),
                     model.name.c_str());
            QVERIFY2(*model.paramsEmbedding < *model.params / 5, model.name.c_str());
            QVERIFY2(model.paramsActive.value_or(*model.params) <= *model.params, model.name.c_str());
        }
    }
    void ownFileStandsOverTheProgramsEvenWithFewerWords()
    {
        const auto own = readText("[[device]]\nname = \"ours\"\nmatches = [\"A100\"]\nbf16_tflops = 300\n"
                                  "[[model]]\nname = \"llama3\"\nflavor = \"8B\"\nparams = 8.0e9\n",
                                  shipped());
        QVERIFY2(own.has_value(), own ? "" : own.error().message.c_str());
        QCOMPARE(own->findDevice("NVIDIA A100-SXM4-80GB")->name, std::string("ours"));
        QCOMPARE(own->findDevice("NVIDIA A100-SXM4-80GB")->memoryGbps.value_or(-1), -1.0);
        QCOMPARE(own->findDevice("NVIDIA H100 80GB HBM3")->name, std::string("H100 SXM"));
        QCOMPARE(own->findModel("llama3.1-8b", "")->params.value_or(0), std::int64_t{8'000'000'000});
        // Within one file the entry that knows more words wins, wherever it stands.
        const auto two
            = readText("[[device]]\nname = \"any\"\nmatches = [\"x1\"]\n[[device]]\nname = \"big\"\n"
                       "matches = [\"X1\", \"64-GB\"]\n");
        QVERIFY(two.has_value());
        QCOMPARE(two->findDevice("ACME X1 (64 GB)")->name, std::string("big"));
        QCOMPARE(two->findDevice("acme_x1_32gb")->name, std::string("any"));
        QVERIFY(!two->findDevice("acme_x10"));
    }
    void whatMakesNoSenseIsAnError_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const char* text, const char* says) {
            QTest::newRow(name) << QByteArray(text) << QByteArray(says);
        };
        row("no TOML", "[[device]\nname", "not valid TOML");
        row("no name", "[[device]]\nmatches = [\"a\"]\n", "name is missing");
        row("no matches", "[[device]]\nname = \"a\"\n", "matches");
        row("empty matches", "[[device]]\nname = \"a\"\nmatches = [\"\"]\n", "matches");
        row("misspelt key", "[[device]]\nname = \"a\"\nmatches = [\"a\"]\nbf16_tflop = 1\n", "bf16_tflop");
        row("text for a number", "[[device]]\nname = \"a\"\nmatches = [\"a\"]\nbf16_tflops = \"312\"\n",
            "bf16_tflops must be a number");
        row("negative", "[[device]]\nname = \"a\"\nmatches = [\"a\"]\nmemory_gbps = -1\n", "memory_gbps");
        row("half a layer", "[[model]]\nname = \"a\"\nlayers = 3.5\n", "integer");
        row("too many", "[[device]]\nname = \"a\"\nmatches = [\"a\"]\nlinks = 2000000\n", "too large");
    }
    void whatMakesNoSenseIsAnError()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, says);
        const auto result = readText(text.constData());
        QVERIFY(!result.has_value());
        QCOMPARE(result.error().kind, Error::Kind::Format);
        QVERIFY2(result.error().message.find(says.toStdString()) != std::string::npos,
                 result.error().message.c_str());
        QVERIFY(!readHardwareDatabase("/no/such/file.toml", {}).has_value());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestHardwareDatabase)
#include "tst_hardware_database.moc"
