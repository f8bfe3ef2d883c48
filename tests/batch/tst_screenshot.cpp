// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// --screenshot paints the real window where there is no display.

#include "tests/batch/program.h"
#include "tests/support/suite/suite.h"

#include <QImage>
#include <QSet>
#include <QSettings>
#include <QTemporaryDir>

namespace collscope {

class TestScreenshot : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString file() const { return m_folder.filePath(QStringLiteral("window.png")); }
    static qsizetype colours(const QImage& image)
    {
        QSet<QRgb> seen;
        for (int y = 0; y < image.height(); y += 3) {
            for (int x = 0; x < image.width(); x += 3)
                seen.insert(image.pixel(x, y));
        }
        return seen.size();
    }

private slots:
    void theDemoIsPainted()
    {
        const ProgramRun run
            = runProgram({QStringLiteral("--screenshot"), file(), QStringLiteral("--size"),
                          QStringLiteral("1200x700"), QStringLiteral("--scale"), QStringLiteral("2"),
                          QStringLiteral("--theme"), QStringLiteral("dark"), QStringLiteral("--demo")});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QVERIFY2(run.out.isEmpty() && run.err.isEmpty(), run.err.constData());
        const QImage image(file());
        QCOMPARE(image.size(), QSize(2400, 1400));
        QVERIFY(image.pixelColor(3, image.height() - 3).lightness() < 80);
        QVERIFY2(colours(image) > 100, "a picture of slices and curves has many colours");
    }
    void withoutARunTheWelcomePageIsPainted()
    {
        const ProgramRun run
            = runProgram({QStringLiteral("--screenshot"), file(), QStringLiteral("--size"),
                          QStringLiteral("900x600"), QStringLiteral("--theme"), QStringLiteral("light")});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QCOMPARE(QImage(file()).size(), QSize(900, 600));
    }
    void aTabInFront()
    {
        const auto pictureOf = [&](const QString& tab) {
            const ProgramRun run = runProgram({QStringLiteral("--screenshot"), file(),
                                               QStringLiteral("--tab"), tab, QStringLiteral("--demo")});
            return run.exitCode == 0 ? QImage(file()) : QImage();
        };
        const QImage lateness = pictureOf(QStringLiteral("Lateness"));
        const QImage why = pictureOf(QStringLiteral("Why slow?"));
        QVERIFY(!lateness.isNull() && !why.isNull());
        QVERIFY(lateness != why);
        const ProgramRun wrong = runProgram({QStringLiteral("--screenshot"), file(), QStringLiteral("--tab"),
                                             QStringLiteral("Nowhere"), QStringLiteral("--demo")});
        QCOMPARE(wrong.exitCode, 1);
        QVERIFY2(wrong.err.contains("no tab 'Nowhere'"), wrong.err.constData());
    }
    void settingsOfTheUserAreNotInThePicture()
    {
        const QStringList arguments{QStringLiteral("--screenshot"), file(), QStringLiteral("--size"),
                                    QStringLiteral("900x600")};
        QCOMPARE(runProgram(arguments).exitCode, 0);
        const QImage before(file());
        qputenv("XDG_CONFIG_HOME", QFile::encodeName(m_folder.filePath(QStringLiteral("config"))));
        {
            QSettings settings(m_folder.filePath(QStringLiteral("config/collscope/collscope.conf")),
                               QSettings::IniFormat);
            settings.setValue(QStringLiteral("recentRuns"),
                              QStringList{QStringLiteral("/secret/customer/run")});
        }
        const int exitCode = runProgram(arguments).exitCode;
        qunsetenv("XDG_CONFIG_HOME");
        QCOMPARE(exitCode, 0);
        QVERIFY2(QImage(file()) == before, "the picture shows private paths");
    }
    void loadOptionsAreHonoured()
    {
        const QStringList arguments{QStringLiteral("--screenshot"), file(), QStringLiteral("--size"),
                                    QStringLiteral("1200x700"), QStringLiteral("--demo")};
        QCOMPARE(runProgram(arguments).exitCode, 0);
        const QImage all(file());
        const QStringList fewer = arguments + QStringList{QStringLiteral("--max-ranks"), QStringLiteral("1")};
        QCOMPARE(runProgram(fewer).exitCode, 0);
        QVERIFY2(QImage(file()) != all, "--max-ranks changed nothing");
    }
    void failures()
    {
        const QString other = m_folder.filePath(QStringLiteral("other.png"));
        QCOMPARE(runProgram({QStringLiteral("--screenshot"), other, m_folder.filePath(QStringLiteral("no"))})
                     .exitCode,
                 2);
        QVERIFY(!QFile::exists(other));
        const QString nowhere = m_folder.filePath(QStringLiteral("no/such/folder/x.png"));
        QCOMPARE(runProgram({QStringLiteral("--screenshot"), nowhere}).exitCode, 4);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestScreenshot)
#include "tst_screenshot.moc"
