// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Snapshots of NCCL's RAS, and stacks of py-spy: genuine, damaged and hostile ones.

#include "model/readers/hang/python_stacks.h"
#include "model/readers/hang/ras_json.h"
#include "tests/support/suite/suite.h"

#include <string>

namespace collscope {

namespace {

std::string rasMember(const std::string& rank, const std::string& counts)
{
    return "{\"rank\": " + rank
        + ", \"host\": \"10.0.0.1\", \"status\": {\"init_state\": 0, \"async_error\": 6}, "
          "\"collective_counts\": {"
        + counts + "}}";
}

/// NCCL 2.28.9 writes no comma in front of "status".
std::string rasMissing(const std::string& rank, const std::string& isDead, const std::string& comma = ",")
{
    return "{\"rank\": " + rank + ", \"nvml_dev\": 1" + comma
        + "\n \"status\": {\"unresponsive\": true, \"considered_dead\": " + isDead + "}}";
}

std::string rasCommunicator(const std::string& size, const std::string& ranks, const std::string& missing)
{
    return "{\"hash\": \"0xa134\", \"size\": " + size + ", \"ranks\": [" + ranks + "], \"missing_ranks\": ["
        + missing + "]}";
}

std::string rasText(const std::string& communicators)
{
    return "{\"nccl_version\": \"2.28.9\", \"timestamp\": \"2026-06-19 06:55:57\", \"communicators\": [\n"
        + communicators + "], \"ras\": {\"timeouts_count\": 0}}\n";
}

/// The snapshot in one line; in place of one, or behind it, the reason.
std::string snapshotIn(const std::string& json)
{
    std::string reason = "old";
    const auto snapshot = rasSnapshotOf(json, reason);
    std::string text = snapshot ? snapshot->time : "nothing";
    for (const RasCommunicator& communicator :
         snapshot ? snapshot->communicators : decltype(snapshot->communicators)()) {
        text += " | " + communicator.hash + " of " + std::to_string(communicator.size);
        for (const auto& [rank, counts, error] : communicator.members) {
            text += "; " + std::to_string(rank)
                + (error != 0 ? " error " + std::to_string(error) : std::string());
            for (const auto& [operation, calls] : counts)
                text += " " + operation + "=" + std::to_string(calls);
        }
        for (const auto& [rank, isDead, isUnresponsive] : communicator.missing)
            text += "; " + std::to_string(rank)
                + (isDead               ? " dead"
                       : isUnresponsive ? " silent"
                                        : " missing");
    }
    return text + (reason.empty() ? "" : " | " + reason.substr(0, reason.find_first_of(":;")));
}

/// The threads in one line.
std::string stacksIn(const std::string& text)
{
    const auto stacks = pythonStacksOf(text);
    std::string line = stacks ? "" : "nothing";
    for (const auto& [name, state, frames] : stacks ? stacks->threads : decltype(stacks->threads)()) {
        line += "[" + name + "/" + state + "]";
        for (const auto& [function, file, number] : frames)
            line += " " + function + "@" + file + ":" + std::to_string(number);
    }
    return line;
}

const std::string dumpHead = "Process 1234: python train.py\nPython v3.12.3 (/usr/bin/python3.12)\n\n";

} // namespace

class TestHangSnapshots : public QObject
{
    Q_OBJECT

private slots:
    void readsRas()
    {
        const std::string two = rasMember("1", "\"AllReduce\": 18875, \"Broadcast\": 0") + ", "
            + rasMember("0", "\"AllReduce\": 18874");
        const std::string says = "2026-06-19 06:55:57 | 0xa134 of 4; 0 error 6 AllReduce=18874; 1 error 6 "
                                 "AllReduce=18875 Broadcast=0; 2 dead; 3 silent";
        for (const char* comma : {",", ""}) {
            const std::string missing
                = rasMissing("3", "false", comma) + ", " + rasMissing("2", "true", comma);
            QCOMPARE(snapshotIn(rasText(rasCommunicator("4", two, missing))), says);
        }
        QCOMPARE(snapshotIn("\xEF\xBB\xBF " + rasText(rasCommunicator("4", two, ""))),
                 says.substr(0, says.find("; 2 dead")));
    }
    void damagedRas()
    {
        const std::string good = rasCommunicator("1", rasMember("0", "\"AllReduce\": 3"), "");
        const std::string read = std::string("2026-06-19 06:55:57 | 0xa134 of 1; 0 error 6 AllReduce=3");
        const std::string cut = " | The snapshot of NCCL's RAS is damaged or cut off";
        // values that cannot be right
        const std::string odd = rasMember("0",
                                          "\"AllReduce\": 3, \"Send\": -1, \"Recv\": 2.5, \"Reduce\": "
                                          "\"4\", \"Gather\": 18446744073709551615, \"Scatter\": [5]");
        QCOMPARE(
            snapshotIn(rasText(rasCommunicator("1",
                                               odd + ", 7, [], {}, " + rasMember("-1", "") + ", "
                                                   + rasMember("1", "") + ", " + rasMember("0", "\"a\": 1"),
                                               rasMissing("0", "true") + ", " + rasMissing("5", "true") + ", "
                                                   + rasMissing("1000001", "true")))),
            read);
        for (const char* size : {"0", "-1", "1000001", "1e99", "\"4\"", "null"})
            QCOMPARE(snapshotIn(rasText(good + ", " + rasCommunicator(size, rasMember("0", ""), ""))), read);
        // what is complete before the damage is kept
        const std::string text = rasText(good + ", " + good);
        QCOMPARE(snapshotIn(text.substr(0, text.rfind("0xa134"))), read + cut);
        QCOMPARE(snapshotIn(rasText(good + ", {\"size\": 1e999}")), read + cut);
        for (std::size_t length = 0; length < text.size(); ++length)
            snapshotIn(text.substr(0, length));
        // too much
        const std::string deep = rasText(good + ", {\"ranks\": " + std::string(1000, '['));
        QCOMPARE(snapshotIn(deep),
                 std::string("nothing | The snapshot of NCCL's RAS is nested too deeply to be genuine."));
        for (const char* other :
             {"", "{", "[]", "7", "{\"communicators\": []}", "{\"communicators\": [{\"size\": 2}]}",
              "{\"traceEvents\": [{\"ranks\": [{\"collective_counts\": {}}]}]}"})
            QCOMPARE(snapshotIn(other), std::string("nothing | This is not a snapshot of NCCL's RAS"));
    }
    void readsStacks()
    {
        QCOMPARE(stacksIn("$ py-spy dump --pid 1234\n" + dumpHead
                          + "Thread 0x7F12AB (active+gil): \"MainThread\"\r\n"
                            "    0x7f12ab34 (libnccl.so.2)\n"
                            "    c10d::ProcessGroupNCCL::wait(long) (libtorch_cuda.so)\n"
                            "    <module> (<string>:1)\n"
                            "        Arguments:\n"
                            "            self: f (x.py:3)\n"
                            "    main (C:\\a b\\train.py:305)\n"
                            "Thread 1235 (idle)\n"
                            "    wait (threading.py:331)\n"
                            "\x1b[1mThread 1236\x1b[0m (idle): \"a \"b\"\"\n"
                            "Process 1300: python train.py\n"
                            "Thread 1300 (idle): \"MainThread\"\n"),
                 std::string("[MainThread/active+gil] 0x7f12ab34@libnccl.so.2:0 "
                             "c10d::ProcessGroupNCCL::wait(long)@libtorch_cuda.so:0 <module>@<string>:1 "
                             "main@C:\\a b\\train.py:305[/idle] wait@threading.py:331[a \"b\"/idle]"));
    }
    void damagedStacks()
    {
        const std::string thread = "Thread 1 (active): \"Main\"\n";
        QCOMPARE(stacksIn(dumpHead + thread
                          + "    f (a.py:99999999999)\n    g (b.py:-2)\n    (c.py:1)\n    h (d.p"),
                 std::string("[Main/active] f@a.py:0 g@b.py:-2:0"));
        for (const std::string& other :
             {std::string(), dumpHead, thread, "Process x: y\n" + thread, "Parent " + dumpHead + thread,
              dumpHead + "Thread 10 (Thread 0x7f322e3fa000 (LWP 496156)):\n",
              dumpHead + "Thread 0x00007fde (most recent call first):\n    f (a.py:1)\n"})
            QCOMPARE(stacksIn(other), std::string("nothing"));
        std::string many = dumpHead;
        for (int i = 0; i < 10'100; ++i)
            many += thread;
        QCOMPARE(pythonStacksOf(many)->threads.size(), std::size_t{10'000});
        std::string deep = dumpHead + thread;
        for (int i = 0; i < 1'100; ++i)
            deep += "    f (a.py:" + std::to_string(i) + ")\n";
        deep += "    " + std::string(10'000, 'f') + " (a.py:1)\n";
        QCOMPARE(pythonStacksOf(deep)->threads.front().frames.size(), std::size_t{1'000});
        QCOMPARE(pythonStacksOf(deep)->threads.front().frames.back().line, 999);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestHangSnapshots)
#include "tst_hang_snapshots.moc"
