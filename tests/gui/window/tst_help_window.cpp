// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The guide: F1 opens the page about what has the focus, links and the search lead over all pages, and
// nothing in it leads nowhere.

#include "app/files/resources.h"
#include "app/parts/help_window.h"
#include "app/window/main_window.h"
#include "tests/gui/driver/window_test.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "views/metrics/metrics_panel.h"

#include <QDir>
#include <QLineEdit>
#include <QListWidget>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextBrowser>

namespace collscope {

class TestHelpWindow : public WindowTest
{
    Q_OBJECT

    static QString helpFolder() { return QString::fromStdString(resourceFolder("help")); }
    static HelpWindow* guide()
    {
        for (QWidget* widget : QApplication::topLevelWidgets()) {
            if (auto* window = qobject_cast<HelpWindow*>(widget))
                return window;
        }
        return nullptr;
    }
    static QString pageOf(const HelpWindow& window)
    {
        return QFileInfo(window.browser()->source().path()).completeBaseName();
    }
    static double widestPicture(const HelpWindow& window)
    {
        double widest = 0;
        for (QTextBlock block = window.browser()->document()->begin(); block.isValid();
             block = block.next()) {
            for (auto part = block.begin(); part != block.end(); ++part)
                widest = std::max(widest, part.fragment().charFormat().toImageFormat().width());
        }
        return widest;
    }
    void openDemo() const
    {
        QVERIFY(openAndWait(*m_window, {QString::fromStdString(resourceFolder("demo"))}));
        timeline().setFocus();
    }
    /// The heading at the top of what is in sight.
    static QString topHeading(const HelpWindow& window)
    {
        const QTextBrowser& browser = *window.browser();
        for (QTextBlock block = browser.cursorForPosition({40, 4}).block(); block.isValid();
             block = block.next()) {
            if (block.blockFormat().headingLevel() > 0)
                return block.text();
        }
        return {};
    }

