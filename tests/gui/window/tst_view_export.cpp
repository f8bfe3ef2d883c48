// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Pictures of a view: never empty, sharp, with text as text, and cut where widgets are.

#include "app/files/page_origin.h"
#include "app/files/resources.h"
#include "app/parts/view_export.h"
#include "tests/gui/driver/window_test.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "views/charts/nvlink_chart.h"
#include "views/collectives/collectives_table.h"
#include "views/timeline/timeline_view.h"
#include "views/widgets/banner.h"

#include <QAction>
#include <QFileDialog>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSplitter>
#include <QStatusBar>
#include <QSvgRenderer>
#include <QTimer>
#include <QToolButton>

#include <set>

namespace collscope {

namespace {

QImage svgImage(const QByteArray& svg, QSize size)
{
    QImage image(size, QImage::Format_RGB32);
    image.fill(Qt::magenta);
    QPainter painter(&image);
    QSvgRenderer renderer(svg);
    renderer.render(&painter);
    return image;
}

std::size_t colors(const QImage& image)
{
    std::set<QRgb> found;
    for (int y = 0; y < image.height(); y += 3) {
        for (int x = 0; x < image.width(); x += 3)
            found.insert(image.pixel(x, y));
    }
    return found.size();
}

/// Share of pixels that two pictures of one size have about alike.
double likeness(const QImage& a, const QImage& b)
{
    const auto isNear = [](int x, int y) { return std::abs(x - y) < 48; };
    int alike = 0;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            const QRgb first = a.pixel(x, y);
            const QRgb second = b.pixel(x, y);
            alike += isNear(qRed(first), qRed(second)) && isNear(qGreen(first), qGreen(second))
                    && isNear(qBlue(first), qBlue(second))
                ? 1
                : 0;
        }
    }
    return static_cast<double>(alike) / (static_cast<double>(a.width()) * a.height());
}

/// What a page of a PDF draws: its compressed streams, unpacked.
QByteArray pdfContent(const QByteArray& pdf)
{
    QByteArray content;
    for (qsizetype at = 0; (at = pdf.indexOf("\nstream\n", at)) >= 0;) {
        at += 8;
        if (!pdf.mid(at - 40, 40).contains("/FlateDecode"))
            continue;
        const QByteArray packed = pdf.mid(at, pdf.indexOf("endstream", at) - at);
        content += qUncompress(QByteArray("\x00\x40\x00\x00", 4) + packed);
    }
    return content;
}

/// Sets a clip, has it taken back from another, and fills all that is left.
class ClippedWidget : public QWidget
{
public:
    using QWidget::QWidget;
    static constexpr QRect clip{10, 10, 50, 20};

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setClipRect(clip);
        painter.save();
        painter.setClipRect(12, 12, 3, 3);
        painter.restore();
        painter.fillRect(rect(), Qt::red);
    }
};

} // namespace

