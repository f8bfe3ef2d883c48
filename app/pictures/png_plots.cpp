// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/pictures/png_plots.h"

#include "app/files/batch_io.h"

#include <QBuffer>

namespace collscope {

bool canPaint()
{
    if (hasFonts())
        return true;
    say(noFontSentence);
    return false;
}

QByteArray pngOf(const PlotPage& page)
{
    QByteArray png;
    QBuffer buffer(&png);
    return buffer.open(QIODevice::WriteOnly) && paintPlots(page).save(&buffer, "PNG") ? png : QByteArray();
}

bool writePlot(const std::string& path, const PlotPage& page)
{
    if (const QByteArray png = pngOf(page); !png.isEmpty())
        return writeFile(path, {png.constData(), static_cast<std::size_t>(png.size())});
    say("cannot draw " + path + ".");
    return false;
}

} // namespace collscope
