// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Exports a part of a window as a picture for slides and papers.

#include "model/result.h"

#include <QByteArray>
#include <QStringList>

#include <optional>

class QWidget;

namespace collscope {

enum class PictureFormat
{
    Png, ///< at twice the scale of the widget's screen
    Pdf, ///< one page of the widget's size, vectors, fonts embedded
    Svg
};

/// Returns the format for a file suffix, in any case; nullopt if it is not supported.
std::optional<PictureFormat> pictureFormatOf(const QString& path);

/// Renders a widget as it currently looks on the screen, in its theme. `title` becomes the document title.
QByteArray pictureOf(QWidget& widget, PictureFormat format, const QString& title);

/// Returns the file filters for a save dialog.
QStringList pictureFilters();
/// Writes a widget as a picture in the format of the file suffix. Error Usage for another suffix.
Status savePicture(const QString& path, QWidget& widget, const QString& title);

/// Returns a file name for a title: "llama3 8b/timeline" -> "llama3-8b-timeline"; never empty.
QString fileNameOf(const QString& title);

} // namespace collscope
