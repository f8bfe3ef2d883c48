// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/witnesses/hardware_record.h"

namespace collscope {

void HardwareRecord::take(HardwareRecord&& other, SourceId source)
{
    (void)other;
    (void)source;
}

void HardwareRecord::settle(Diagnostics& problems)
{
    (void)problems;
}

} // namespace collscope
