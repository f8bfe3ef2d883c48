// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Dumps of PyTorch's Flight Recorder as files: all versions as pickle and as JSON, names, and files that are
// cut off, damaged or hostile.

#include "model/readers/hang/flight_builder.h"
#include "model/source_traits.h"
#include "tests/support/runs/hung_job.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/sample_trace.h"

namespace collscope {

namespace {

std::string numberText(std::int64_t ns)
{
    return ns == FlightCalls::noTime ? "-" : std::to_string((ns - flightEpochNs) / 1'000'000);
}

/// A call in one line: record, group, both numbers, operation, sizes, types, state and times in ms.
std::string lineOf(const TraceModel& run, const FlightRecord& record, std::size_t row)
{
    const FlightCalls& calls = record.calls;
    const FlightSignature& own = record.signatureOf(row);
    const auto timeOf = [&](const std::vector<std::int64_t>& times) {
        return numberText(times.empty() ? FlightCalls::noTime : times[row]);
    };
    const auto text = [&](StringId id) { return id ? std::string(run.text(id)) : std::string("-"); };
    constexpr const char* states[] = {"scheduled", "started", "completed"};
    return std::to_string(calls.record[row]) + " " + text(record.groups[calls.group[row]].name) + " "
        + std::to_string(calls.collective[row]) + "/" + std::to_string(calls.pointToPoint[row]) + " "
        + text(own.operation) + (own.peer >= 0 ? " peer " + std::to_string(own.peer) : std::string())
        + (own.isPointToPoint ? " p2p" : "") + " " + text(own.inputSizes) + "="
        + std::to_string(own.inputElements) + " " + text(own.outputSizes) + " " + text(own.inputTypes)
        + " limit " + std::to_string(own.timeoutMs) + " " + states[static_cast<std::size_t>(calls.state[row])]
        + (calls.retired[row] ? " retired" : "") + " " + timeOf(calls.createdNs) + " "
        + timeOf(calls.startedNs) + " " + timeOf(calls.completedNs);
}

/// All that was read of a dump, line by line, without its stacks.
std::string textOf(const TraceModel& run, const FlightRecord& record)
{
    std::string all = std::to_string(record.major) + "." + std::to_string(record.minor) + " rank "
        + (record.rank ? std::to_string(*record.rank) : "-") + " library " + record.library + "\n";
    for (std::size_t i = 0; i < record.groups.size(); ++i) {
        const FlightGroup& own = record.groups[i];
        all += "group " + std::string(run.text(own.name)) + " " + std::string(run.text(own.description))
            + " #" + std::to_string(record.pgIds[i]) + (own.isConfigured ? " of" : " unlisted");
        for (const std::int32_t rank : own.ranks)
            all += " " + std::to_string(rank);
        all += "\n";
    }
    for (const FlightStatus& own : record.statuses)
        all += "status #" + std::to_string(own.pgId) + " " + std::to_string(own.enqueued) + " "
            + std::to_string(own.started) + " " + std::to_string(own.completed) + "\n";
    for (std::size_t row = 0; row < record.calls.size(); ++row)
        all += lineOf(run, record, row) + "\n";
    return all;
}

/// Two finished collectives, a send under way and a collective that waits, of rank 3.
FlightText smallDump(std::pair<int, int> version)
{
    FlightText dump;
    dump.version = version;
    dump.groups = {{4, "17", "DP", {0, 3}}, {2, "18", "PP", {3, 5, 7}}};
    dump.statuses = {{4, 12, 12, 11}, {2, 6, 6, 5}};
    const auto add = [&](std::size_t group, std::int64_t number, const char* operation) -> DumpedCall& {
        DumpedCall& call = dump.calls.emplace_back();
        call.record = 70 + static_cast<std::int64_t>(dump.calls.size());
        call.group = group;
        call.number = number;
        call.operation = operation;
        call.createdMs = 10 * static_cast<std::int64_t>(dump.calls.size());
        return call;
    };
    DumpedCall& first = add(0, 11, "_all_gather_base");
    first.output = {128, 8};
    first.state = "completed";
    first.isRetired = true;
    first.startedMs = 12;
    first.completedMs = 15;
    DumpedCall& send = add(1, 6, "send 0->2");
    send.isTransfer = true;
    send.type = "Float";
    send.state = "started";
    send.startedMs = 25;
    add(0, 12, "all_reduce");
    return dump;
}

struct Dumped
{
    TraceModelPtr run;
    const FlightRecord* record = nullptr;
    const SourceInfo* source = nullptr;
};

/// The only dump in a file; no record if it could not be read.
Dumped dumped(const RunFolder& folder, const std::string& name, const std::string& bytes)
{
    Dumped own{folder.writeAndLoad(name, bytes)};
    if (!own.run || !own.run->hang || own.run->hang->records.size() != 1)
        return own;
    own.record = &own.run->hang->records.front();
    own.source = &own.run->sources.front();
    return own;
}

} // namespace

class TestFlightRecorder : public QObject
{
    Q_OBJECT

private:
    RunFolder m_folder;

private slots:
    /// What is said of the dump in each version; a value that the version lacks is not known.
    void versions_data()
    {
        QTest::addColumn<int>("major");
        QTest::addColumn<int>("minor");
        QTest::addColumn<QString>("library");
        QTest::addColumn<QStringList>("lines");
        const auto row = [](int major, int minor, const char* library, const QStringList& lines) {
            QTest::addRow("%d.%d", major, minor) << major << minor << QString::fromLatin1(library) << lines;
        };
        const QString sizes = QStringLiteral("[[64, 8]]=512 [[%1, 8]]");
        const QString gather = sizes.arg(128), others = sizes.arg(64);
        const QStringList statuses{QStringLiteral("status #4 12 12 11"), QStringLiteral("status #2 6 6 5")};
        const QStringList groups{QStringLiteral("group 17 DP #4 of 0 3"),
                                 QStringLiteral("group 18 PP #2 of 3 5 7")};
        // Without a list of groups, record ids, types, timeouts and the flag of transfers.
        row(1, 1, "",
            QStringList{QStringLiteral("group   #4 unlisted"), QStringLiteral("group   #2 unlisted"),
                        QStringLiteral("0  11/-1 _all_gather_base ") + gather
                            + QStringLiteral(" - limit -1 completed retired 10 12 15"),
                        QStringLiteral("1  0/-1 send peer 2 p2p ") + others
                            + QStringLiteral(" - limit -1 started 20 25 -"),
                        QStringLiteral("2  12/-1 all_reduce ") + others
                            + QStringLiteral(" - limit -1 scheduled 30 - -")});
        row(1, 4, "",
            QStringList{QStringLiteral("group   #4 of 0 3"), QStringLiteral("group   #2 of 3 5 7"),
                        QStringLiteral("71  11/-1 _all_gather_base ") + gather
                            + QStringLiteral(" - limit -1 completed retired 10 12 15"),
                        QStringLiteral("72  0/-1 send peer 2 p2p ") + others
                            + QStringLiteral(" - limit -1 started 20 25 -"),
                        QStringLiteral("73  12/-1 all_reduce ") + others
                            + QStringLiteral(" - limit -1 scheduled 30 - -")});
        const auto named = [&](const char* type, const char* other, int limit) {
            const QString end = QStringLiteral(" limit ") + QString::number(limit);
            return QStringList{QStringLiteral("71 17 11/0 _all_gather_base ") + gather + u' '
                                   + QString::fromLatin1(type) + end
                                   + QStringLiteral(" completed retired 10 12 15"),
                               QStringLiteral("72 18 0/6 send peer 2 p2p ") + others + u' '
                                   + QString::fromLatin1(other) + end + QStringLiteral(" started 20 25 -"),
                               QStringLiteral("73 17 12/0 all_reduce ") + others + u' '
                                   + QString::fromLatin1(type) + end + QStringLiteral(" scheduled 30 - -")};
        };
        row(2, 0, "", groups + named("-", "-", -1));
        row(2, 2, "", groups + named("BFloat16", "Float", -1));
        row(2, 3, "", groups + statuses + named("BFloat16", "Float", 600'000));
        row(2, 9, "2.27.5", groups + statuses + named("BFloat16", "Float", 600'000));
        row(2, 10, "2.27.5", groups + statuses + named("BFloat16", "Float", 600'000));
    }
    void versions()
    {
        QFETCH(const int, major);
        QFETCH(const int, minor);
        QFETCH(const QString, library);
        QFETCH(const QStringList, lines);
        const FlightText dump = smallDump({major, minor});
        const QString head
            = QStringLiteral("%1.%2 rank 3 library ").arg(major).arg(minor) + library + QStringLiteral("\n");
        const QString expected = head + lines.join(u'\n') + u'\n';
        for (const bool isJson : {false, true}) {
            const Dumped own = dumped(m_folder, isJson ? "v/_dump_3.json" : "v/_dump_3",
                                      isJson ? flightJson(dump) : flightPickle(dump));
            QVERIFY(own.record);
            QCOMPARE(QString::fromStdString(textOf(*own.run, *own.record)), expected);
            QCOMPARE(own.source->eventsInFile, std::uint64_t{3});
            QCOMPARE(own.source->shown, std::uint64_t{3});
            QVERIFY(!own.record->isCutOff && own.record->hasCalls);
            QCOMPARE(own.record->hasGroups, std::pair(major, minor) >= std::pair(1, 4));
            std::filesystem::remove_all(m_folder.path("v"));
        }
    }
    void stacks()
    {
        FlightText dump = smallDump({2, 9});
        dump.calls[0].line = 40;
        dump.calls[2].line = 77;
        for (const bool isJson : {false, true}) {
            const Dumped own = dumped(m_folder, isJson ? "s/_dump_3.json" : "s/_dump_3",
                                      isJson ? flightJson(dump) : flightPickle(dump));
            QVERIFY(own.record);
            std::string text;
            for (const StackId stack : own.record->calls.stack) {
                for (const StackFrame* frame : own.record->stacks.framesOf(stack))
                    text += std::string(own.run->text(frame->function)) + ":" + std::to_string(frame->line)
                        + " ";
                text += "| ";
            }
            QCOMPARE(QString::fromStdString(text),
                     QStringLiteral(
                         "all_reduce:2810 step:40 <module>:7 | | all_reduce:2810 step:77 <module>:7 | "));
            std::filesystem::remove_all(m_folder.path("s"));
        }
    }

    void ranks_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("groups"); // lists of ranks
        QTest::addColumn<int>("rank"); // -1: not known
        const auto row = [](const char* name, const char* groups, int rank) {
            QTest::addRow("%s %s", name, groups)
                << QString::fromLatin1(name) << QString::fromLatin1(groups) << rank;
        };
        row("nccl_trace_rank_container-node07_40", "0-63 40-47", 40);
        row("nccl_trace_rank_container-node07_40", "0-15", 7); // 40 is not a member
        row("fr_node3_rank7.pickle", "0-15", 7);
        row("fr_node3_rank7.json", "0-3", 3);
        row("12", "8-15 12-13", 12);
        row("12", "0-7 3-5 5-9", 5); // the only rank that is in all
        row("dump", "0-1 1-3", 1);
        row("dump", "0-3 2-5", -1); // two are
        row("dump", "", -1);
        row("trace_99999999999999999999", "4-4", 4);
        row("rank_5", "", 5);
    }
    void ranks()
    {
        QFETCH(const QString, name);
        QFETCH(const QString, groups);
        QFETCH(const int, rank);
        std::vector<FlightGroup> lists;
        for (const QString& range : groups.split(u' ', Qt::SkipEmptyParts)) {
            FlightGroup& own = lists.emplace_back();
            own.isConfigured = true;
            for (int member = range.section(u'-', 0, 0).toInt(); member <= range.section(u'-', 1).toInt();
                 ++member)
                own.ranks.push_back(member);
        }
        QCOMPARE(rankOfDump(name.toStdString(), lists).value_or(-1), rank);
    }
    /// Two files of a rank: the one with the latest time counts, the other one is reported.
    void twoDumpsOfOneRank()
    {
        FlightText older = smallDump({2, 9}), newer = older;
        newer.calls.pop_back();
        newer.calls[0].completedMs = 31;
        m_folder.write("two/_dump_3", flightPickle(older));
        m_folder.write("two/nccl_trace_rank_3.json", flightJson(newer));
        const TraceModelPtr run = m_folder.load("two");
        QVERIFY(run && run->hang && run->hang->records.size() == 1);
        QCOMPARE(run->hang->records.front().calls.size(), std::size_t{2});
        const Diagnostic* const problem = findProblem(run->problems, "older_dump");
        QVERIFY(problem && holds(problem->file, "_dump_3"));
    }
    /// An empty dump is not a later one: a rank that is dumped twice may have had nothing under way once.
    void twoDumpsOfWhichOneIsEmpty()
    {
        FlightText empty = smallDump({2, 9});
        empty.calls.clear();
        m_folder.write("both/_dump_3", flightPickle(smallDump({2, 9})));
        m_folder.write("both/nccl_trace_rank_3", flightPickle(empty));
        const TraceModelPtr run = m_folder.load("both");
        QVERIFY(run && run->hang && run->hang->records.size() == 1);
        QCOMPARE(run->hang->records.front().calls.size(), std::size_t{3});
    }
    /// Without a rank a dump is evidence of nothing.
    void noRank()
    {
        const TraceModelPtr run = m_folder.writeAndLoad("none/fr_trace.pickle", flightPickle({}));
        QVERIFY(run && findProblem(run->problems, "rank_unknown"));
        QVERIFY(!run->hang || run->hang->records.empty());
    }

    /// Dumps often have names without an ending. A folder with them and with traces is one run.
    void filesOfAFolder()
    {
        for (const char* name : {"nccl_trace_rank_0", "comm_lib_trace_rank_11", "_dump_3", "rank7", "12",
                                 "nccl_trace_rank_container-node07_40", "fr_trace_4"})
            QVERIFY2(isNamedAsInput(name), name);
        for (const char* name : {"readme", "core.4711", "model-00001", "nccl_trace_rank_", "makefile2"})
            QVERIFY2(!isNamedAsInput(name), name);
        HungJob job;
        const auto a = job.group("A", {0, 1});
        job.finishAll(a, 4);
        job.call(0, a, 5);
        job.others["rank0.json"] = sampleTrace(0, 40);
        job.others["rank1.json"] = sampleTrace(1, 40);
        job.others["notes"] = "nothing";
        const TraceModelPtr run = job.load();
        QVERIFY(run && run->hang);
        QCOMPARE(run->ranks(), (std::vector<std::int32_t>{0, 1}));
        QCOMPARE(run->hang->records.size(), std::size_t{2});
        QCOMPARE(run->sources.size(), std::size_t{4});
        QCOMPARE(said(judgeHang(*run->hang, run->strings, {})), std::string("yes: cpu 1 in A 5"));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestFlightRecorder)
#include "tst_flight_recorder.moc"
