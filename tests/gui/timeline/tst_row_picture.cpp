// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a row looks like, pixel by pixel, and that it does not depend on how many threads make its picture.

#include "app/files/resources.h"
#include "app/runtime/thread_pool.h"
#include "model/building/fragment.h"
#include "tests/gui/driver/window_test.h"
#include "tests/support/suite/suite.h"
#include "views/common/palette.h"
#include "views/common/theme.h"
#include "views/timeline/timeline_painter.h"
#include "views/timeline/timeline_view.h"

#include <QImage>
#include <QPainter>

namespace collscope {

namespace {

/// Kernels of one class without a pause, each as long as told, on one stream.
TraceModelPtr kernelsOf(const std::vector<std::int64_t>& lengthsNs)
{
    TraceFragment fragment;
    fragment.source.kind = SourceKind::Kineto;
    FragmentBuilder builder(fragment.strings);
    const std::uint32_t stream = builder.track(TrackKind::GpuStream, "0", "7");
    SliceRow row;
    row.name = fragment.strings.intern("gemm");
    row.category = SliceCategory::Kernel;
    row.kernelClass = KernelClass::Gemm;
    for (const std::int64_t length : lengthsNs) {
        row.durationNs = length;
        builder.addSlice(stream, row);
        row.startNs += length;
    }
    builder.finish(fragment, Timeline());
    std::vector<TraceFragment> fragments;
    fragments.push_back(std::move(fragment));
    return assemble(std::move(fragments), Diagnostics(), {{"kernels"}, {}});
}

TimelineRow streamRow()
{
    TimelineRow row;
    row.timeline = TimelineId{0};
    row.tracks = {TrackId{0}};
    row.height = row.laneHeight = 20;
    return row;
}

} // namespace

class TestRowPicture : public QObject
{
    Q_OBJECT

private slots:
    void slicesOfFourPixelsHaveAnEdge()
    {
        constexpr int width = 200, laneHeight = 24;
        // One ns a pixel: those of up to 3 px cover all of their pixels, wider ones leave the last to the
        // background.
        const std::vector<std::int64_t> lengths{1, 3, 4, 5, 10, 23, 24, 25, 26, 60, 2, 17};
        ViewState state;
        state.setModel(kernelsOf(lengths));
        TimelineRow row = streamRow();
        row.y = 5;
        row.height = row.laneHeight = laneHeight;
        const QPalette palette;
        const SliceColors colors(palette);
        const GroupLanes groups;
        const TimeAxis axis({0, width}, width);
        const QPoint at(7, 11);
        QImage image(width + 20, laneHeight + 30, QImage::Format_RGB32);
        image.fill(surfaces(palette).base);
        QPainter painter(&image);
        TimelinePainter().paintRow(painter, QRect(at, QSize(width, laneHeight)), row,
                                   pictureOf(row, axis, width, state, groups, colors), axis, state, groups,
                                   colors, palette);
        painter.end();
        const QRgb kernel = kernelColor(KernelClass::Gemm, palette).rgb();
        std::vector<bool> expected;
        for (const std::int64_t length : lengths) {
            for (std::int64_t pixel = 0; pixel < length; ++pixel)
                expected.push_back(length <= 3 || pixel + 1 < length);
        }
        QCOMPARE(expected.size(), std::size_t{width});
        const QRgb base = surfaces(palette).base.rgb();
        for (int x = 0; x < width; ++x) {
            const QRgb wanted = expected[static_cast<std::size_t>(x)] ? kernel : base;
            for (const int y : {0, laneHeight - 1}) { // above and below the names
                const QPoint pixel = at + QPoint(x, row.y + y);
                QVERIFY2(image.pixel(pixel) == wanted,
                         qPrintable(QStringLiteral("x %1, y %2").arg(x).arg(y)));
            }
            QCOMPARE(image.pixel(at + QPoint(x, row.y - 1)), base);
            QCOMPARE(image.pixel(at + QPoint(x, row.y + laneHeight)), base);
        }
    }

