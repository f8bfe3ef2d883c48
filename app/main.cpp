// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The program collscope: everything that needs no Qt. It starts collscope-window for the rest.

#include "app/commands/run_command_line.h"

int main(int argc, char* argv[])
{
    return collscope::runCommandLine(argc, argv, nullptr);
}
