// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A part of a window as a picture for slides and papers.

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

/// By the suffix of a file name, in any case; nullopt: none of them.
std::optional<PictureFormat> pictureFormatOf(const QString& path);

/// A widget as it is on the screen now, in its theme. `title` becomes the title of the document.
QByteArray pictureOf(QWidget& widget, PictureFormat format, const QString& title);

/// For a dialog that asks where to save one.
QStringList pictureFilters();
/// Writes a widget as a picture of the kind that the suffix names. Answers with a sentence that says why it
/// could not; empty: done.
QString savePicture(const QString& path, QWidget& widget, const QString& title);

/// A name for a file: "llama3 8b/timeline" -> "llama3-8b-timeline", never empty.
QString fileNameOf(const QString& title);

} // namespace collscope
