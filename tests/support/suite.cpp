// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/suite.h"

namespace collscope {

std::vector<TestFactory>& testClasses()
{
    static std::vector<TestFactory> classes;
    return classes;
}

int runTests(const QStringList& arguments)
{
    const QStringList shard
        = qEnvironmentVariable("COLLSCOPE_SHARD", QStringLiteral("0/1")).split(QLatin1Char('/'));
    const int count = std::max(1, shard.value(1).toInt());
    int failed = 0;
    for (std::size_t i = 0; i < testClasses().size(); ++i) {
        // In pairs: as it happens, the long ones lie at odd places.
        if (static_cast<int>(i) / 2 % count == shard.value(0).toInt())
            failed += QTest::qExec(testClasses()[i]().get(), arguments);
    }
    return failed == 0 ? 0 : 1;
}

} // namespace collscope
