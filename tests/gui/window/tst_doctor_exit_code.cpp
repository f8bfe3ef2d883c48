// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What --doctor exits with. No file makes a ledger that does not add up - that would be a defect - so it is
// made here.

#include "app/commands/batch_doctor.h"
#include "app/files/batch_io.h"
#include "model/readers/run/examine.h"
#include "tests/support/suite/suite.h"

#include <QtTest>

namespace collscope {

class TestDoctorExitCode : public QObject
{
    Q_OBJECT

private slots:
    void codes_data()
    {
        QTest::addColumn<bool>("isRead");
        QTest::addColumn<int>("shown");
        QTest::addColumn<int>("excluded");
        QTest::addColumn<int>("listed");
        QTest::addColumn<int>("code");
        QTest::newRow("10 = 10 + 0") << true << 10 << 0 << 0 << 0;
        QTest::newRow("10 = 8 + 2, both under a finding") << true << 8 << 2 << 2 << 0;
        QTest::newRow("10 = 8 + 2, one under a finding") << true << 8 << 2 << 1 << 7;
        QTest::newRow("10 = 8 + 1") << true << 8 << 1 << 1 << 7;
        QTest::newRow("10 = 10 + 1") << true << 10 << 1 << 1 << 7;
        QTest::newRow("nothing readable") << false << 10 << 0 << 0 << 2;
        QTest::newRow("neither") << false << 8 << 1 << 1 << 7;
    }
    void codes()
    {
        QFETCH(const bool, isRead);
        QFETCH(const int, shown);
        QFETCH(const int, excluded);
        QFETCH(const int, listed);
        ExaminedFile file;
        file.path = "rank0_trace.json";
        file.reader = &readerOf(SourceKind::Kineto);
        file.isRead = isRead;
        file.eventsInFile = 10;
        file.shown = static_cast<std::uint64_t>(shown);
        file.excluded = static_cast<std::uint64_t>(excluded);
        Diagnostic finding;
        finding.excludedEvents = static_cast<std::uint64_t>(listed);
        file.findings.push_back(finding);
        Examination examination;
        examination.files.push_back(file);
        QTEST(doctorExitCode(examination), "code");
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestDoctorExitCode)
#include "tst_doctor_exit_code.moc"
