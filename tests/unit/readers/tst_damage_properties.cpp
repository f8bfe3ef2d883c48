// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whatever is done to a trace: no event is lost without a word, the doctor and the load agree, a clean copy
// is clean. COLLSCOPE_SEEDS=N tries more seeds.

#include "app/runtime/thread_pool.h"
#include "model/readers/run/examine.h"
#include "model/readers/text/json_repair.h"
#include "tests/support/damage/mutator.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/model_digest.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/texts/sample_trace.h"
#include "tests/support/workloads/run_writer.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>

namespace collscope {

namespace {

std::uint64_t listed(const Diagnostics& problems, std::string_view code)
{
    const Diagnostic* problem = findProblem(problems, code);
    return problem ? problem->count : 0;
}

/// Where the elements of the outermost event list end, found by counting brackets in sound text.
std::vector<std::size_t> eventEnds(std::string_view text)
{
    std::size_t at = text.find("\"traceEvents\"");
    at = text.find('[', at == std::string_view::npos ? 0 : at);
    std::vector<std::size_t> ends;
    int depth = 0;
    bool inString = false;
    for (++at; at < text.size() && depth >= 0; ++at) {
        const char c = text[at];
        if (inString) {
            at += c == '\\' ? 1 : 0;
            inString = c != '"';
        } else if (c == '"') {
            inString = true;
        } else if (c == '{' || c == '[') {
            ++depth;
        } else if ((c == '}' || c == ']') && --depth == 0) {
            ends.push_back(at + 1);
        }
    }
    return ends;
}

} // namespace

class TestDamageProperties : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    /// Checks all that must hold; "" or what does not.
    std::string mistake(const std::string& text)
    {
        const std::string path = m_folder.filePath(QStringLiteral("trace.json")).toStdString();
        writeFile(path, text);
        const auto loaded = readKineto(text);
        const auto plan = planLoad({path}, {});
        if (!plan || plan->files.empty() || plan->files[0].reader->kind != SourceKind::Kineto)
            return {}; // nothing of a trace is left
        const auto examined = examine(*plan, {});
        const ExaminedFile& file = examined->files.at(0);
        if (!loaded)
            return findIn(file.findings, "unreadable") ? "" : "the doctor reads what the load does not";
        const SourceInfo& source = loaded->source;
        if (source.eventsInFile != source.shown + source.excluded
            || loaded->problems.excludedEvents() != source.excluded)
            return "the load lost an event";
        if (!file.isConserved())
            return "the doctor lost an event";
        if (file.shown != source.shown || file.excluded != source.excluded)
            return "the doctor shows " + std::to_string(file.shown) + " + " + std::to_string(file.excluded)
                + ", the load " + std::to_string(source.shown) + " + " + std::to_string(source.excluded);
        std::string clean;
        const auto copy
            = writeCleanCopy({path, text.size(), -1, std::nullopt}, {}, {}, [&](std::string_view piece) {
                  clean += piece;
                  return true;
              });
        if (!copy || !isValidJson(clean))
            return "the clean copy is no JSON";
        const auto again = readKineto(clean);
        if (!again)
            return "the clean copy is no trace";
        std::uint64_t invalid = 0;
        for (const Diagnostic& finding : file.findings)
            invalid += finding.code == "invalid_value" ? finding.count : 0;
        if (again->source.shown > source.shown || again->source.shown + invalid < source.shown)
            return "the clean copy shows " + std::to_string(again->source.shown) + " of "
                + std::to_string(source.shown);
        return listed(again->problems, "malformed_event") == 0 ? "" : "the clean copy is damaged";
    }
    static bool findIn(const std::vector<Diagnostic>& findings, std::string_view code)
    {
        return std::any_of(findings.begin(), findings.end(),
                           [&](const Diagnostic& finding) { return finding.code == code; });
    }
    static int seeds(int usual)
    {
        const int asked = qEnvironmentVariableIntValue("COLLSCOPE_SEEDS");
        return asked > 0 ? asked : usual;
    }

private slots:
    void aSoundTraceStaysAsItIs()
    {
        const std::string text = sampleTrace(0, 50);
        QCOMPARE(eventEnds(text).size(), std::size_t{50});
        QCOMPARE(mistake(text), std::string());
        QVERIFY(readKineto(text)->problems.isEmpty());
    }
    void zeroBytesAreNoEndOfText()
    {
        QVERIFY(!isValidJson(std::string_view("{}\0}", 4)));
        // A quote is missing, and zeros follow: what a library took for the end of the event (found by
        // fuzzing).
        std::string text = R"({"traceEvents":[{"ph":"X","cat":"kernel,schema":1,"name":"a","pid":0,"ts":1,)"
                           R"("args":{"stream":7}})";
        text.append(50, '\0');
        text += "]}";
        QCOMPARE(mistake(text), std::string());
    }
    void anyWound()
    {
        const std::string text = sampleTrace(0, 60);
        for (int seed = 0; seed < seeds(share(400, 100)); ++seed) {
            Mutator mutator(static_cast<std::uint64_t>(seed));
            const std::string damaged = mutator.damaged(text, 4);
            const std::string found = mistake(damaged);
            if (!found.empty())
                writeFile("/tmp/wound.json", damaged);
            QVERIFY2(found.empty(), (found + ", seed " + std::to_string(seed)).c_str());
        }
    }
    void aWoundCostsLittle()
    {
        // Each event that no wound touched is there: at most a few are lost with one wound.
        const std::string text = sampleTrace(0, 200);
        const std::uint64_t whole = readKineto(text)->source.shown;
        for (int seed = 0; seed < seeds(share(200, 50)); ++seed) {
            Mutator mutator(static_cast<std::uint64_t>(seed));
            std::string damaged = text;
            const std::size_t at
                = text.find("{\"ph\"") + mutator.number(text.rfind("]") - text.find("{\"ph\""));
            damaged[at]
                = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ (1u << mutator.number(8)));
            const auto fragment = readKineto(damaged);
            QVERIFY(fragment.has_value());
            if (fragment->source.shown + 2 < whole)
                writeFile("/tmp/wound.json", damaged);
            QVERIFY2(fragment->source.shown + 2 >= whole,
                     ("byte " + std::to_string(at) + ": " + std::to_string(fragment->source.shown) + " of "
                      + std::to_string(whole))
                         .c_str());
        }
    }
    void twoWriters()
    {
        const std::string a = sampleTrace(0, 80);
        const std::string b = sampleTrace(1, 80);
        for (int seed = 0; seed < seeds(share(100, 30)); ++seed) {
            Mutator mutator(static_cast<std::uint64_t>(seed));
            const std::string text = mutator.interleaved(a, b, 3000);
            const std::string found = mistake(text);
            if (!found.empty())
                writeFile("/tmp/wound.json", text);
            QVERIFY2(found.empty(), (found + ", seed " + std::to_string(seed)).c_str());
            const auto fragment = readKineto(text);
            if (!fragment)
                writeFile("/tmp/wound.json", text);
            QVERIFY2(fragment.has_value(), std::to_string(seed).c_str());
            if (fragment->source.shown + 60 < 160)
                writeFile("/tmp/wound.json", text);
            QVERIFY2(
                fragment->source.shown + 60 >= 160,
                ("seed " + std::to_string(seed) + ": " + std::to_string(fragment->source.shown)).c_str());
            QVERIFY2(listed(fragment->problems, "interleaved")
                             + listed(fragment->problems, "several_documents")
                             + listed(fragment->problems, "early_end") // a head in pieces is not seen
                         > 0,
                     std::to_string(seed).c_str());
        }
    }
    void threadsDoNotChangeWhatIsFound()
    {
        const std::string text = sampleTrace(0, 60'000); // enough to be read by several threads
        const std::string path = m_folder.filePath(QStringLiteral("rank0.json")).toStdString();
        for (int seed = 0; seed < seeds(share(6, 1)); ++seed) {
            Mutator mutator(static_cast<std::uint64_t>(seed));
            writeFile(path, mutator.damaged(text, 40));
            const auto plan = planLoad({path}, {});
            QVERIFY(plan.has_value());
            LoadContext one;
            LoadContext two;
            two.parallel = threadPool(2);
            const auto alone = loadTrace(*plan, one);
            const auto together = loadTrace(*plan, two);
            QVERIFY(alone.has_value() && together.has_value());
            QCOMPARE(modelDigest(**together), modelDigest(**alone));
        }
    }
    /// Every complete event before the cut is there, whatever the byte (each 11th where sanitizers watch).
    void everyCutOfATrace_data()
    {
        QTest::addColumn<QString>("path");
        const QString generated = m_folder.filePath(QStringLiteral("cut.json"));
        // Where the text ends behind such a key in a list of objects, it may as well be the next event's.
        QString sample = QString::fromStdString(sampleTrace(0, 40));
        sample.replace(QStringLiteral("{\"id\": 2}"), QStringLiteral("{\"of\": 2}"));
        writeFile(generated.toStdString(), sample.toStdString());
        QTest::newRow("generated") << generated;
        const QString real = tracesFolder() + QStringLiteral("/kineto/aiu/allreduce_tp4.json");
        if (!tracesFolder().isEmpty() && QFile::exists(real))
            QTest::newRow("allreduce_tp4.json") << real;
    }
    void everyCutOfATrace()
    {
        QFETCH(QString, path);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        const std::string text(bytes.constData(), static_cast<std::size_t>(bytes.size()));
        const std::vector<std::size_t> ends = eventEnds(text);
        const std::size_t key = text.find("\"traceEvents\"");
        const std::size_t first = text.find('[', key == std::string::npos ? 0 : key) + 1;
        for (std::size_t cut = first; cut < text.size(); cut += static_cast<std::size_t>(share(1, 11))) {
            const auto fragment = readKineto(std::string_view(text).substr(0, cut));
            QVERIFY2(fragment.has_value(), std::to_string(cut).c_str());
            const auto whole = static_cast<std::uint64_t>(
                std::count_if(ends.begin(), ends.end(), [cut](std::size_t end) { return end <= cut; }));
            const std::uint64_t open = listed(fragment->problems, "truncated") > 0
                ? findProblem(fragment->problems, "truncated")->excludedEvents
                : 0;
            QVERIFY2(fragment->source.eventsInFile == whole + open && open <= 1, std::to_string(cut).c_str());
            QCOMPARE(fragment->source.eventsInFile, fragment->source.shown + fragment->source.excluded);
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestDamageProperties)
#include "tst_damage_properties.moc"
