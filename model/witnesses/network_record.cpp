// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/witnesses/network_record.h"

namespace collscope {

void NetworkRecord::take(NetworkRecord&& other, SourceId source)
{
    (void)other;
    (void)source;
}

void NetworkRecord::settle(Diagnostics& problems)
{
    (void)problems;
}

} // namespace collscope
