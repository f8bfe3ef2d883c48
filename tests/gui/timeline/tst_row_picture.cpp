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

} // namespace

class TestRowPicture : public QObject
{
    Q_OBJECT

private slots:
    void slicesOfFourPixelsHaveAnEdge()
    {
        constexpr int width = 200, laneHeight = 20;
        // One ns a pixel: those of up to 3 px cover all of their pixels, wider ones leave the last to the
        // background.
        const std::vector<std::int64_t> lengths{1, 3, 4, 5, 10, 23, 24, 25, 26, 60, 2, 17};
        ViewState state;
        state.setModel(kernelsOf(lengths));
        TimelineRow row;
        row.timeline = TimelineId{0};
        row.tracks = {TrackId{0}};
        row.height = row.laneHeight = laneHeight;
        const QPalette palette;
        const SliceColors colors(palette);
        const GroupLanes groups;
        const TimeAxis axis({0, width}, width);
        QImage image(width, laneHeight, QImage::Format_RGB32);
        image.fill(surfaces(palette).base);
        QPainter painter(&image);
        TimelinePainter().paintRow(painter, QRect(0, 0, width, laneHeight), row,
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
        for (int x = 0; x < width; ++x) {
            for (const int y : {0, laneHeight - 1}) { // above and below the names
                const QRgb wanted
                    = expected[static_cast<std::size_t>(x)] ? kernel : surfaces(palette).base.rgb();
                QVERIFY2(image.pixel(x, y) == wanted, qPrintable(QStringLiteral("x %1, y %2").arg(x).arg(y)));
            }
        }
    }

    void threadsDoNotChangeThePicture()
    {
        const auto window = shownWindow();
        QVERIFY(openAndWait(*window, {QString::fromStdString(resourceFolder("demo"))}));
        auto* view = window->findChild<TimelineView*>();
        QVERIFY(view);
        for (const bool isOpen : {false, true}) {
            view->rows().setThreadsOpen(isOpen);
            const auto paintedBy = [&](int threads) {
                view->setParallel(threadPool(threads));
                QImage image(view->viewport()->size(), QImage::Format_RGB32);
                view->viewport()->render(&image);
                return image;
            };
            const QImage byOne = paintedBy(1);
            for (int again = 0; again < 5; ++again)
                QVERIFY(paintedBy(4) == byOne);
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestRowPicture)
#include "tst_row_picture.moc"
