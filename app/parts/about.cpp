// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/parts/about.h"

#include "app/files/version.h"

#include <QCoreApplication>
#include <QMessageBox>

namespace collscope {

namespace {

struct AboutText
{
    Q_DECLARE_TR_FUNCTIONS(About)
};

} // namespace

void showAbout(QWidget* window)
{
    const QString version = QString::fromStdString(versionText()).trimmed();
    auto* message = new QMessageBox(window);
    message->setObjectName(QStringLiteral("about"));
    message->setAttribute(Qt::WA_DeleteOnClose);
    message->setWindowTitle(AboutText::tr("About Collscope"));
    message->setTextFormat(Qt::PlainText);
    message->setText(version.section(QLatin1Char('\n'), 0, 0));
    message->setInformativeText(version.section(QLatin1Char('\n'), 1) + QStringLiteral("\n\n")
                                + AboutText::tr("Free software: GNU General Public License, version 3 or "
                                                "later."));
    message->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    message->open();
}

} // namespace collscope