class TestViewExport : public WindowTest
{
    Q_OBJECT

private:
    QString file(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    QAction& action(const char* id) const { return *m_window->findChild<QAction*>(QString::fromLatin1(id)); }
    const Banner& banner() const { return *m_window->findChild<Banner*>(); }
    QWidget& centre() const { return *m_window->findChild<QSplitter*>(); }
    static QByteArray bytesOf(const QString& path)
    {
        QFile opened(path);
        return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
    }
    /// Chooses the menu's entry and answers its dialog.
    QByteArray exported(const char* id, const QString& path) const
    {
        action(id).trigger();
        return answerFileDialog(*m_window, path) ? bytesOf(path) : QByteArray();
    }

    void openFirst() override
    {
        QVERIFY(openAndWait(*m_window, {QString::fromStdString(resourceFolder("demo"))}));
        QCoreApplication::processEvents();
    }

private slots:
    void theStatusLineReturnsToTheRun()
    {
        const auto* status = m_window->statusBar()->findChild<QLabel*>();
        auto* notice = m_window->findChild<QTimer*>(QStringLiteral("notice"));
        QVERIFY(status && notice);
        const QString ofTheRun = status->text();
        QVERIFY2(ofTheRun.contains(QStringLiteral("8 ranks")), qPrintable(ofTheRun));
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("metrics.csv"));
        QVERIFY(!exported("exportCsv", path).isEmpty());
        QCOMPARE(status->text(), QStringLiteral("Wrote %1").arg(path));
        QVERIFY(notice->isActive() && notice->isSingleShot() && notice->interval() <= 10'000);
        notice->start(0); // nobody waits for the seconds here
        QTRY_COMPARE(status->text(), ofTheRun);
    }
    /// What --batch page writes, made beside the window.
    void pageToSend()
    {
        const QString path = file("run.html");
        QVERIFY(action("exportPage").shortcut() == QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E));
        QTest::keyClick(m_window.get(), Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(answerFileDialog(*m_window, path));
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path), 60'000);
        const QByteArray page = bytesOf(path);
        QVERIFY(page.startsWith("<!DOCTYPE html>") && page.endsWith("</html>\n"));
        QVERIFY(page.contains("allreduce of <code>mesh_tp</code>") && page.contains("id=\"lateness\""));
        QVERIFY(page.contains("collscope --batch page " + QByteArray::fromStdString(resourceFolder("demo"))));
        const auto* status = m_window->statusBar()->findChild<QLabel*>();
        QCOMPARE(status->text(), QStringLiteral("Wrote %1").arg(path));
    }
    /// The command on a page makes it again: one run, loaded as the window did.
    void commandOfAPage()
    {
        ShownRun run{.paths = {"/a", "/b"}, .definitionFiles = {"mine.toml"}, .clocks = ClockChoice::Aligned};
        run.load.iteration = {IterationChoice::Mode::One, 10};
        run.load.maxRanks = 8;
        run.load.cardPath = "card.yaml";
        run.load.given.parallelism.tp = 2;
        QCOMPARE(
            pageCommandOf(run, "p.html"),
            (std::vector<std::string>{"collscope",     "--batch",     "page",    "/a",          "/b",
                                      "--merge-paths", "--iteration", "10",      "--max-ranks", "8",
                                      "--card",        "card.yaml",   "--tp",    "2",           "--define",
                                      "mine.toml",     "--clocks",    "aligned", "-o",          "p.html"}));
        QCOMPARE(pageCommandOf({.paths = {"/a"}}, "p.html"),
                 (std::vector<std::string>{"collscope", "--batch", "page", "/a", "-o", "p.html"}));
    }
    /// The style sheet's padding must leave room for the icons of buttons that Qt makes.
    void buttonsOfTheFileDialogHaveTheirIcons()
    {
        action("exportCsv").trigger();
        auto* dialog = m_window->findChild<QFileDialog*>();
        QVERIFY(dialog);
        QTRY_VERIFY(dialog->isVisible());
        QCOMPARE(dialog->selectedFiles().value(0).section(QLatin1Char('/'), -1),
                 QStringLiteral("demo-metrics.csv"));
        int seen = 0;
        for (QToolButton* button : dialog->findChildren<QToolButton*>()) {
            if (!button->isVisible() || button->icon().isNull())
                continue;
            const QImage image = button->grab().toImage();
            const QRgb ground = image.pixel(image.width() / 2, 3);
            int drawn = 0;
            for (int y = 4; y < image.height() - 4; ++y) {
                for (int x = 4; x < image.width() - 4; ++x)
                    drawn += image.pixel(x, y) != ground ? 1 : 0;
            }
            QVERIFY2(drawn > 20, qPrintable(button->objectName()));
            ++seen;
        }
        QVERIFY(seen >= 4);
        delete dialog;
    }
    void theSuffixDecides()
    {
        QVERIFY(pictureFormatOf(QStringLiteral("a.b/c.PNG")) == PictureFormat::Png);
        QVERIFY(pictureFormatOf(QStringLiteral("c.png.pdf")) == PictureFormat::Pdf);
        QVERIFY(pictureFormatOf(QStringLiteral("c.svg")) == PictureFormat::Svg);
        QVERIFY(!pictureFormatOf(QStringLiteral("c.jpg")) && !pictureFormatOf(QStringLiteral("svg")));
        QCOMPARE(fileNameOf(QStringLiteral("../llama3 8b/run:1-timeline")),
                 QStringLiteral("llama3-8b-run-1-timeline"));
        QCOMPARE(fileNameOf(QStringLiteral("//")), QStringLiteral("collscope"));
    }
    void aPngHasTwiceTheScale()
    {
        const QByteArray png = exported("exportTimeline", file("timeline.png"));
        const QImage image = QImage::fromData(png, "PNG");
        QCOMPARE(image.size(), centre().size() * 2);
        QCOMPARE(image.text(QStringLiteral("Title")), QStringLiteral("demo \u2014 timeline"));
        QVERIFY(colors(image) > 30);
        const QImage seen = centre().grab().toImage();
        const QImage small = image.scaled(seen.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
        QVERIFY2(likeness(small, seen) > 0.95, qPrintable(QString::number(likeness(small, seen))));
        QVERIFY2(image != image.scaled(seen.size()).scaled(image.size()), "it is not the same enlarged");
    }
    void anSvgHoldsRanksAsText()
    {
        const QByteArray svg = exported("exportTimeline", file("timeline.svg"));
        QVERIFY(svg.contains("<title>demo \xe2\x80\x94 timeline</title>"));
        QVERIFY(svg.contains(">rank 0</text>") && svg.contains(">NVLink GB/s</text>"));
        // Icons of buttons are pixels; slices and hatching are not.
        const QRegularExpression pixels(QStringLiteral("<image [^>]*width=\"([0-9]+)\""));
        for (auto images = pixels.globalMatch(QString::fromUtf8(svg)); images.hasNext();)
            QVERIFY(images.next().captured(1).toInt() <= 32);
        const QImage image = svgImage(svg, centre().size());
        QVERIFY(colors(image) > 30);
        const QImage seen = centre().grab().toImage();
        QVERIFY2(likeness(image, seen) > 0.93, qPrintable(QString::number(likeness(image, seen))));
    }
    void aPdfIsOnePageOfVectors()
    {
        const QByteArray pdf = exported("exportTimeline", file("timeline.pdf"));
        QVERIFY(pdf.startsWith("%PDF-"));
        QCOMPARE(pdf.count("/Type /Page\n"), 1);
        QVERIFY2(pdf.contains("/FontFile2"), "fonts are embedded");
        const QSizeF points = QSizeF(centre().size()) * 72.0 / centre().logicalDpiY();
        const QByteArray box = QByteArray("/MediaBox [0 0 ") + QByteArray::number(qRound(points.width()))
            + ' ' + QByteArray::number(qRound(points.height()));
        QVERIFY2(QByteArray(pdf).replace(".000000", "").contains(box), box.constData());
        const QByteArray content = pdfContent(pdf);
        QVERIFY(content.count(" re\n") + content.count(" l\n") > 300);
        QVERIFY2(content.count(" Tj") > 50, "text is text");
        QVERIFY2(!pdf.contains("/DCTDecode"), "no picture in it is blurred");
    }
    void everyPartCanBeExported()
    {
        CHECKED(clickTab(*m_window->view<CollectivesTable>()));
        std::set<QByteArray> pictures;
        for (const char* id : {"exportWindow", "exportTimeline", "exportChart", "exportPanel", "exportTab"}) {
            for (const char* suffix : {".png", ".svg", ".pdf"}) {
                const QByteArray picture = exported(id, file(id) + QString::fromLatin1(suffix));
                QVERIFY2(picture.size() > 2'000, id);
                QVERIFY(pictures.insert(picture).second);
                if (suffix == QByteArray(".svg"))
                    QVERIFY2(colors(svgImage(picture, {600, 400})) > 8, id);
            }
        }
        QVERIFY(!banner().isVisible());
        QVERIFY(bytesOf(file("exportWindow.svg")).contains(">METRICS</text>"));
    }
    void itIsNotPaintedBesideWhereWidgetsEnd()
    {
        QWidget frame;
        frame.resize(300, 200);
        QListWidget list(&frame);
        list.setGeometry(20, 40, 200, 100);
        for (int i = 0; i < 30; ++i)
            list.addItem(QStringLiteral("a row that is a good deal longer than its list is wide %1").arg(i));
        list.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
        list.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        frame.show();
        list.verticalScrollBar()->setValue(9);
        QCoreApplication::processEvents();
        const QByteArray svg = pictureOf(frame, PictureFormat::Svg, QStringLiteral("list"));
        const QImage image = svgImage(svg, frame.size());
        const QImage seen = frame.grab().toImage();
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                if (!list.geometry().adjusted(-1, -1, 1, 1).contains(x, y))
                    QCOMPARE(image.pixelColor(x, y), seen.pixelColor(x, y));
            }
        }
        QVERIFY(colors(image.copy(list.geometry())) > 10);
        QVERIFY(likeness(image, seen) > 0.9);
    }
    void clipsOfAPainterAreWhereItsWidgetIs()
    {
        QWidget frame;
        frame.resize(300, 200);
        ClippedWidget clipped(&frame);
        clipped.setGeometry(120, 70, 100, 80);
        frame.show();
        QCoreApplication::processEvents();
        const QImage image
            = svgImage(pictureOf(frame, PictureFormat::Svg, QStringLiteral("clip")), frame.size());
        const QRect red = ClippedWidget::clip.translated(120, 70);
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x)
                QCOMPARE(image.pixelColor(x, y) == QColor(Qt::red), red.contains(x, y));
        }
    }
    void theThemeOnScreenIsKept()
    {
        const QColor before = centre().palette().color(QPalette::Base);
        const QImage image = QImage::fromData(exported("exportTimeline", file("theme.png")));
        QCOMPARE(centre().palette().color(QPalette::Base), before);
        QCOMPARE(image.pixelColor(4, image.height() / 4), before);
    }
    void whatGoesWrongIsInTheBanner()
    {
        exported("exportChart", QStringLiteral("/proc/chart.png")); // where nobody can write
        QVERIFY(banner().isVisible() && banner().message()->text.contains(QStringLiteral("/proc/chart.png")));
        QVERIFY(exported("exportChart", file("chart.jpg")).isEmpty());
        QVERIFY(banner().message()->tone == BannerTone::Error);
        QVERIFY2(banner().message()->text.contains(QStringLiteral("chart.jpg")),
                 qPrintable(banner().message()->text));
        QVERIFY(!exported("exportChart", file("chart.png")).isEmpty());
        QVERIFY(!banner().isVisible());
    }
    void theKindThatIsChosenBecomesTheSuffix()
    {
        action("exportChart").trigger();
        auto* dialog = m_window->findChild<QFileDialog*>();
        QVERIFY(dialog);
        QVERIFY(dialog->selectedFiles().first().endsWith(QStringLiteral("/demo-nvlink.png")));
        dialog->selectNameFilter(dialog->nameFilters()[2]);
        emit dialog->filterSelected(dialog->nameFilters()[2]);
        QVERIFY2(dialog->selectedFiles().first().endsWith(QStringLiteral("/demo-nvlink.svg")),
                 qPrintable(dialog->selectedFiles().first()));
        QCOMPARE(dialog->defaultSuffix(), QStringLiteral("svg"));
        dialog->reject();
    }
    void whatIsNotThereCannotBeExported()
    {
        QVERIFY(action("exportChart").isEnabled());
        SmallRun run(1);
        run.kernel(0, 0, 100);
        CHECKED(openRun(run));
        QVERIFY(action("exportTimeline").isEnabled() && !action("exportChart").isEnabled());
        QVERIFY(action("exportChart").toolTip().contains(QStringLiteral("NVLink")));
        const auto empty = shownWindow();
        QVERIFY(!empty->findChild<QAction*>(QStringLiteral("exportWindow"))->isEnabled());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestViewExport)
#include "tst_view_export.moc"
