// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// One damaged byte costs one event at most, whatever key events begin with and however the file is laid out;
// and every event of the file stays in the ledger. COLLSCOPE_SEEDS=N tries N bytes of each layout.

#include "tests/support/damage/byte_damage.h"
#include "tests/support/damage/mutator.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/workloads/run_writer.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace collscope {

namespace {

using Json = nlohmann::ordered_json;

/// A file in several layouts and orders of keys.
std::vector<std::string> layoutsOf(const Json& document)
{
    const auto reordered = [&](const std::function<Json(const Json&)>& order) {
        Json changed = document;
        for (Json& event : changed.is_array() ? changed : changed["traceEvents"])
            event = order(event);
        return changed;
    };
    const Json reversed = reordered([](const Json& event) {
        std::vector<std::pair<std::string, Json>> members;
        for (const auto& [key, value] : event.items())
            members.emplace_back(key, value);
        Json result = Json::object();
        for (auto member = members.rbegin(); member != members.rend(); ++member)
            result[member->first] = member->second;
        return result;
    });
    const nlohmann::json sorted = nlohmann::json::parse(document.dump());
    return {document.dump(),  document.dump(2), document.dump(1, '\t'), reversed.dump(),
            reversed.dump(1), sorted.dump(),    sorted.dump(4)};
}

} // namespace

class TestSingleByteDamage : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    std::string writtenPath(const std::string& text) const
    {
        const std::string path = m_folder.filePath(QStringLiteral("t.json")).toStdString();
        writeFile(path, text);
        return path;
    }
    Ledger soundLedger(const std::string& text) const { return loadedLedger(writtenPath(text)); }

    std::string mistakeAt(const std::string& text, std::size_t at, int way, const Ledger& sound) const
    {
        const std::string mistake = mistakeAfterDamage(writtenPath(damaged(text, at, way)), sound);
        return mistake.empty() ? mistake
                               : "byte " + std::to_string(at) + ", way " + std::to_string(way) + ", behind "
                + text.substr(at - std::min<std::size_t>(at, 40), std::min<std::size_t>(at, 40)) + ": "
                + mistake;
    }

