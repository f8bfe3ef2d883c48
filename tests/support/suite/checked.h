// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

/// Calls a helper that checks. QVERIFY and QCOMPARE return from the helper only; this returns from its
/// caller, too.
#define CHECKED(...)                                                                                         \
    do {                                                                                                     \
        __VA_ARGS__;                                                                                         \
        if (QTest::currentTestFailed())                                                                      \
            return;                                                                                          \
    } while (false)
