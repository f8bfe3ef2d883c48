// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command_line.h"
#include "app/files/batch_io.h"
#include "app/runtime/memory_policy.h"
#include "model/text/printable_text.h"

#include <QCoreApplication>

#include <cstdio>

using namespace collscope;

int main(int argc, char* argv[])
{
    secureStreams();
    giveFreedMemoryBack();
    // Before parsing the arguments: the configuration folder has this name.
    QCoreApplication::setOrganizationName(QStringLiteral("collscope"));
    QCoreApplication::setApplicationName(QStringLiteral("collscope"));
    QCoreApplication::setApplicationVersion(QStringLiteral(COLLSCOPE_VERSION));
    const ParsedLine line = parseCommandLine(argv[0], {argv + 1, argv + argc});
    if (line.command)
        return line.command->run(argc, argv);
    if (line.exitCode == Done)
        return print(line.message) ? Done : NotWritten;
    std::fputs(printableText(line.message).c_str(), stderr);
    return line.exitCode;
}
