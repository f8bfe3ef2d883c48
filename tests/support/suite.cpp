// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/suite.h"

namespace collscope {

std::vector<TestFactory>& testClasses()
{
    static std::vector<TestFactory> classes;
    return classes;
}

} // namespace collscope
