// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// No event is lost: for every real trace, events = shown + excluded, and events is what an independent count
// finds.

#include "tests/batch/program.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <SQLiteCpp/SQLiteCpp.h>
#include <nlohmann/json.hpp>

#include <optional>

#include <isa-l/igzip_lib.h>

namespace collscope {

namespace {

using nlohmann::json;

/// Counts the elements of "traceEvents", or of a bare list, without building anything.
class EventCounter : public nlohmann::json_sax<json>
{
public:
    std::uint64_t events = 0;
    bool isTrace = false; ///< a traceEvents list was there, or the list holds objects with a "ph"

    bool null() override { return element(); }
    bool boolean(bool) override { return element(); }
    bool number_integer(number_integer_t) override { return element(); }
    bool number_unsigned(number_unsigned_t) override { return element(); }
    bool number_float(number_float_t, const string_t&) override { return element(); }
    bool string(string_t&) override { return element(); }
    bool binary(binary_t&) override { return element(); }
    bool start_object(std::size_t) override
    {
        element();
        ++m_depth;
        return true;
    }
    bool key(string_t& key) override
    {
        isTrace |= m_listDepth == 1 && m_depth == 2 && key == "ph";
        m_isEvents = m_depth == 1 && key == "traceEvents";
        return true;
    }
    bool end_object() override
    {
        --m_depth;
        return true;
    }
    bool start_array(std::size_t) override
    {
        if (m_depth == 0 || (m_isEvents && m_depth == 1)) {
            m_listDepth = m_depth + 1;
            isTrace |= m_depth == 1;
        } else {
            element();
        }
        m_isEvents = false;
        ++m_depth;
        return true;
    }
    bool end_array() override
    {
        if (m_depth == m_listDepth)
            m_listDepth = -1;
        --m_depth;
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override
    {
        return false;
    }

private:
    bool element()
    {
        events += m_depth == m_listDepth ? 1u : 0u;
        return true;
    }

    int m_depth = 0;
    int m_listDepth = -1; ///< depth inside the event list
    bool m_isEvents = false; ///< the last key was the list's
};

QByteArray inflated(const QByteArray& packed)
{
    inflate_state state;
    isal_inflate_init(&state);
    state.crc_flag = ISAL_GZIP;
    QByteArray input = packed;
    state.next_in = reinterpret_cast<std::uint8_t*>(input.data());
    state.avail_in = static_cast<std::uint32_t>(input.size());
    QByteArray out;
    QByteArray chunk(1 << 20, Qt::Uninitialized);
    do {
        state.next_out = reinterpret_cast<std::uint8_t*>(chunk.data());
        state.avail_out = static_cast<std::uint32_t>(chunk.size());
        if (isal_inflate(&state) != ISAL_DECOMP_OK)
            return {};
        out.append(chunk.constData(), chunk.size() - static_cast<qsizetype>(state.avail_out));
    } while (state.avail_out == 0);
    return out;
}

std::optional<std::uint64_t> countJson(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    QByteArray text = file.readAll();
    if (text.startsWith("\x1f\x8b"))
        text = inflated(text);
    EventCounter counter;
    const bool valid = json::sax_parse(text.constData(), text.constData() + text.size(), &counter);
    return valid && counter.isTrace ? std::optional(counter.events) : std::nullopt;
}

std::uint64_t countSqlite(const QString& path)
{
    // The folder may be read-only and the file in WAL mode: only an immutable database opens then.
    const SQLite::Database database("file:" + path.toStdString() + "?immutable=1",
                                    SQLite::OPEN_READONLY | SQLite::OPEN_URI);
    std::uint64_t rows = 0;
    for (const char* table :
         {"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET",
          "CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "NVTX_EVENTS", "GPU_METRICS"}) {
        if (database.tableExists(table)) {
            SQLite::Statement count(database, std::string("SELECT count(*) FROM ") + table);
            count.executeStep();
            rows += static_cast<std::uint64_t>(count.getColumn(0).getInt64());
        }
    }
    return rows;
}

} // namespace

class TestConservation : public QObject
{
    Q_OBJECT

private slots:
    void file_data()
    {
        QTest::addColumn<QString>("path");
        for (const QString& path :
             allTraces({QStringLiteral("json"), QStringLiteral("json.gz"), QStringLiteral("sqlite")}))
            QTest::newRow(qPrintable(traceLabel(path))) << path;
    }
    void file()
    {
        QFETCH(QString, path);
        const bool isDatabase = path.endsWith(QStringLiteral(".sqlite"));
        const std::optional<std::uint64_t> counted = isDatabase ? countSqlite(path) : countJson(path);
        const QTemporaryDir folder;
        const QString report = folder.filePath(QStringLiteral("report.json"));
        const ProgramRun run
            = runBatchProgram({path, QStringLiteral("--metric"), QStringLiteral("avg_step_time"),
                               QStringLiteral("--output-json"), report});
        if (!counted) {
            QVERIFY2(run.exitCode == 2 || run.exitCode == 3, "a file that is no trace was read as one");
            return;
        }
        QVERIFY2(run.exitCode == 0 || run.exitCode == 3, run.err.constData());
        QFile written(report);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const json answer = jsonOf(written.readAll());
        QVERIFY(answer.is_object());
        std::uint64_t events = 0;
        for (const json& source : answer["run"]["files"]) {
            if (!QString::fromStdString(source["path"].get<std::string>())
                     .endsWith(QFileInfo(path).fileName()))
                continue; // a workload card that was found beside it
            events += source["events"].get<std::uint64_t>();
            QCOMPARE(source["events"].get<std::uint64_t>(),
                     source["shown"].get<std::uint64_t>() + source["excluded"].get<std::uint64_t>());
        }
        QCOMPARE(events, *counted);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestConservation)
#include "tst_conservation.moc"
