// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/parts/save_file.h"

#include "app/files/whole_file.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>

#include <algorithm>

namespace collscope {

namespace {

/// Returns the suffix of a filter: "svg" of "SVG, vectors (*.svg)".
QString suffixOf(const QString& filter)
{
    return filter.section(QLatin1Char('.'), -1).chopped(1);
}

} // namespace

void askWhereToSave(QWidget* window, const QString& caption, const QString& suggestion,
                    const QStringList& filters, const std::function<void(const QString& path)>& chosen)
{
    auto* dialog = new QFileDialog(window, caption);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters(filters);
    dialog->setDefaultSuffix(suffixOf(filters.first()));
    dialog->selectFile(suggestion);
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog, filters](const QString& filter) {
        dialog->setDefaultSuffix(suffixOf(filter));
        const QFileInfo name(dialog->selectedFiles().value(0));
        const bool hasKnownSuffix = std::any_of(filters.begin(), filters.end(), [&](const QString& known) {
            return name.suffix() == suffixOf(known);
        });
        if (hasKnownSuffix)
            dialog->selectFile(name.completeBaseName() + QLatin1Char('.') + suffixOf(filter));
    });
    QObject::connect(dialog, &QFileDialog::fileSelected, window, chosen);
    dialog->open();
}

Status saveFile(const QString& path, const QByteArray& content)
{
    const Status written = writeWholeFile(QFile::encodeName(path).toStdString(),
                                          {content.data(), static_cast<std::size_t>(content.size())});
    if (written)
        return {};
    // The message is that of the batch program; here it starts with a capital letter and has no final period.
    const QString text = QString::fromStdString(written.error().message);
    Error error = written.error();
    error.message = (text.left(1).toUpper() + text.mid(1).chopped(1)).toStdString();
    return error;
}

} // namespace collscope
