// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// --batch page through the real binary: what the page says, what it can never do, and how large it is.

#include "metrics/looks/shades.h"
#include "tests/batch/page/read_page.h"
#include "tests/batch/program.h"
#include "tests/support/runs/caused_run.h"
#include "tests/support/runs/compared_runs.h"
#include "tests/support/runs/hung_example.h"
#include "tests/support/runs/markup_names.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"

#include <QCryptographicHash>
#include <QDir>
#include <QImage>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

namespace collscope {

class TestPage : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString path(const QString& name) const { return m_folder.filePath(name); }
    /// Writes the page of runs; its content, or nothing if that failed.
    QByteArray pageOf(const QStringList& runs, const QStringList& more = {}) const
    {
        const QString file = path(QStringLiteral("page.html"));
        QFile::remove(file);
        const ProgramRun run = runBatchProgram(QStringList{QStringLiteral("page")} + runs
                                               + QStringList{QStringLiteral("-o"), file} + more);
        if (run.exitCode != 0)
            qWarning("%s", run.err.constData());
        return run.exitCode == 0 && run.out.isEmpty() ? contentOf(file) : QByteArray();
    }
    /// The folder of the run's only part.
    QString reduced(const char* kept) const
    {
        const QString keep = QString::fromLatin1(kept);
        const QString plan = path(keep + QStringLiteral(".json"));
        const QString parts = path(keep);
        runBatchProgram({QStringLiteral("plan"), path(QStringLiteral("run")), QStringLiteral("--tasks"),
                         QStringLiteral("1"), QStringLiteral("--keep"), keep, QStringLiteral("-o"), plan});
        runBatchProgram({QStringLiteral("reduce"), plan, QStringLiteral("--task"), QStringLiteral("0"),
                         QStringLiteral("-o"), parts});
        return parts;
    }
    /// Whether nothing in a page can run, load, or lead elsewhere.
    static void isInert(const QByteArray& html)
    {
        const ReadPage page(html);
        QVERIFY2(page.error.isEmpty(), qPrintable(page.error));
        static const QStringList harmless
            = QStringLiteral(
                  "html head meta title style body header main footer section article div p h1 h2 h3 b small "
                  "code pre ul ol li dl dt dd details summary figure figcaption table caption thead tbody tr "
                  "th td svg defs pattern rect path text")
                  .split(QLatin1Char(' '));
        for (const PageElement& element : page.elements) {
            QVERIFY2(harmless.contains(element.name), qPrintable(element.name));
            for (const QXmlStreamAttribute& attribute : element.attributes) {
                const QString name = attribute.name().toString();
                QVERIFY2(!name.startsWith(QLatin1String("on")) && name != QLatin1String("href")
                             && name != QLatin1String("src"),
                         qPrintable(name));
            }
        }
        QVERIFY(page.valuesOf("content").contains(
            QStringLiteral("default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
                           "form-action 'none'")));
        QVERIFY(!html.contains("@import"));
        // The only thing that a style refers to is in the page.
        QCOMPARE(html.count("url("), html.count("url(#hatch)"));
        static const QRegularExpression unseen(QStringLiteral(
            "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\x{200e}\\x{200f}\\x{202a}-\\x{202e}\\x{2066}-\\x{2069}]"));
        QVERIFY(!QString::fromUtf8(html).contains(unseen));
    }

private slots:
    /// Three ranks; rank 1 is in cudaMalloc for 1500 us in each step, while its GPU has 600 us of work.
    void initTestCase()
    {
        CausedRun run(3, {});
        run.play([&](int, int rank, int place) {
            if (rank == 1 && place == 2)
                run.cpu(rank, "cudaMalloc", 1500, "cuda_runtime");
        });
        run.run().write(path(QStringLiteral("run")).toStdString());
    }
    void numbersEqualJson_data()
    {
        QTest::addColumn<QString>("run");
        QTest::newRow("generated") << path(QStringLiteral("run"));
        const QString real = tracesFolder() + QStringLiteral("/multirank/param_dlrm_8rank");
        if (!tracesFolder().isEmpty() && QFile::exists(real))
            QTest::newRow("real") << real;
    }
    /// Each number that the page has in its attributes, byte for byte.
    void numbersEqualJson()
    {
        QFETCH(QString, run);
        const ReadPage page(pageOf({run}));
        QVERIFY2(page.error.isEmpty(), qPrintable(page.error));
        const ProgramRun findings
            = runBatchProgram({QStringLiteral("findings"), run, QStringLiteral("--json")});
        QCOMPARE(findings.exitCode, 0);
        const auto answer = nlohmann::json::parse(findings.out.toStdString());
        QCOMPARE(page.valuesOf("data-step-ns"), tokensOf(findings.out, QStringLiteral("step_ns")));
        QCOMPARE(page.valuesOf("data-ns"), tokensOf(findings.out, QStringLiteral("ns_per_step")));
        QVERIFY(page.text.contains(
            QString::fromStdString(answer["headline"].get<std::string>()).remove(QLatin1Char('`'))));
        const QStringList costs = page.valuesOf("data-cost-ns");
        QVERIFY(!costs.isEmpty());
        std::size_t first = 0; // the findings that are not about time are notices without a cost
        while (answer["findings"][first]["share"].get<double>() == 0)
            ++first;
        const auto skipped = static_cast<qsizetype>(first);
        QCOMPARE(costs,
                 tokensOf(findings.out, QStringLiteral("cost_ns_per_step")).mid(skipped, costs.size()));
        QCOMPARE(
            page.valuesOf("data-cost-on-ranks-ns"),
            tokensOf(findings.out, QStringLiteral("cost_on_ranks_ns_per_step")).mid(skipped, costs.size()));
        QCOMPARE(page.valuesOf("data-share"),
                 tokensOf(findings.out, QStringLiteral("share")).mid(skipped, costs.size()));
        QCOMPARE(page.valuesOf("data-count"),
                 tokensOf(findings.out, QStringLiteral("count")).mid(skipped, costs.size()));
        const ProgramRun metrics = runBatchProgram({run, QStringLiteral("--json")});
        int compared = 0;
        for (const PageElement& element : page.elements) {
            const QString id = element.attributes.value(QLatin1String("data-metric")).toString();
            if (id.isEmpty())
                continue;
            const QStringList found = tokensOf(metrics.out, id + QStringLiteral("\": \\{\\s*\"value"));
            QCOMPARE(found.value(0), element.attributes.value(QLatin1String("data-value")).toString());
            ++compared;
        }
        QVERIFY2(compared >= 20, qPrintable(QString::number(compared)));
    }
    /// What was planted leads, and is in the picture of its place.
    void saysWhatWasPlanted()
    {
        const QByteArray html = pageOf({path(QStringLiteral("run"))});
        const qsizetype first = html.indexOf("data-finding=");
        QVERIFY(html.indexOf("data-finding=\"late_rank\"") == first);
        const QByteArray card = html.mid(first, html.indexOf("</article>", first) - first);
        QVERIFY(card.contains("<svg") && card.contains("rank 1 \xC2\xB7 compute"));
        QVERIFY(card.contains("<title>"));
    }
    void theSameRunIsTheSamePage()
    {
        const auto page = pageOf({path(QStringLiteral("run"))});
        QVERIFY(!page.isEmpty());
        QCOMPARE(pageOf({path(QStringLiteral("run"))}), page);
    }
    void isInertAndSmall_data()
    {
        QTest::addColumn<QStringList>("runs");
        QTest::newRow("run") << QStringList{path(QStringLiteral("run"))};
        writeMarkupNames(path(QStringLiteral("<i>hostile")).toStdString());
        QTest::newRow("hostile names") << QStringList{path(QStringLiteral("<i>hostile"))};
        comparedRun().write(path(QStringLiteral("base<u>")).toStdString());
        comparedRun({.slowerGemm = 400}).write(path(QStringLiteral("test'\"")).toStdString());
        QTest::newRow("comparison") << QStringList{path(QStringLiteral("base<u>")),
                                                   path(QStringLiteral("test'\""))};
        writeHungExample(path(QStringLiteral("hung")).toStdString());
        QTest::newRow("hang") << QStringList{path(QStringLiteral("hung"))};
        for (const char* real :
             {"multirank/param_dlrm_8rank", "kineto_tracelens/traces/inference/xdit_sd_3.5",
              "kineto_tracelens/traces/b200", "pytorch_gloo/torch26_ddp4_straggler",
              "flight_recorder/lock_gil_2nd", "straggler_analysis"}) {
            const QString folder = tracesFolder() + QLatin1Char('/') + QLatin1String(real);
            if (!tracesFolder().isEmpty() && QFile::exists(folder))
                QTest::newRow(real) << QStringList{folder};
        }
    }
    void isInertAndSmall()
    {
        QFETCH(QStringList, runs);
        const QByteArray html = pageOf(runs);
        QVERIFY(!html.isEmpty());
        QVERIFY2(html.size() < 3'000'000, qPrintable(QString::number(html.size())));
        CHECKED(isInert(html));
    }
    void hostileNamesAreShown()
    {
        const QString folder = path(QStringLiteral("<i>hostile2"));
        writeMarkupNames(folder.toStdString());
        const ReadPage page(pageOf({folder}));
        for (const char* name :
             {"<script>alert(1)</script>", "<b>rank0'\"&.json", "</title></style></svg><iframe src=//x>",
              "a\\u202egnp.exe", "x\uFFFD\uFFFD\uFFFD("})
            QVERIFY2(page.text.contains(QString::fromUtf8(name)), name);
    }
    void hang()
    {
        writeHungExample(path(QStringLiteral("hung2")).toStdString());
        const QString run = path(QStringLiteral("hung2"));
        const ReadPage page(pageOf({run}));
        const auto verdict = nlohmann::json::parse(
            runBatchProgram({QStringLiteral("hang"), run, QStringLiteral("--json")}).out.toStdString());
        QVERIFY(page.text.contains(QString::fromStdString(verdict["text"].get<std::string>())));
        QCOMPARE(page.valuesOf("data-class").size(), static_cast<qsizetype>(verdict["findings"].size()));
        QCOMPARE(page.valuesOf("data-ranks").value(0), QStringLiteral("rank 5"));
        for (const auto& finding : verdict["findings"])
            QVERIFY(page.text.contains(
                QString::fromStdString(finding["do_first"].get<std::string>()).remove(QLatin1Char('`'))));
    }
    void comparison()
    {
        const QString base = path(QStringLiteral("before"));
        const QString test = path(QStringLiteral("after"));
        comparedRun().write(base.toStdString());
        comparedRun({.slowerGemm = 400}).write(test.toStdString());
        const ReadPage page(pageOf({base, test}));
        QVERIFY2(page.text.contains(QStringLiteral("after against before: Mean step 10.0 ms \u2192 10.4 ms")),
                 qPrintable(page.text.left(900)));
        QVERIFY(page.text.contains(QStringLiteral("GEMM: +400 \u00b5s"))); // in the picture
        QVERIFY(page.text.contains(QStringLiteral("Worse")));
    }
    /// sha256sum is another's.
    void digestsAreThoseOfTheFiles()
    {
        const QDir folder(path(QStringLiteral("sizes")));
        QVERIFY(folder.mkpath(QStringLiteral(".")));
        QStringList expected;
        for (int rank = 0; rank < 66; ++rank) { // all lengths modulo a block
            const QByteArray bytes
                = "{\"distributedInfo\":{\"rank\":" + QByteArray::number(rank).rightJustified(3)
                + "},\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,"
                  "\"ts\":1,\"dur\":5}]}"
                + QByteArray(rank, '\n');
            QFile file(folder.filePath(QStringLiteral("rank%1.json").arg(rank)));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
            expected << QString::fromLatin1(
                QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex());
        }
        const QByteArray html = pageOf({folder.path()});
        for (const QString& digest : expected)
            QVERIFY2(html.contains(digest.toLatin1()), qPrintable(digest));
    }
    /// Whatever the run, the number of shapes is bounded.
    void manyRanks()
    {
        constexpr int ranks = 512;
        CausedRun run(ranks, {});
        run.play([&](int, int rank, int place) {
            if (rank == 77 && place == 2)
                run.cpu(rank, "cudaMalloc", 1500, "cuda_runtime");
        });
        run.run().write(path(QStringLiteral("many")).toStdString());
        const QByteArray html = pageOf({path(QStringLiteral("many"))});
        QVERIFY(html.contains("rank 77"));
        QVERIFY2(html.size() < 3'000'000, qPrintable(QString::number(html.size())));
        QVERIFY(html.contains("A row stands for 8 ranks"));
        CHECKED(isInert(html));
    }
    void refusals()
    {
        const auto exitCode = [](const QStringList& arguments) {
            return runBatchProgram(QStringList{QStringLiteral("page")} + arguments).exitCode;
        };
        const QString run = path(QStringLiteral("run"));
        QCOMPARE(exitCode({run}), 1); // no file
        QCOMPARE(
            exitCode({path(QStringLiteral("nowhere")), QStringLiteral("-o"), path(QStringLiteral("x.html"))}),
            2);
        QCOMPARE(exitCode({run, QStringLiteral("-o"), path(QStringLiteral("no/such/folder/x.html"))}), 4);
        const QString trace = run + QLatin1Char('/') + QDir(run).entryList(QDir::Files).constFirst();
        const QByteArray before = contentOf(trace);
        QCOMPARE(exitCode({run, QStringLiteral("-o"), trace}), 4);
        QCOMPARE(contentOf(trace), before);
    }
    /// A page shows places, which sums do not have.
    void summariesAreRefused()
    {
        const QString file = path(QStringLiteral("sums.html"));
        const ProgramRun page
            = runBatchProgram({QStringLiteral("page"), reduced("summary"), QStringLiteral("-o"), file});
        QCOMPARE(page.exitCode, 3);
        QVERIFY2(page.err.contains("which do not contain events"), page.err.constData());
        QVERIFY(!QFile::exists(file));
    }
    /// What was read is a part: the page does not vouch for the file that it was made of.
    void partsHaveNoDigests()
    {
        const ReadPage page(pageOf({reduced("metrics")}));
        QCOMPARE(page.text.count(QStringLiteral("not computed")), 3); // a rank each
        QVERIFY(!page.valuesOf("data-cost-ns").isEmpty());
    }
    void opensInBrowsers_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QStringList>("options");
        QTest::newRow("Chromium") << QStringLiteral("chromium")
                                  << QStringList{QStringLiteral("--headless"),
                                                 QStringLiteral("--no-sandbox"),
                                                 QStringLiteral("--disable-gpu"),
                                                 QStringLiteral("--user-data-dir=PROFILE"),
                                                 QStringLiteral("--window-size=1200,1000"),
                                                 QStringLiteral("--screenshot=PICTURE"),
                                                 QStringLiteral("PAGE")};
        QTest::newRow("Firefox") << QStringLiteral("firefox-esr")
                                 << QStringList{QStringLiteral("--headless"),
                                                QStringLiteral("--no-remote"),
                                                QStringLiteral("--profile"),
                                                QStringLiteral("PROFILE"),
                                                QStringLiteral("--window-size=1200,1000"),
                                                QStringLiteral("--screenshot"),
                                                QStringLiteral("PICTURE"),
                                                QStringLiteral("PAGE")};
    }
    /// A real browser lays it out and finds the colours of the parts.
    void opensInBrowsers()
    {
        QFETCH(QString, program);
        QFETCH(QStringList, options);
        if (QStandardPaths::findExecutable(program).isEmpty())
            QSKIP(qPrintable(program + QStringLiteral(" is not installed (packaging/packages-check.txt)")));
        QVERIFY(!pageOf({path(QStringLiteral("run"))}).isEmpty());
        const QString profile = path(program);
        const QString picture = path(program + QStringLiteral(".png"));
        QVERIFY(QDir().mkpath(profile));
        QProcess browser;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("HOME"), profile);
        browser.setProcessEnvironment(environment);
        for (QString& option : options)
            option.replace(QStringLiteral("PROFILE"), profile)
                .replace(QStringLiteral("PICTURE"), picture)
                .replace(QStringLiteral("PAGE"),
                         QStringLiteral("file://") + path(QStringLiteral("page.html")));
        browser.start(program, options);
        QVERIFY(browser.waitForFinished(120'000));
        const QImage image(picture);
        QVERIFY2(!image.isNull(), browser.readAllStandardError().constData());
        std::map<QRgb, int> counts;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                ++counts[image.pixel(x, y)];
        QVERIFY(counts[0xff3f6fb5] > 500); // compute
        QVERIFY(counts[kernelShade(KernelClass::AllReduce).light] > 100); // the hatching of waits
        QVERIFY(counts[0xffffffff] > 100'000 && counts[0xfff3f4f6] > 1000); // sections on the page
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestPage)

#include "tst_page.moc"
