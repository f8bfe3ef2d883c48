// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What is drawn of a row: everything that is wide enough, and of the rest no more than the pixels can show.

#include "model/building/fragment.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "views/rows/draw_list.h"

#include <cmath>
#include <map>
#include <random>

namespace collscope {

namespace {

/// One thread of nested calls and one stream, `count` slices each.
TraceModelPtr busyModel(std::size_t count)
{
    TraceFragment fragment;
    fragment.source.kind = SourceKind::Kineto;
    FragmentBuilder builder(fragment.strings);
    const std::uint32_t thread = builder.track(TrackKind::CpuThread, "1", "1");
    const std::uint32_t stream = builder.track(TrackKind::GpuStream, "0", "7");
    std::mt19937_64 random(11);
    const auto between = [&](std::int64_t low, std::int64_t high) {
        return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low));
    };
    SliceRow row;
    row.name = fragment.strings.intern("call");
    std::int64_t at = 0;
    for (std::size_t i = 0; i < count; ++i) {
        row.category = SliceCategory::Kernel;
        row.kernelClass = KernelClass::Gemm;
        row.startNs = at;
        row.durationNs = between(1, i % 1'000 == 0 ? 100'000 : 200);
        builder.addSlice(stream, row);
        at += row.durationNs + between(0, 100);
        row.category = SliceCategory::CpuOp;
        row.kernelClass = KernelClass::None;
        builder.addSlice(thread, row);
        SliceRow inner = row;
        inner.startNs += row.durationNs / 4;
        inner.durationNs /= 2;
        builder.addSlice(thread, inner);
    }
    row.startNs = 0;
    row.durationNs = at;
    builder.addSlice(thread, row);
    builder.finish(fragment, Timeline());
    std::vector<TraceFragment> fragments;
    fragments.push_back(std::move(fragment));
    return assemble(std::move(fragments), Diagnostics(), {{"busy"}, {}});
}

} // namespace

class TestDrawList : public QObject
{
    Q_OBJECT

private:
    /// 100,000 slices of some ns, each 100 ns after the one before.
    static TraceModelPtr uniformModel(TrackKind kind, std::int64_t durationNs)
    {
        TraceFragment fragment;
        fragment.source.kind = SourceKind::Kineto;
        FragmentBuilder builder(fragment.strings);
        const std::uint32_t track = builder.track(kind, "0", "7");
        for (std::int64_t i = 0; i < 100'000; ++i) {
            SliceRow slice;
            slice.name = fragment.strings.intern("gemm");
            const bool isKernel = kind == TrackKind::GpuStream;
            slice.category = isKernel ? SliceCategory::Kernel : SliceCategory::CpuOp;
            slice.kernelClass = isKernel ? KernelClass::Gemm : KernelClass::None;
            slice.startNs = i * 100;
            slice.durationNs = durationNs;
            builder.addSlice(track, slice);
        }
        builder.finish(fragment, Timeline());
        std::vector<TraceFragment> fragments;
        fragments.push_back(std::move(fragment));
        return assemble(std::move(fragments), Diagnostics(), {{"uniform"}, {}});
    }
    static void checkShade(const TraceModel& model, RowKind kind, std::int64_t rowsPerPixel, float coverage)
    {
        TimelineRow row;
        row.kind = kind;
        row.tracks = {TrackId{0}};
        row.levels = 1;
        constexpr int width = 1'000;
        const TimeAxis axis({5'000, 5'000 + width * rowsPerPixel * 100}, width);
        const std::vector<DrawRect> rects = drawRow(model, row, axis);
        QVERIFY(rects.size() >= width - 1);
        for (std::size_t i = 1; i + 1 < rects.size(); ++i)
            QVERIFY2(std::abs(rects[i].coverage - coverage) < 0.15f * coverage + 0.003f,
                     qPrintable(QStringLiteral("%1 rows a pixel, pixel %2: %3")
                                    .arg(rowsPerPixel)
                                    .arg(i)
                                    .arg(static_cast<double>(rects[i].coverage))));
    }

private slots:
    void aUniformStreamHasOneShade()
    {
        // 60 % busy throughout, at every ratio of pixels to blocks of rows.
        const TraceModelPtr model = uniformModel(TrackKind::GpuStream, 60);
        for (const std::int64_t rowsPerPixel : {12, 15, 16, 17, 23, 30, 45, 64, 90})
            CHECKED(checkShade(*model, RowKind::Stream, rowsPerPixel, 0.6f));
        const TraceModelPtr nearlyIdle = uniformModel(TrackKind::GpuStream, 3);
        CHECKED(checkShade(*nearlyIdle, RowKind::Stream, 30, 0.03f));
    }
    /// Many short calls do not look like a long one.
    void aThreadIsShadedByCoverage()
    {
        for (const std::int64_t rowsPerPixel : {12, 17, 45, 90}) {
            CHECKED(checkShade(*uniformModel(TrackKind::CpuThread, 60), RowKind::Stack, rowsPerPixel, 0.6f));
            CHECKED(checkShade(*uniformModel(TrackKind::CpuThread, 3), RowKind::Stack, rowsPerPixel, 0.03f));
        }
    }
    void noMoreThanThePixelsShow_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("stream") << static_cast<int>(TrackKind::GpuStream);
        QTest::newRow("thread") << static_cast<int>(TrackKind::CpuThread);
    }
    void noMoreThanThePixelsShow()
    {
        QFETCH(int, kind);
        const TraceModelPtr model = busyModel(100'000);
        TimelineRow row;
        for (std::uint32_t t = 0; t < model->tracks.size(); ++t) {
            if (model->tracks[t].kind == static_cast<TrackKind>(kind))
                row.tracks = {TrackId{t}};
        }
        const SliceColumns& slices = model->track(row.tracks.front()).slices;
        row.kind = kind == static_cast<int>(TrackKind::GpuStream) ? RowKind::Stream : RowKind::Stack;
        row.levels = 8;
        constexpr double width = 1'000;
        for (std::int64_t length = model->range.lengthNs(); length > 500; length /= 3) {
            const std::int64_t begin = (model->range.lengthNs() - length) / 2;
            const TimeAxis axis({begin, begin + length}, width);
            const std::vector<DrawRect> rects = drawRow(*model, row, axis);
            std::map<std::pair<int, int>, int> perPixel;
            std::map<std::uint32_t, int> drawn;
            for (const DrawRect& rect : rects) {
                ++perPixel[{rect.level, static_cast<int>(std::floor(rect.x))}];
                ++drawn[rect.slice.row];
            }
            for (const auto& [pixel, count] : perPixel)
                QVERIFY2(count <= 2, "a pixel holds the end of one slice and the next, no more");
            // Whatever is two pixels wide is there, once.
            for (std::uint32_t i = 0; i < slices.size(); ++i) {
                const TimeRange seen = slices.range(i).intersected(axis.range());
                if (axis.xOf(seen.endNs) - axis.xOf(seen.beginNs) >= 2)
                    QCOMPARE(drawn[i], 1);
            }
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestDrawList)
#include "tst_draw_list.moc"