    void whatIsNotFoundIsFaded()
    {
        ViewState state;
        state.setModel(kernelsOf({60, 60, 10}));
        state.emphasis().setEvidence({{TrackId{0}, 1}}, {});
        const QPalette palette;
        const SliceColors colors(palette);
        const RowPicture picture
            = pictureOf(streamRow(), TimeAxis({0, 200}, 200), 200, state, GroupLanes(), colors);
        const QColor kernel = kernelColor(KernelClass::Gemm, palette);
        QCOMPARE(picture.boxes.size(), std::size_t{2}); // the third is too narrow for a name
        QCOMPARE(picture.boxes[0].fill, blended(kernel.rgb(), surfaces(palette).base.rgb(), 0.5f));
        QCOMPARE(picture.boxes[0].text, surfaces(palette).dimText.rgb());
        QCOMPARE(picture.boxes[1].fill, kernel.rgb());
        QCOMPARE(picture.boxes[1].text, textOn(kernel).rgb());
        QCOMPARE(picture.boxes[1].box.left(), 60);
        QCOMPARE(picture.boxes[1].box.width(), 59);
    }

    void passesOfServersHaveTheirColours()
    {
        TraceFragment fragment;
        fragment.source.kind = SourceKind::Kineto;
        FragmentBuilder builder(fragment.strings);
        const std::uint32_t track = builder.track(TrackKind::CpuThread, "1", "1");
        const std::vector<std::pair<const char*, PassKind>> passes{
            {"execute_context_2(64)_generation_0(0)", PassKind::Prefill},
            {"execute_context_0(0)_generation_4(4)", PassKind::Decode},
            {"execute_context_1(32)_generation_3(3)", PassKind::Mixed}};
        SliceRow row;
        row.category = SliceCategory::UserAnnotation;
        row.durationNs = 100;
        for (const auto& pass : passes) {
            row.name = fragment.strings.intern(pass.first);
            builder.addSlice(track, row);
            row.startNs += 100;
        }
        builder.finish(fragment, Timeline());
        std::vector<TraceFragment> fragments;
        fragments.push_back(std::move(fragment));
        ViewState state;
        state.setModel(assemble(std::move(fragments), Diagnostics(), {{"passes"}, {}}));
        TimelineRow stack = streamRow();
        stack.kind = RowKind::Stack;
        const QPalette palette;
        const RowPicture picture
            = pictureOf(stack, TimeAxis({0, 300}, 300), 300, state, GroupLanes(), SliceColors(palette));
        QCOMPARE(picture.boxes.size(), passes.size());
        for (std::size_t i = 0; i < passes.size(); ++i) {
            QCOMPARE(picture.boxes[i].fill, passColor(passes[i].second, palette).rgb());
            QCOMPARE(picture.boxes[i].text, textOn(passColor(passes[i].second, palette)).rgb());
        }
    }

    void threadsDoNotChangeThePicture()
    {
        const auto window = shownWindow();
        QVERIFY(openAndWait(*window, {QString::fromStdString(resourceFolder("demo"))}));
        auto* view = window->findChild<TimelineView*>();
        QVERIFY(view);
        const auto paintedBy = [&](const Parallel& parallel) {
            view->setParallel(parallel);
            QImage image(view->viewport()->size(), QImage::Format_RGB32);
            view->viewport()->render(&image);
            return image;
        };
        std::size_t rows = 0;
        const auto backwards = [&](std::size_t count, const Parallel::Body& body) {
            rows = count;
            for (std::size_t i = count; i-- > 0;)
                body(i);
        };
        for (const bool isOpen : {false, true}) {
            view->rows().setThreadsOpen(isOpen);
            const QImage byOne = paintedBy(Parallel());
            QVERIFY(paintedBy(Parallel(2, backwards, {})) == byOne);
            QVERIFY(rows >= 4);
            QVERIFY(paintedBy(threadPool(4)) == byOne);
            QVERIFY(paintedBy(Parallel(2, [](std::size_t, const Parallel::Body&) {}, {})) != byOne);
        }
        view->setParallel(Parallel());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestRowPicture)
#include "tst_row_picture.moc"
