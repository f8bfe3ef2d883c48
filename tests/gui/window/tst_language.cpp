// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The window in German: its texts are there, keys in menus are not given twice, and numbers have a comma.

#include "app/window/main_window.h"
#include "tests/gui/driver/window_driver.h"
#include "tests/support/suite/suite.h"
#include "views/summary/finding_label.h"
#include "views/summary/part_fill.h"

#include <QLocale>
#include <QMenu>
#include <QMenuBar>
#include <QTest>
#include <QTranslator>

namespace collscope {

class TestLanguage : public QObject
{
    Q_OBJECT

    /// "&Open" -> 'o'; a null character without one.
    static QChar mnemonic(const QString& text)
    {
        for (qsizetype i = 0; i + 1 < text.size(); ++i) {
            if (text[i] == u'&' && text[i + 1] != u'&')
                return text[i + 1].toLower();
            i += text[i] == u'&' ? 1 : 0;
        }
        return {};
    }

private slots:
    void menusHaveGermanTexts_data()
    {
        QTest::addColumn<bool>("german");
        QTest::newRow("English") << false;
        QTest::newRow("German") << true;
    }
    void menusHaveGermanTexts()
    {
        QFETCH(const bool, german);
        QTranslator translator;
        if (german) {
            QVERIFY(translator.load(QLocale(QLocale::German), QStringLiteral("collscope"),
                                    QStringLiteral("_"), QStringLiteral(":/i18n")));
            QCoreApplication::installTranslator(&translator);
        }
        const auto window = shownWindow();
        QStringList titles;
        for (const QAction* entry : window->menuBar()->actions()) {
            titles << entry->text();
            QMap<QChar, QString> given;
            for (const QAction* action : entry->menu()->actions()) {
                const QChar key = mnemonic(action->text());
                if (action->isSeparator() || key.isNull())
                    continue;
                QVERIFY2(!given.contains(key),
                         qUtf8Printable(given[key] + QStringLiteral(" and ") + action->text()));
                given.insert(key, action->text());
            }
            QVERIFY(given.size() > 1);
        }
        QCOMPARE(titles.front(), german ? QStringLiteral("&Datei") : QStringLiteral("&File"));
        QCOMPARE(mnemonic(titles.back()), QChar(u'h'));
    }
    /// Texts of tables, which are looked up where tr() is called.
    void tablesHaveGermanTexts()
    {
        QTranslator translator;
        QVERIFY(translator.load(QLocale(QLocale::German), QStringLiteral("collscope"), QStringLiteral("_"),
                                QStringLiteral(":/i18n")));
        QCoreApplication::installTranslator(&translator);
        QCOMPARE(partLabel(Part::Compute), QStringLiteral("rechnet"));
        QCOMPARE(idleCauseLabel(IdleCause::CollectsGarbage), QStringLiteral("Speicherbereinigung"));
    }
    void pluralsAreRight()
    {
        for (const auto& [language, one, two] :
             {std::tuple(QLocale::English, "Copied 1 slice", "Copied 2 slices"),
              std::tuple(QLocale::German, "1 Slice kopiert", "2 Slices kopiert")}) {
            QTranslator translator;
            QVERIFY(translator.load(QLocale(language), QStringLiteral("collscope"), QStringLiteral("_"),
                                    QStringLiteral(":/i18n")));
            const auto text = [&](int n) {
                return translator.translate("collscope::TimelineNavigator", "Copied %n slice(s)", nullptr, n)
                    .replace(QStringLiteral("%n"), QString::number(n));
            };
            QCOMPARE(text(1), QString::fromLatin1(one));
            QCOMPARE(text(2), QString::fromLatin1(two));
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestLanguage)
#include "tst_language.moc"