private slots:
    /// Keys that events of other programs begin with, and none that is known by heart.
    void anyFirstKey_data()
    {
        QTest::addColumn<QByteArray>("key");
        for (const char* key : {"attr", "cname", "bind_id", "flow_in", "scope", "sf", "stack", "uid",
                                "metadata", "anything at all", "name", "args", "ph"})
            QTest::newRow(key) << QByteArray(key);
    }
    /// Structural bytes of a small file, in every way.
    void anyFirstKey()
    {
        QFETCH(const QByteArray, key);
        Json events = Json::array();
        for (int i = 0; i < 5; ++i) {
            Json event = Json::object();
            if (key != "ph" && key != "name" && key != "args")
                event[key.toStdString()] = i % 2 == 0 ? Json{{"a", "1"}, {"b", {1, 2}}} : Json("x");
            if (key == "args")
                event["args"] = {{"list", {{{"args", 1}}, {{"args", 2}}}}, {"name", "k"}};
            if (key == "ph")
                event["ph"] = "X";
            event["name"] = "k" + std::to_string(i);
            event["args"] = {{"list", {{{"name", 1}}, {{"name", 2}}}}, {"dims", Json::array()}};
            event["ph"] = "X";
            event["cat"] = "kernel";
            event["pid"] = 0;
            event["tid"] = 7;
            event["ts"] = 10 * i;
            event["dur"] = 5;
            events.push_back(event);
        }
        const Json document{{"schemaVersion", 1}, {"traceEvents", events}, {"traceName", "t.json"}};
        for (const std::string& text : {document.dump(), document.dump(2), events.dump()}) {
            const Ledger sound = soundLedger(text);
            QCOMPARE(sound.shown, std::int64_t{5});
            const std::size_t last = text.rfind("5}"); // of the last event: what follows is no event's
            std::size_t tried = 0;
            for (const std::size_t at : structuralBytes(std::string_view(text).substr(0, last))) {
                for (int way = 0; way < waysOfDamage; ++way) {
                    if (++tried % static_cast<std::size_t>(share(11, 149)) != 0)
                        continue;
                    const std::string mistake = mistakeAt(text, at, way, sound);
                    QVERIFY2(mistake.empty(), mistake.c_str());
                }
            }
        }
    }

    /// Files of several producers, each in seven layouts.
    void traces_data()
    {
        QTest::addColumn<QString>("path");
        const RunPlan plan = planRun({});
        const QString generated = m_folder.filePath(QStringLiteral("generated.json"));
        writeFile(generated.toStdString(), kinetoJson(plan, plan.ranks.front()));
        QTest::newRow("generated") << generated;
        if (tracesFolder().isEmpty())
            return;
        for (const char* name :
             {"kineto/aiu/allreduce_tp4.json", "kineto/kineto/docs/before_fix_trace.json",
              "kineto/aorta/smci350-zts-gtu-c6-25_200691.1758927066581847260.pt.trace.json",
              "kineto/hta/call_stack/backward_thread.json", "odd/xprof/trace_viewer_trace.json"})
            QTest::newRow(name) << QDir(tracesFolder()).filePath(QString::fromLatin1(name));
    }
    void traces()
    {
        QFETCH(const QString, path);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        Json document = Json::parse(file.readAll().toStdString());
        constexpr std::size_t mostEvents = 60;
        Json& events = document.is_array() ? document : document["traceEvents"];
        if (events.size() > mostEvents)
            events.erase(events.begin() + mostEvents, events.end());
        const int asked = qEnvironmentVariableIntValue("COLLSCOPE_SEEDS");
        std::uint64_t seed = 1;
        for (const std::string& text : layoutsOf(document)) {
            Mutator random(seed++);
            const Ledger sound = soundLedger(text);
            QCOMPARE(sound.events, static_cast<std::int64_t>(events.size()));
            const std::vector<std::size_t> places = structuralBytes(text);
            for (int i = 0; i < (asked > 0 ? asked : share(120, 20)); ++i) {
                const std::size_t at = places[random.number(places.size())];
                const int way = static_cast<int>(random.number(waysOfDamage));
                const std::string mistake = mistakeAt(text, at, way, sound);
                QVERIFY2(mistake.empty(), mistake.c_str());
            }
        }
    }

    /// Files that were damaged before, one byte each.
    void damagedFiles_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<int>("events");
        const QDir folder(oracleFolder() + QStringLiteral("/hostile"));
        for (const QString& name : folder.entryList({QStringLiteral("swallow_*.json")}))
            QTest::newRow(name.toUtf8().constData()) << folder.filePath(name) << 56;
        QTest::newRow("two_events_one_byte.json")
            << folder.filePath(QStringLiteral("two_events_one_byte.json")) << 71;
    }
    void damagedFiles()
    {
        QFETCH(const QString, path);
        QFETCH(const int, events);
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            QSKIP("no oracle: set COLLSCOPE_ORACLE");
        const std::string text = file.readAll().toStdString();
        const auto fragment = readKineto(text);
        const Ledger ledger = ledgerOf(fragment);
        QCOMPARE(ledger.events, std::int64_t{events});
        QCOMPARE(ledger, examinedLedger(writtenPath(text)));
        const Diagnostic* const lost = findProblem(fragment->problems, "malformed_event");
        QVERIFY(lost ? lost->excludedEvents == 1 : ledger.excluded == ledger.partners);
    }

    /// Text that is given up is told in bytes, and each "ph" in it is an event's.
    void whatIsGivenUpIsTold()
    {
        const std::string event = R"({"name":"a","ph":"X","pid":0,"tid":7,"ts":1,"dur":1})";
        const std::string lost = event.substr(1); // without its brace
        const std::string log = "WARNING: late\n";
        const auto fragment = readKineto("{\"traceEvents\":[" + event + "," + lost + "," + lost + "," + event
                                         + ",\n" + log + event + "]}");
        QVERIFY(fragment);
        QCOMPARE(textOf(ledgerOf(fragment)), std::string("5 = 3 + 2"));
        const Diagnostic* const malformed = findProblem(fragment->problems, "malformed_event");
        const Diagnostic* const between = findProblem(fragment->problems, "text_between_events");
        QVERIFY(malformed && between);
        QCOMPARE(malformed->excludedEvents, std::uint64_t{2});
        const std::string bytes = std::to_string(2 * lost.size() + 2);
        QVERIFY2(malformed->explanation.find(" " + bytes + " bytes") != std::string::npos,
                 malformed->explanation.c_str());
        QVERIFY2(between->explanation.find(" " + std::to_string(log.size()) + " bytes") != std::string::npos,
                 between->explanation.c_str());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestSingleByteDamage)
#include "tst_single_byte_damage.moc"
