// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Commands behind --batch: load, evaluate, print. They make the same calls as the window.

#include "app/cli/command.h"

namespace collscope {

class BatchCommand : public ProgramCommand
{
public:
    /// Protects the inputs, drops the privileges that the command does not need, then calls execute().
    /// stdout contains only the result.
    int run() const final;
    /// What run() does once the privileges are dropped: for a process that has dropped them for several
    /// commands. Returns an ExitCode; memory or stored bytes that run out are reported like any failure.
    int runInside() const;
    bool needsWindow() const final { return paints(); }

protected:
    /// Whether pictures are painted.
    virtual bool paints() const { return false; }
    /// Whether other programs are started: sbatch, or nsys, which fills the cache folder.
    virtual bool startsPrograms() const { return false; }
    virtual bool isVerbose() const { return false; }
    /// Returns an ExitCode.
    virtual int execute() const = 0;
};

} // namespace collscope
