// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Every number of every metric under each of its names, for the public traces, is the recorded one. A number
// that changes on purpose is recorded again with COLLSCOPE_UPDATE_NUMBERS=1, and the commit says why.

#include "metrics/analysis/analysis.h"
#include "metrics/export/written_report.h"
#include "model/readers/byte_source.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/workloads/run_writer.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <array>
#include <filesystem>
#include <fstream>

namespace collscope {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::json;

constexpr const char* recordPath = COLLSCOPE_SOURCE_FOLDER "/tests/unit/recorded_numbers.json.gz";

/// Sentences and lists of slices, which are not numbers of the metric.
bool isText(const std::string& key)
{
    constexpr std::array<std::string_view, 12> keys{"reason",   "definition", "warnings", "inputs",
                                                    "evidence", "references", "unit",     "scope",
                                                    "window",   "reduction",  "source",   "paths"};
    return std::find(keys.begin(), keys.end(), key) != keys.end();
}

/// Adds the numbers and states of a result by their place in it: "/straggler/imposed_wait_us/2".
void addNumbers(const Json& value, const std::string& place, Json& numbers)
{
    if (value.is_object()) {
        for (const auto& [key, inner] : value.items()) {
            if (!isText(key))
                addNumbers(inner, place + "/" + key, numbers);
        }
    } else if (value.is_array()) {
        for (std::size_t i = 0; i < value.size(); ++i)
            addNumbers(value[i], place + "/" + std::to_string(i), numbers);
    } else if (value.is_number() || value.is_boolean() || place.ends_with("/status")) {
        numbers[place] = value;
    }
}

/// All numbers of a run; a run that cannot be loaded has none.
Json numbersOf(const std::string& path)
{
    Json numbers = Json::object();
    const auto model = loadPath(path);
    if (!model)
        return numbers;
    std::vector<NamedResult> results;
    Analysis analysis(**model, {});
    const auto add = [&](std::string_view name) {
        MetricRequest request = *findMetric(name);
        MetricResult result = evaluate(analysis, request);
        results.push_back({std::move(request), std::move(result)});
    };
    for (const MetricDescriptor& metric : allMetrics())
        add(metric.id);
    for (const MetricAlias& alias : allAliases())
        add(alias.id);
    addNumbers(Json::parse(resultsJson(results)), "", numbers);
    for (const SourceInfo& source : (*model)->sources) {
        const std::string place = "/events of " + fs::path(source.path).filename().string();
        numbers[place] = {source.eventsInFile, source.shown, source.excluded};
    }
    return numbers;
}

/// Runs below the folders of traces and oracle, by the names under which they are recorded.
std::map<std::string, std::string> publicRuns()
{
    std::map<std::string, std::string> runs;
    std::error_code error;
    const auto addRuns = [&](const fs::path& folder, const std::string& name) {
        for (const auto& entry : fs::directory_iterator(folder, error)) {
            if (entry.is_directory(error))
                runs[name + "/" + entry.path().filename().string()] = entry.path().string();
        }
    };
    const auto addFiles = [&](const fs::path& folder, const std::string& name) {
        for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
            const fs::path ending = entry.path().extension();
            if (entry.is_regular_file(error)
                && (ending == ".json" || ending == ".gz" || ending == ".sqlite" || ending == ".pickle"))
                runs[name + "/" + fs::relative(entry.path(), folder).string()] = entry.path().string();
        }
    };
    const fs::path traces = tracesFolder().toStdString();
    const fs::path oracle = oracleFolder().toStdString();
    if (!oracle.empty())
        addRuns(oracle / "inputs", "oracle/inputs");
    if (traces.empty())
        return runs;
    addRuns(traces / "multirank", "multirank");
    for (const char* folder : {"kineto", "kineto_tracelens", "nsys_sqlite", "memsnap", "torch_et", "odd"})
        addFiles(traces / folder, folder);
    return runs;
}

Json recorded()
{
    const auto source = ByteSource::open(recordPath);
    std::string text;
    std::array<char, 65536> buffer;
    while (source) {
        const std::size_t bytes = (*source)->read(buffer);
        if (bytes == 0)
            break;
        text.append(buffer.data(), bytes);
    }
    return text.empty() ? Json::object() : Json::parse(text);
}

} // namespace

class TestRecordedNumbers : public QObject
{
    Q_OBJECT

private:
    const bool m_isUpdating = qEnvironmentVariableIsSet("COLLSCOPE_UPDATE_NUMBERS");
    Json m_record = recorded();

private slots:
    void areThoseOfToday_data()
    {
        QTest::addColumn<QString>("path");
        for (const auto& [name, path] : publicRuns())
            QTest::newRow(name.c_str()) << QString::fromStdString(path);
        if (publicRuns().empty())
            QTest::newRow("none") << QString();
    }
    void areThoseOfToday()
    {
        QFETCH(const QString, path);
        if (path.isEmpty())
            QSKIP("no real traces and no oracle: set COLLSCOPE_TRACES, COLLSCOPE_ORACLE");
        const std::string name = QTest::currentDataTag();
        const Json numbers = numbersOf(path.toStdString());
        if (m_isUpdating) {
            m_record[name] = numbers;
            return;
        }
        QVERIFY2(m_record.contains(name), "not recorded");
        std::string differences;
        const Json& expected = m_record[name];
        for (const auto& [place, value] : expected.items()) {
            if (differences.size() < 2000 && (!numbers.contains(place) || numbers[place] != value))
                differences += "\n" + place + ": was " + value.dump() + ", is "
                    + (numbers.contains(place) ? numbers[place].dump() : "not there");
        }
        QVERIFY2(differences.empty(), differences.c_str());
        QCOMPARE(numbers.size(), expected.size()); // else new ones are to be recorded
    }
    void cleanupTestCase()
    {
        if (m_isUpdating)
            std::ofstream(recordPath, std::ios::binary) << gzipped(m_record.dump());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestRecordedNumbers)
#include "tst_recorded_numbers.moc"
