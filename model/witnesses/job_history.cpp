// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/witnesses/job_history.h"

namespace collscope {

void JobHistory::take(JobHistory&& other, SourceId source)
{
    (void)other;
    (void)source;
}

void JobHistory::settle(Diagnostics& problems)
{
    (void)problems;
}

} // namespace collscope
