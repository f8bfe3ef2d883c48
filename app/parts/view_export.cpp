// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/parts/view_export.h"

#include "app/parts/save_file.h"
#include "views/widgets/vector_canvas.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <QWidget>

namespace collscope {

namespace {

struct ExportText
{
    Q_DECLARE_TR_FUNCTIONS(ViewExport)
};

/// Returns the program name for the document properties.
QString creator()
{
    return (QStringLiteral("Collscope ") + QCoreApplication::applicationVersion()).trimmed();
}

void writePng(QWidget& widget, const QString& title, QBuffer& buffer)
{
    const double scale = 2 * widget.devicePixelRatioF();
    QImage image(widget.size() * scale, QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    image.fill(widget.palette().color(QPalette::Window));
    image.setText(QStringLiteral("Title"), title);
    image.setText(QStringLiteral("Software"), creator());
    widget.render(&image);
    image.save(&buffer, "PNG");
}

void paintVectors(QWidget& widget, QPaintDevice& page)
{
    QPainter painter(&page);
    // Widgets fill their background in pieces, whose edges would be visible.
    painter.fillRect(widget.rect(), widget.palette().window());
    VectorCanvas canvas(&painter, widget.size(), widget.logicalDpiY());
    widget.render(&canvas);
}

void writePdf(QWidget& widget, const QString& title, QBuffer& buffer)
{
    constexpr double pointsPerInch = 72;
    QPdfWriter page(&buffer);
    page.setTitle(title);
    page.setCreator(creator());
    page.setResolution(widget.logicalDpiY());
    page.setPageSize(QPageSize(QSizeF(widget.size()) * pointsPerInch / widget.logicalDpiY(), QPageSize::Point,
                               title, QPageSize::ExactMatch));
    page.setPageMargins(QMarginsF());
    paintVectors(widget, page);
}

void writeSvg(QWidget& widget, const QString& title, QBuffer& buffer)
{
    QSvgGenerator page;
    page.setOutputDevice(&buffer);
    page.setTitle(title);
    page.setDescription(creator());
    page.setResolution(widget.logicalDpiY());
    page.setSize(widget.size());
    page.setViewBox(widget.rect());
    paintVectors(widget, page);
}

} // namespace

std::optional<PictureFormat> pictureFormatOf(const QString& path)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix == QLatin1String("png"))
        return PictureFormat::Png;
    if (suffix == QLatin1String("pdf"))
        return PictureFormat::Pdf;
    if (suffix == QLatin1String("svg"))
        return PictureFormat::Svg;
    return std::nullopt;
}

QByteArray pictureOf(QWidget& widget, PictureFormat format, const QString& title)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    switch (format) {
    case PictureFormat::Png:
        writePng(widget, title, buffer);
        break;
    case PictureFormat::Pdf:
        writePdf(widget, title, buffer);
        break;
    case PictureFormat::Svg:
        writeSvg(widget, title, buffer);
        break;
    }
    return buffer.data();
}

QStringList pictureFilters()
{
    return {ExportText::tr("PNG, pixels (*.png)"), ExportText::tr("PDF, vectors (*.pdf)"),
            ExportText::tr("SVG, vectors (*.svg)")};
}

Status savePicture(const QString& path, QWidget& widget, const QString& title)
{
    if (const auto format = pictureFormatOf(path))
        return saveFile(path, pictureOf(widget, *format, title));
    return Error{Error::Kind::Usage,
                 ExportText::tr("%1 is not a picture file: the file name must end in .png, .pdf or .svg")
                     .arg(QFileInfo(path).fileName())
                     .toStdString()};
}

QString fileNameOf(const QString& title)
{
    static const QRegularExpression unsafe(QStringLiteral("[^\\w.]+"),
                                           QRegularExpression::UseUnicodePropertiesOption);
    QString name = title;
    name.replace(unsafe, QStringLiteral("-"));
    while (name.startsWith(QLatin1Char('-')) || name.startsWith(QLatin1Char('.')))
        name.remove(0, 1);
    while (name.endsWith(QLatin1Char('-')))
        name.chop(1);
    return name.isEmpty() ? QStringLiteral("collscope") : name;
}

} // namespace collscope
