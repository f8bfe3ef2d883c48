// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Memory snapshots and execution traces with one damaged byte: what is sound of them is read.

#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/memory_text.h"
#include "tests/support/workloads/planted_memory.h"

#include <QFile>

#include <algorithm>

namespace collscope {

using namespace py;

namespace {

/// Five nodes as PyTorch writes them, the last of which is a call; its sizes are in its attributes.
std::string executionTrace()
{
    std::string text = "{'schema': '1.1.1-chakra.0.0.4', 'pid': 42, 'time': '2024', 'nodes': [";
    for (int id = 2; id < 7; ++id) {
        const std::string number = std::to_string(id);
        const bool isCall = id == 6;
        text += (id > 2 ? ", " : "") + std::string("{'id': ") + number + ", 'name': '"
            + (isCall ? "record_param_comms" : "aten::mm")
            + "', 'ctrl_deps': 1, 'inputs': {'values': [[1, 2], 'x'], 'shapes': [[]], 'types': []}, "
              "'attrs': [{'name': 'rf_id', 'type': 'uint64', 'value': "
            + number + "}"
            + (isCall ? ", {'name': 'collective_name', 'type': 'string', 'value': 'allreduce'}" : "") + "]}";
    }
    text += "], 'finish_ts': 9}";
    std::replace(text.begin(), text.end(), '\'', '"');
    return text;
}

QByteArray oracleFile(const char* name)
{
    QFile file(oracleFolder() + QStringLiteral("/hostile/") + QString::fromLatin1(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestDamagedMeasurements : public QObject
{
    Q_OBJECT

private:
    RunFolder m_folder;

    Result<TraceFragment> read(SourceKind kind, const std::string& bytes) const
    {
        const std::string path = m_folder.write("file", bytes);
        return readerOf(kind).read({path, bytes.size(), -1, std::nullopt}, ReadContext());
    }
    /// A damaged snapshot is what one is that is cut off where it can be read no further.
    void readsUpToTheDamage(const std::string& damaged, std::uint64_t leastEvents) const
    {
        const auto fragment = read(SourceKind::MemorySnapshot, damaged);
        QVERIFY2(fragment, fragment ? "" : fragment.error().message.c_str());
        const Diagnostic* const finding = findProblem(fragment->problems, "damaged_pickle");
        QVERIFY(finding && finding->firstOffset > 0);
        const auto cut = read(SourceKind::MemorySnapshot, damaged.substr(0, finding->firstOffset));
        QVERIFY(cut && findProblem(cut->problems, "truncated"));
        QCOMPARE(fragment->source.eventsInFile, cut->source.eventsInFile);
        QCOMPARE(fragment->source.shown + fragment->source.excluded, fragment->source.eventsInFile);
        QVERIFY(fragment->source.eventsInFile >= leastEvents);
        QVERIFY(fragment->memory.front().isCutOff);
    }

private slots:
    void aSnapshotIsReadUpToTheDamage()
    {
        const std::string whole = smallSnapshot();
        const auto sound = read(SourceKind::MemorySnapshot, whole);
        QVERIFY(sound && sound->problems.isEmpty());
        QCOMPARE(sound->source.eventsInFile, std::uint64_t{8});
        // An opcode that no pickle has, in place of that of a key of the last event.
        const std::size_t key = whole.rfind("action");
        QVERIFY(key != std::string::npos && whole[key - 5] == 'X');
        std::string damaged = whole;
        damaged[key - 5] = '\xFF';
        readsUpToTheDamage(damaged, 7);
    }
    void anyByteOfASnapshotCostsOnlyWhatFollows()
    {
        const std::string whole = plantMemory({60, 0, 0, 5, 4, 3}).bytes;
        for (std::size_t at = whole.size() / 3; at < whole.size();
             at += static_cast<std::size_t>(share(7, 61))) {
            std::string damaged = whole;
            damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ 0x20u);
            const auto fragment = read(SourceKind::MemorySnapshot, damaged);
            QVERIFY2(fragment,
                     (std::to_string(at) + ": " + (fragment ? "" : fragment.error().message)).c_str());
            QCOMPARE(fragment->source.shown + fragment->source.excluded, fragment->source.eventsInFile);
        }
    }
    void aSnapshotThatWasDamaged()
    {
        const QByteArray bytes = oracleFile("pickle_one_byte.pickle");
        if (bytes.isEmpty())
            QSKIP("no oracle: set COLLSCOPE_ORACLE");
        readsUpToTheDamage(bytes.toStdString(), 1);
    }

    /// Each structural byte of the nodes, lost or changed: one node at most.
    void anExecutionTraceLosesOneNode()
    {
        const std::string whole = executionTrace();
        const std::size_t first = whole.find("{\"id\"");
        const std::size_t last = whole.rfind("]}], ") + 2;
        std::size_t tried = 0;
        for (std::size_t at = first; at < last; ++at) {
            if (std::string_view("{}[],:\"").find(whole[at]) == std::string_view::npos)
                continue;
            for (const int way : {0, 1, 2, 0x20, 0x40}) {
                if (isSanitized && ++tried % 5 != 0)
                    continue;
                std::string damaged = whole;
                if (way == 0)
                    damaged.erase(at, 1);
                else if (way < 0x20)
                    damaged[at] = way == 1 ? ' ' : 'x';
                else
                    damaged[at] = static_cast<char>(damaged[at] ^ way);
                const auto fragment = read(SourceKind::ExecutionTrace, damaged);
                const std::string what = "byte " + std::to_string(at) + ", way " + std::to_string(way);
                QVERIFY2(fragment, what.c_str());
                const SourceInfo& source = fragment->source;
                QVERIFY2(source.eventsInFile == 5 && source.shown + source.excluded == 5
                             && source.excluded <= 1,
                         (what + ": " + std::to_string(source.eventsInFile) + " = "
                          + std::to_string(source.shown) + " + " + std::to_string(source.excluded))
                             .c_str());
                QCOMPARE(fragment->problems.excludedEvents(), source.excluded);
                QVERIFY2(fragment->executionTraces.front().schema == "1.1.1-chakra.0.0.4", what.c_str());
                QVERIFY2(!findProblem(fragment->problems, "truncated"), what.c_str());
            }
        }
    }
    void theDamagedNodeIsNamedByItsByte()
    {
        std::string text = executionTrace();
        const std::size_t third = text.find("{\"id\": 4");
        text[text.find("ctrl_deps", third) - 1] = ' '; // its quote
        const auto fragment = read(SourceKind::ExecutionTrace, text);
        QVERIFY(fragment);
        const Diagnostic* const finding = findProblem(fragment->problems, "bad_node");
        QVERIFY(finding);
        QCOMPARE(finding->firstOffset, static_cast<std::uint64_t>(third));
        QCOMPARE(fragment->executionTraces.front().calls.size(), std::size_t{1}); // behind the damage
    }
    void anExecutionTraceThatWasDamaged()
    {
        const QByteArray bytes = oracleFile("et_one_byte.json");
        if (bytes.isEmpty())
            QSKIP("no oracle: set COLLSCOPE_ORACLE");
        const auto fragment = read(SourceKind::ExecutionTrace, bytes.toStdString());
        QVERIFY(fragment);
        QCOMPARE(fragment->source.eventsInFile, std::uint64_t{6});
        QCOMPARE(fragment->source.excluded, std::uint64_t{1});
        QVERIFY(findProblem(fragment->problems, "bad_node")->firstOffset > 0);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestDamagedMeasurements)
#include "tst_damaged_measurements.moc"
