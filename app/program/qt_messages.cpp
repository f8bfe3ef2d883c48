// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/program/qt_messages.h"

#include "app/files/batch_io.h"

#include <QString>

#include <cstdio>
#include <cstdlib>

namespace collscope {

void dropOffscreenChatter(QtMsgType, const QMessageLogContext&, const QString& message)
{
    if (!message.startsWith(QLatin1String("This plugin does not support"))
        && !message.startsWith(QLatin1String("QStandardPaths: XDG_RUNTIME_DIR")))
        std::fputs(qUtf8Printable(message + QLatin1Char('\n')), stderr);
}

void sayWithoutDisplay(QtMsgType type, const QMessageLogContext& context, const QString& message)
{
    if (type == QtFatalMsg) { // nothing is open yet that would have to be closed
        say("cannot open a window because no display is available: use --batch to print metrics, or "
            "--screenshot FILE.png to save a picture of the window.");
        std::_Exit(NotWritten);
    }
    const bool isReason = QLatin1String(context.category).startsWith(QLatin1String("qt.qpa"));
    if (!isReason) // adds nothing to the sentence above
        dropOffscreenChatter(type, context, message);
}

} // namespace collscope