    void openFirst() override
    {
        delete guide(); // of the test before
    }

private slots:
    void everyLinkLeadsSomewhere()
    {
        HelpWindow window(helpFolder());
        window.show();
        QVERIFY(window.pages()->count() >= 8);
        const QDir folder(helpFolder());
        // Each page is in the contents.
        QCOMPARE(window.pages()->count(), folder.entryList({QStringLiteral("*.md")}).size());
        int links = 0, pictures = 0;
        for (const QString& name : folder.entryList({QStringLiteral("*.md")})) {
            window.showLocation(QFileInfo(name).completeBaseName());
            QVERIFY2(!window.browser()->toPlainText().isEmpty(), qUtf8Printable(name));
            for (QTextBlock block = window.browser()->document()->begin(); block.isValid();
                 block = block.next()) {
                for (auto part = block.begin(); part != block.end(); ++part) {
                    const QTextCharFormat format = part.fragment().charFormat();
                    if (format.isImageFormat()) {
                        const QString picture = format.toImageFormat().name();
                        QVERIFY2(folder.exists(picture),
                                 qUtf8Printable(name + QStringLiteral(": ") + picture));
                        QVERIFY(format.toImageFormat().width() <= window.browser()->viewport()->width());
                        ++pictures;
                    }
                    const QUrl link(format.anchorHref());
                    if (!format.isAnchor() || link.isEmpty()
                        || link.scheme().startsWith(QLatin1String("http")))
                        continue;
                    const QString where = name + QStringLiteral(": ") + format.anchorHref();
                    const QString target = link.path().isEmpty() ? name : link.path();
                    QVERIFY2(folder.exists(target), qUtf8Printable(where));
                    if (link.hasFragment()) {
                        QFile file(folder.filePath(target));
                        QVERIFY(file.open(QIODevice::ReadOnly));
                        bool isThere = false;
                        for (const QString& line :
                             QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'))) {
                            static const QRegularExpression heading(QStringLiteral("^#+ (.*)$"));
                            isThere |= headingAnchor(heading.match(line).captured(1)) == link.fragment();
                        }
                        QVERIFY2(isThere, qUtf8Printable(where));
                    }
                    ++links;
                }
            }
        }
        QVERIFY(links > 20 && pictures > 5);
    }
    void f1TellsAboutTheFocus()
    {
        CHECKED(openDemo());
        QTest::keyClick(m_window.get(), Qt::Key_F1);
        QVERIFY(guide());
        QVERIFY(guide()->isVisible());
        QCOMPARE(pageOf(*guide()), QStringLiteral("views_timeline"));
        // A second time it is the same window.
        HelpWindow* const first = guide();
        first->showLocation(QStringLiteral("formats"));
        QTest::keyClick(m_window.get(), Qt::Key_F1);
        QCOMPARE(guide(), first);
        QCOMPARE(pageOf(*first), QStringLiteral("views_timeline"));
    }
    void everyViewHasItsPlace()
    {
        int places = 0;
        for (const QWidget* view : m_window->findChildren<QWidget*>()) {
            const QString place = view->property("helpPlace").toString();
            if (place.isEmpty())
                continue;
            QFile page(helpFolder() + u'/' + place.section(u'#', 0, 0) + QStringLiteral(".md"));
            QVERIFY2(page.open(QIODevice::ReadOnly), qUtf8Printable(place));
            bool isThere = !place.contains(u'#');
            for (const QString& line : QString::fromUtf8(page.readAll()).split(u'\n')) {
                if (line.startsWith(u'#'))
                    isThere |= headingAnchor(line.section(u' ', 1)) == place.section(u'#', 1);
            }
            QVERIFY2(isThere, qUtf8Printable(place));
            ++places;
        }
        QVERIFY(places >= 20);
    }
    void metricsLeadToTheirDefinition()
    {
        CHECKED(openDemo());
        m_window->view<MetricsPanel>()->selectMetric("comm_comp_overlap");
        emit m_window->view<MetricsPanel>()->guideWanted(
            QStringLiteral("metrics#Compute-communication overlap"));
        QVERIFY(guide());
        QCOMPARE(pageOf(*guide()), QStringLiteral("metrics"));
        QTRY_COMPARE(topHeading(*guide()), QStringLiteral("Compute-communication overlap"));
    }
    void theSearchGoesOverAllPages()
    {
        HelpWindow window(helpFolder());
        window.show();
        window.showLocation({});
        QCOMPARE(pageOf(window), QStringLiteral("index"));
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY(window.findLine()->hasFocus());
        QTest::keyClicks(window.findLine(), QStringLiteral("avg_step_time"));
        QTest::keyClick(window.findLine(), Qt::Key_Return);
        QCOMPARE(window.browser()->textCursor().selectedText(), QStringLiteral("avg_step_time"));
        const QString first = pageOf(window);
        QVERIFY(first != QStringLiteral("index"));
        // The list says where that is, and the next ones follow.
        QCOMPARE(window.pages()->currentRow() > 0, true);
        QSet<QString> visited;
        for (int i = 0; i < 40; ++i) {
            QTest::keyClick(window.findLine(), Qt::Key_Return);
            visited.insert(pageOf(window));
        }
        QVERIFY(visited.size() > 1);
        QVERIFY(!window.findNext(QStringLiteral("no such words in it")));
        // What only the source of a page has is not found, and nothing moves.
        const QString before = pageOf(window);
        QVERIFY(!window.findNext(QStringLiteral("](pictures/")));
        QCOMPARE(pageOf(window), before);
    }
    void pagesAreChosenFromTheList()
    {
        HelpWindow window(helpFolder());
        window.show();
        window.showLocation({});
        window.pages()->setCurrentRow(1);
        QCOMPARE(pageOf(window), QStringLiteral("first_run"));
        window.browser()->backward();
        QCOMPARE(pageOf(window), QStringLiteral("index"));
        QCOMPARE(window.pages()->currentRow(), 0);
        window.resize(500, 500); // pictures follow
        window.showLocation(QStringLiteral("first_run"));
        QVERIFY(widestPicture(window) > 150);
        QVERIFY(widestPicture(window) < 500 - window.pages()->width());
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTest::keyClick(&window, Qt::Key_Escape);
        QTRY_VERIFY(!window.isVisible());
    }
    void headingsAreNamedAsGitHubDoes()
    {
        QCOMPARE(headingAnchor(QStringLiteral("Step time")), QStringLiteral("step-time"));
        QCOMPARE(headingAnchor(QStringLiteral("Why slow?")), QStringLiteral("why-slow"));
        QCOMPARE(headingAnchor(QStringLiteral("MFU, HFU: A/B")), QStringLiteral("mfu-hfu-ab"));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestHelpWindow)
#include "tst_help_window.moc"
