// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Traces of devices that are no CUDA GPUs: categories, streams, classes, ranks.

#include "model/kernels/kernel_names.h"
#include "model/readers/xla/other_devices.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/kineto_text.h"

#include <QTest>

#include <map>

namespace collscope {

namespace {

QString text(std::string_view view)
{
    return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}

/// GPU tracks of a timeline with what is on them: "stream 108: 126 copy, 3 other compute".
QStringList streamsOf(const TraceModel& model, const Timeline& timeline)
{
    QStringList streams;
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        if (track.kind != TrackKind::GpuStream)
            continue;
        std::map<std::string, int> counts;
        for (std::size_t row = 0; row < track.slices.size(); ++row)
            ++counts[std::string(kernelClassName(track.slices.kernelClass[row]))];
        QStringList all;
        for (const auto& [name, count] : counts)
            all << QStringLiteral("%1 %2").arg(count).arg(QString::fromStdString(name));
        streams << text(model.text(track.name)) + QStringLiteral(": ") + all.join(QStringLiteral(", "));
    }
    return streams;
}

} // namespace

class TestOtherDevices : public QObject
{
    Q_OBJECT

private:
    TraceModelPtr real(const char* path) const
    {
        const auto loaded = loadPath((tracesFolder() + u'/' + QString::fromUtf8(path)).toStdString());
        return loaded ? *loaded : nullptr;
    }

private slots:
    void workByCategoryAndName_data()
    {
        QTest::addColumn<QString>("category");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("hlo");
        QTest::addColumn<QString>("expected"); // class, or "annotation", or "-"
        const auto row = [](const char* category, const char* name, const char* hlo, const char* expected) {
            QTest::addRow("%s %s %s", category, name, hlo)
                << QString::fromUtf8(category) << QString::fromUtf8(name) << QString::fromUtf8(hlo)
                << QString::fromUtf8(expected);
        };
        row("", "all-reduce.1", "all-reduce", "AllReduce");
        row("", "fusion.7", "all-reduce-scatter fusion", "ReduceScatter");
        row("", "x", "all-gather fusion", "AllGather");
        row("", "x", "collective-permute-start", "Send/Recv");
        row("", "x", "send-done", "Send/Recv");
        row("", "x", "host send", "copy");
        row("", "x", "collective-broadcast", "Broadcast");
        row("", "all-to-all.3", "async-start", "AllToAll");
        row("", "copy-start", "async-start", "copy");
        row("", "x", "convolution fusion", "GEMM");
        row("", "x", "output fusion", "GEMM");
        row("", "flash_attention_kernel", "custom-call", "attention");
        row("", "x", "non-fusion elementwise", "elementwise");
        row("", "x", "data formatting", "other compute");
        row("", "x", "while", "annotation");
        row("mtia_ccp_events", "pe_exe", "", "other compute");
        row("mtia_ccp_events", "dma_request", "", "copy");
        row("mtia_ccp_events", "event_wait", "", "annotation");
        row("", "add_11 Cmpt Exec", "", "other compute");
        row("", "add_11 Cmpt Prep", "", "annotation");
        row("", "SenRdmaSend_1 [sync=AllReduce_all_reduce_4_s0] DmaO", "", "AllReduce");
        row("", "weights DmaI", "", "copy");
        row("cpu_op", "weights DmaI", "", "-");
        row("", "aten::add", "", "-");
    }
    void workByCategoryAndName()
    {
        QFETCH(QString, category);
        QFETCH(QString, name);
        QFETCH(QString, hlo);
        const auto work = otherDeviceWork(category.toStdString(), name.toStdString(), hlo.toStdString());
        const QString got = !work                            ? QStringLiteral("-")
            : work->category == SliceCategory::GpuAnnotation ? QStringLiteral("annotation")
                                                             : text(kernelClassName(work->kernelClass));
        QTEST(got, "expected");
        if (work)
            QCOMPARE(work->category == SliceCategory::Memcpy, work->kernelClass == KernelClass::Copy);
    }
    void anMtia()
    {
        if (tracesFolder().isEmpty())
            QSKIP("no real traces: set COLLSCOPE_TRACES");
        const TraceModelPtr run = real("kineto/hta/mtia_inference_trace/mtia_inference_rank_0.json.gz");
        QVERIFY(run);
        // Counted by a few lines of Python: dma_request, and pe_exe + merge + remote, by stream.
        const QStringList streams = streamsOf(*run, run->timelines.front());
        QCOMPARE(streams.size(), 12);
        QCOMPARE(streams.front(), QStringLiteral("stream 101: 45 copy, 9 other compute"));
        QCOMPARE(streams[3], QStringLiteral("stream 104: 70 copy, 15 other compute"));
        QCOMPARE(run->timelines.front().device, 17);
        int runtime = 0;
        for (const Track& track : run->tracks)
            runtime += static_cast<int>(std::count(track.slices.category.begin(), track.slices.category.end(),
                                                   SliceCategory::Runtime));
        QCOMPARE(runtime, 823);
    }
    void anAiu()
    {
        if (tracesFolder().isEmpty())
            QSKIP("no real traces: set COLLSCOPE_TRACES");
        const TraceModelPtr run = real("kineto/aiu/allreduce_tp4.json");
        QVERIFY(run);
        QCOMPARE(run->ranks(), (std::vector<std::int32_t>{0, 1, 2, 3}));
        QStringList second = streamsOf(*run, run->timelines[1]);
        second.sort();
        QCOMPARE(second,
                 (QStringList{QStringLiteral("DMA in: 2 AllReduce"), QStringLiteral("DMA out: 1 AllReduce"),
                              QStringLiteral("compute: 1 AllReduce, 1 other compute")}));
        // 28 pairs of begin and end.
        std::size_t slices = 0;
        for (const Track& track : run->tracks)
            slices += track.slices.size();
        QCOMPARE(slices, std::size_t{28});
        QVERIFY(measure(*run, "communication_ratio").value > 0);
    }
    void amdGpus()
    {
        if (tracesFolder().isEmpty())
            QSKIP("no real traces: set COLLSCOPE_TRACES");
        const TraceModelPtr toy = real("kineto/hta/amd_trace/mi250_minitoy_train_ROCm6_2_kineto.json.gz");
        QVERIFY(toy);
        // Tensile's GEMMs are called Cijk_...
        QCOMPARE(streamsOf(*toy, toy->timelines.front()),
                 QStringList{QStringLiteral(
                     "stream 0: 2 GEMM, 2 copy, 9 elementwise, 1 optimizer, 2 other compute")});
        const TraceModelPtr large
            = real("kineto/aorta/smci350-zts-gtu-c6-25_200691.1758927066581847260.pt.trace.json");
        QVERIFY(large);
        QVERIFY(streamsOf(*large, large->timelines.front()).front().contains(QStringLiteral("6 GEMM")));
        QCOMPARE(text(large->text(large->timelines.front().deviceName)),
                 QStringLiteral("AMD Instinct MI350X"));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestOtherDevices)
#include "tst_other_devices.moc"
