// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Result and Status: a value or success, or why something failed.

#include "model/result.h"
#include "tests/support/suite/suite.h"

namespace collscope {

class TestResult : public QObject
{
    Q_OBJECT

private slots:
    void aStatusIsSuccessUnlessAnErrorIsGiven()
    {
        const Status done;
        QVERIFY(done);
        QVERIFY(done.has_value());
        // An error without a message is still an error.
        const Status failed = Error{Error::Kind::Io};
        QVERIFY(!failed);
        QVERIFY(!failed.has_value());
        QCOMPARE(failed.error().kind, Error::Kind::Io);
        QVERIFY(failed.error().message.empty());
    }
    void aStatusCanBeSetAgain()
    {
        Status status = Error{Error::Kind::Usage, "--steps takes a number.", "plan.json", 7};
        QCOMPARE(status.error().message, std::string("--steps takes a number."));
        QCOMPARE(status.error().file, std::string("plan.json"));
        QCOMPARE(status.error().offset, std::uint64_t{7});
        status = {};
        QVERIFY(status);
        status = Error{Error::Kind::Cancelled, "cancelled."};
        QCOMPARE(status.error().kind, Error::Kind::Cancelled);
    }
    void aResultHasAValueOrAnError()
    {
        Result<std::string> value = std::string();
        QVERIFY(value);
        QVERIFY(value->empty());
        *value = "text";
        QCOMPARE(value.value(), std::string("text"));
        value = Error{Error::Kind::NotFound, "gone"};
        QVERIFY(!value);
        QCOMPARE(value.error().message, std::string("gone"));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestResult)
#include "tst_result.moc"
