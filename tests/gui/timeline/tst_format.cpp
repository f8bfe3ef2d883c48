// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Values of metrics as the panel shows them.

#include "metrics/definitions/metric_catalog.h"
#include "tests/support/suite/suite.h"
#include "views/common/format.h"
#include "views/metrics/metric_explanation.h"

#include <QTextDocument>
#include <QtTest>

namespace collscope {

class TestFormat : public QObject
{
    Q_OBJECT

private slots:
    void aShortNameIsAName()
    {
        for (const char16_t* name : {u"to", u"mm", u"add", u"run", u"gem\u2026"})
            QVERIFY2(tellsAName(QString::fromUtf16(name)), qPrintable(QString::fromUtf16(name)));
        for (const char16_t* cut : {u"", u"\u2026", u"g\u2026", u"ge\u2026"})
            QVERIFY2(!tellsAName(QString::fromUtf16(cut)), qPrintable(QString::fromUtf16(cut)));
    }
    void aShortNameTellsKernelsApart_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QString>("shown");
        const auto row
            = [](const char* name, const char* shown) { QTest::newRow(shown) << QByteArray(name) << shown; };
        row("void cutlass::device_kernel<flash::FlashAttnFwdSm90<flash::CollectiveMainloopFwdSm90<2, "
            "cute::tuple<cute::C<1>>>>>(flash::FlashAttnFwdSm90<int>::Params)",
            "FlashAttnFwdSm90");
        row("void "
            "cutlass::device_kernel<vllm::enable_sm90_or_later<cutlass::gemm::kernel::GemmUniversal<int, "
            "float>>>(int)",
            "GemmUniversal");
        row("void "
            "cutlass::Kernel2<cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_16x16_128x2_tn_align8>(int)",
            "cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_16x16_128x2_tn_align8");
        row("void deep_gemm::fp8_gemm_kernel<4096u, 7168u, 128u>(float)", "fp8_gemm_kernel");
        row("void cutlass::device_kernel<", "device_kernel");
        row("## Call CompiledFxGraph fgykwwvqz2dq ##", "graph fgykwwvqz2dq");
    }
    void aShortNameTellsKernelsApart()
    {
        QFETCH(QByteArray, name);
        QTEST(shortName(name.toStdString()), "shown");
    }
    void metricsAreReadInTheUnitThatFits_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("unit");
        QTest::addColumn<QString>("shown");
        const auto row = [](double value, const char* unit, const char* shown) {
            QTest::addRow("%g %s", value, unit)
                << value << QString::fromUtf8(unit) << QString::fromUtf8(shown);
        };
        row(0.00265, "GiB", "2.71 MiB");
        row(0.0000009, "GiB", "0.944 KiB");
        row(0.000004, "GB", "4 kB");
        row(0.25, "GB", "0.250 GB");
        row(-0.0025, "GB/s", "-2.50 MB/s");
        row(0, "GiB", "0 GiB");
        row(7.7e-05, "%", "< 0.001 %");
        row(0, "%", "0 %");
        row(37.5, "%", "37.50 %");
        row(0.008055590909, "s", "8.056 ms");
        row(2.5e13, "FLOP/s", "25 TFLOP/s");
        row(4.2e6, "B/s", "4.20 MB/s");
        row(12345, "", "12 345 ");
        row(0.636, "ratio", "63.60 %"); // beside shares in percent
        row(1.328, "ratio", "1.33 \u00d7"); // a slowdown, not one of 132.8 %
        row(13336, "ms", "13.336 s");
        row(563.5, "ms", "563.5 ms");
    }
    void metricsAreReadInTheUnitThatFits()
    {
        QFETCH(double, value);
        QFETCH(QString, unit);
        QString shown = formatMetric(value, unit) + QLatin1Char(' ') + unit;
        shown.replace(QChar(0x202f), QLatin1Char(' '));
        QTEST(shown, "shown");
    }
    void figuresOfRanksAreATable()
    {
        const auto request = MetricCatalog().find("comm_comp_overlap");
        MetricResult result;
        result.value = 40.0;
        result.unit = "%";
        const auto figures = [](double percent, double ms) {
            return Value(Value::Object{{"overlap_percent", Value(percent)}, {"exposed_ms", Value(ms)}});
        };
        result.details = {{"per_rank",
                           Value(Value::Object{{"0", figures(38.92820676, 10.093924)},
                                               {"5", figures(47.89979687, 7.016524)}})}};
        QTextDocument shown;
        shown.setHtml(metricExplanation(*request, result, QPalette()));
        const QString text = shown.toPlainText();
        QVERIFY2(
            text.contains(QStringLiteral("per rank\noverlap %\nexposed ms\n0\n38.93\n10.09\n5\n47.9\n7.017")),
            qPrintable(text));
    }
    /// "< 0.001" is text and not the begin of a tag.
    void aTinyShareIsReadInTheExplanation()
    {
        const auto request = MetricCatalog().find("comm_comp_overlap");
        QVERIFY(request);
        MetricResult result;
        result.value = 7.7e-05;
        result.unit = "%";
        QTextDocument shown;
        shown.setHtml(metricExplanation(*request, result, QPalette()));
        QVERIFY2(shown.toPlainText().contains(QStringLiteral("< 0.001 %")), qPrintable(shown.toPlainText()));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestFormat)
#include "tst_format.moc"
