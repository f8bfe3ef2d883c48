// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Lines of PyTorch's watchdog and of torchrun in all wordings, with whatever a launcher puts in front of
// them. The lines have the form of the public log that is named at each of them, with other numbers.

#include "model/readers/hang/watchdog_lines.h"
#include "tests/support/suite/suite.h"

#include <iterator>
#include <set>
#include <sstream>
#include <string>

namespace collscope {

namespace {

/// Everything that a line says, one word for each field.
std::string described(const std::optional<WatchdogLine>& line)
{
    if (!line)
        return "nothing";
    constexpr const char* kinds[] = {"timeout", "status", "signal", "stuck", "exit"};
    std::string text = kinds[static_cast<std::size_t>(line->kind)];
    const auto add = [&](const char* name, const auto& value) {
        if (value)
            text += std::string(" ") + name + std::to_string(*value);
    };
    const auto addText = [&](const char* name, const std::string& value) {
        if (!value.empty())
            text += std::string(" ") + name + value;
    };
    add("rank=", line->rank);
    add("member=", line->groupRank);
    add("pg=", line->pgId);
    addText("name=", line->groupName);
    addText("desc=", line->groupDescription);
    add("call=", line->number);
    addText("", line->operation);
    add("in=", line->inputElements);
    add("out=", line->outputElements);
    add("limit=", line->timeoutMs);
    add("ran=", line->ranMs);
    add("enqueued=", line->enqueued);
    add("completed=", line->completed);
    add("code=", line->exitCode);
    add("local=", line->localRank);
    return text;
}

std::string said(const std::string& line)
{
    return described(watchdogLineOf(line));
}

std::set<std::string> wordsOf(const std::string& text)
{
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
}

struct Excerpt
{
    const char* name;
    std::string line;
    const char* says;
};

/// What follows the numbers of a signal in the same line.
const std::string advice
    = "This is most likely caused by incorrect usages of collectives, e.g., wrong sizes. ";

std::string work(const std::string& arguments, const std::string& ran)
{
    return "Watchdog caught collective operation timeout: WorkNCCL(" + arguments + ") ran for " + ran
        + " milliseconds before timing out.";
}

/// Versions up to 2.4.
std::vector<Excerpt> oldExcerpts()
{
    return {
        // OFA-Sys/OFA#271, torch 1.12
        {"without elements",
         "[E ProcessGroupNCCL.cpp:737] [Rank 3] "
             + work("SeqNum=46951, OpType=ALLREDUCE, Timeout(ms)=1800000", "1802207"),
         "timeout member=3 call=46951 ALLREDUCE limit=1800000 ran=1802207"},
        // pytorch/pytorch#118369, torch 2.0
        {"behind a progress bar",
         "Epoch 2:   6%|\xe2\x96\x88\xe2\x96\x88   | 31040/400150 [5:28:43<84:39:17,  1.37it/s, loss=2.4][E "
         "ProcessGroupNCCL.cpp:458] [Rank 7] "
             + work("SeqNum=63088, OpType=ALLREDUCE, Timeout(ms)=1800000", "25624251"),
         "timeout member=7 call=63088 ALLREDUCE limit=1800000 ran=25624251"},
        // pytorch/pytorch#97066, torch 2.0
        {"the thread ends",
         "[E ProcessGroupNCCL.cpp:818] [Rank 2] NCCL watchdog thread terminated with exception: [Rank 2] "
             + work("SeqNum=4, OpType=BROADCAST, Timeout(ms)=10000", "10598"),
         "timeout member=2 call=4 BROADCAST limit=10000 ran=10598"},
        // vllm-project/vllm#6042, torch 2.3
        {"Ray, coloured",
         "\x1b[36m(RayWorkerWrapper pid=4019)\x1b[0m [rank1]:[E ProcessGroupNCCL.cpp:563] [Rank 1] "
             + work("SeqNum=157046, OpType=GATHER, NumelIn=2767200, NumelOut=0, Timeout(ms)=600000",
                    "600024"),
         "timeout rank=1 member=1 call=157046 GATHER in=2767200 out=0 limit=600000 ran=600024"},
        // vllm-project/vllm#6042, torch 2.3: the number of the group in the process
        {"Ray, counters",
         "(RayWorkerWrapper pid=4019) [rank1]:[E ProcessGroupNCCL.cpp:1537] [PG 2 Rank 1] Timeout at NCCL "
         "work: 157046, last enqueued NCCL work: 157048, last completed NCCL work: 157045.",
         "status rank=1 member=1 pg=2 call=157046 enqueued=157048 completed=157045"},
        // vllm-project/vllm#5458, torch 2.3
        {"the thread of a group ends",
         "[rank3]:[E ProcessGroupNCCL.cpp:1414] [PG 0 Rank 3] Process group watchdog thread terminated with "
         "exception: [Rank 3] "
             + work("SeqNum=2, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000", "600031"),
         "timeout rank=3 member=3 pg=0 call=2 ALLREDUCE in=1 out=1 limit=600000 ran=600031"},
        // pytorch/pytorch#122850, with the prefix of torch 2.3
        {"an old signal",
         "[rank0]:[E ProcessGroupNCCL.cpp:1346] [PG 0 Rank 0] Received a timeout signal from this local "
         "rank and will start to dump the debug info. Last enqueued NCCL work: 3, last completed NCCL "
         "work: 1.",
         "signal rank=0 member=0 pg=0 enqueued=3 completed=1"},
        // hiyouga/LlamaFactory#7396, torch 2.4
        {"numbered lines",
         "[80746] [rank4]:[E322 03:07:08.418271257 ProcessGroupNCCL.cpp:607] [Rank 4] "
             + work(
                 "SeqNum=1480, OpType=ALLREDUCE, NumelIn=465119168, NumelOut=465119168, Timeout(ms)=600000",
                 "600060"),
         "timeout rank=4 member=4 call=1480 ALLREDUCE in=465119168 out=465119168 limit=600000 ran=600060"},
        // hiyouga/LlamaFactory#7396, torch 2.4: the name of the group
        {"an exception in a group without description",
         "[80748] [rank6]:[E322 03:07:08.475150152 ProcessGroupNCCL.cpp:1664] [PG 1 Rank 6] Exception "
         "(either an error or timeout) detected by watchdog at work: 1480, last enqueued NCCL work: 1482, "
         "last completed NCCL work: 1479.",
         "status rank=6 member=6 name=1 call=1480 enqueued=1482 completed=1479"},
        // hiyouga/LlamaFactory#6269, torch 2.4
        {"counters of 2.4",
         "[rank2]:[E1207 19:44:16.984961143 ProcessGroupNCCL.cpp:1709] [PG 1 Rank 2] Timeout at NCCL work: "
         "7653, last enqueued NCCL work: 7655, last completed NCCL work: 7652.",
         "status rank=2 member=2 name=1 call=7653 enqueued=7655 completed=7652"},
        // NVIDIA/nccl#1409, torch 2.4
        {"a group with description",
         "    [rank7]:[E817 02:45:40.194373931 ProcessGroupNCCL.cpp:1664] [PG 0 (default_pg) Rank 7] "
         "Exception (either an error or timeout) detected by watchdog at work: 80178, last enqueued NCCL "
         "work: 80179, last completed NCCL work: 80177.",
         "status rank=7 member=7 name=0 desc=default_pg call=80178 enqueued=80179 completed=80177"},
        // mila-iqia/milabench#269, torch 2.4
        {"a launcher with a name of its own",
         "dinov2-giant-nodes.cn-d004.nolog [stderr] [rank3]:[E910 10:55:46.986672294 "
         "ProcessGroupNCCL.cpp:1709] [PG 0 (default_pg) Rank 3] Timeout at NCCL work: 2170, last enqueued "
         "NCCL work: 2182, last completed NCCL work: 2169.",
         "status rank=3 member=3 name=0 desc=default_pg call=2170 enqueued=2182 completed=2169"},
        // pytorch/pytorch#134006, torch 2.4: rank 1 of the job is rank 0 of this group
        {"another rank in the group",
         "[rank1]:[E821 12:47:24.159946254 ProcessGroupNCCL.cpp:607] [Rank 0] "
             + work("SeqNum=2, OpType=_ALLGATHER_BASE, NumelIn=3, NumelOut=6, Timeout(ms)=600000", "600003"),
         "timeout rank=1 member=0 call=2 _ALLGATHER_BASE in=3 out=6 limit=600000 ran=600003"},
    };
}

/// Versions from 2.5 on.
std::vector<Excerpt> newExcerpts()
{
    return {
        // XPixelGroup/BasicSR#737, torch 2.5
        {"an exception in the default group",
         "[rank1]:[E627 07:24:44.916457629 ProcessGroupNCCL.cpp:1785] [PG ID 0 PG GUID 0(default_pg) Rank "
         "1] Exception (either an error or timeout) detected by watchdog at work: 908, last enqueued NCCL "
         "work: 911, last completed NCCL work: 907.",
         "status rank=1 member=1 pg=0 name=0 desc=default_pg call=908 enqueued=911 completed=907"},
        // NVIDIA/nccl#1504, torch 2.5
        {"nothing completed",
         "[rank1]:[E1104 08:34:57.461801783 ProcessGroupNCCL.cpp:1834] [PG ID 0 PG GUID 0(default_pg) Rank "
         "1] Timeout at NCCL work: 1, last enqueued NCCL work: 2, last completed NCCL work: -1.",
         "status rank=1 member=1 pg=0 name=0 desc=default_pg call=1 enqueued=2 completed=-1"},
        // NVIDIA/nccl#1504, torch 2.5: the numbers of elements are not known
        {"a coalesced call",
         "[rank1]:[E1104 08:34:57.472234381 ProcessGroupNCCL.cpp:1595] [PG ID 0 PG GUID 0(default_pg) Rank "
         "1] Process group watchdog thread terminated with exception: [Rank 1] "
             + work(
                 "SeqNum=1, OpType=COALESCED, NumelIn=18446744073709551615, NumelOut=18446744073709551615, "
                 "Timeout(ms)=1800000",
                 "1800024"),
         "timeout rank=1 member=1 pg=0 name=0 desc=default_pg call=1 COALESCED limit=1800000 ran=1800024"},
        // NVIDIA/nccl#1610, torch 2.5
        {"a time in front",
         " 2025-02-19 13:54 [rank12]:[E219 05:54:23.324069184 ProcessGroupNCCL.cpp:1844] [PG ID 13 PG GUID "
         "143 Rank 0] Timeout at NCCL work: 97, last enqueued NCCL work: 98, last completed NCCL work: 96.",
         "status rank=12 member=0 pg=13 name=143 call=97 enqueued=98 completed=96"},
        // OpenRLHF/OpenRLHF#1126, torch 2.7
        {"the form of 2.6",
         "[rank7]:[E902 06:20:03.134073319 ProcessGroupNCCL.cpp:2271] [PG ID 0 PG GUID 0(default_pg) Rank "
         "7]  failure detected by watchdog at work sequence id: 470631 PG status: last enqueued work: "
         "470632, last completed work: 470630",
         "status rank=7 member=7 pg=0 name=0 desc=default_pg call=470631 enqueued=470632 completed=470630"},
        // OpenRLHF/OpenRLHF#1126, torch 2.7
        {"a signal of another rank",
         "[rank2]:[E902 06:20:03.128859045 ProcessGroupNCCL.cpp:1746] [PG ID 0 PG GUID 0(default_pg) Rank "
         "2] Received a dump signal due to a collective timeout from  rank 6 and we will try our best to "
         "dump the debug info. Last enqueued NCCL work: 470629, last completed NCCL work: 470628."
             + advice,
         "signal rank=2 member=2 pg=0 name=0 desc=default_pg enqueued=470629 completed=470628"},
        // meta-pytorch/torchtune#2651, torch 2.7
        {"a signal of its own",
         "[rank6]:[E501 06:09:49.563722875 ProcessGroupNCCL.cpp:1743] [PG ID 0 PG GUID 0(default_pg) Rank "
         "6] Received a dump signal due to a collective timeout from this local rank and we will try our "
         "best to dump the debug info. Last enqueued NCCL work: 9487, last completed NCCL work: 9486."
             + advice,
         "signal rank=6 member=6 pg=0 name=0 desc=default_pg enqueued=9487 completed=9486"},
        // hiyouga/LlamaFactory#8261, torch 2.6
        {"numbered lines and a progress bar",
         "[1763]   1%|\xe2\x96\x8f         | 24/1852 [01:08<1:22:56,  2.88s/it][rank5]:[E603 "
         "12:17:52.195053341 ProcessGroupNCCL.cpp:632] [Rank 5] "
             + work("SeqNum=7, OpType=_ALLGATHER_BASE, NumelIn=11, NumelOut=88, Timeout(ms)=1800000",
                    "1800062"),
         "timeout rank=5 member=5 call=7 _ALLGATHER_BASE in=11 out=88 limit=1800000 ran=1800062"},
        // snowflakedb/ArcticTraining#219, torch 2.6
        {"a stuck watchdog",
         "[rank7]:[E627 06:14:36.493067540 ProcessGroupNCCL.cpp:1743] [PG ID 0 PG GUID 0(default_pg) Rank "
         "7] ProcessGroupNCCL's watchdog got stuck for 480 seconds without making progress in monitoring "
         "enqueued collectives. This typically indicates a NCCL/CUDA API (e.g., CudaEventDestroy) hang.",
         "stuck rank=7 member=7 pg=0 name=0 desc=default_pg ran=480000"},
        // verl-project/verl#1158, torch 2.6
        {"a stuck watchdog of a group without description",
         "[rank4]:[E420 11:53:25.466652368 ProcessGroupNCCL.cpp:1484] [PG ID 2 PG GUID 9 Rank 3] "
         "ProcessGroupNCCL's watchdog got stuck for 600 seconds without making progress in monitoring "
         "enqueued collectives. ",
         "stuck rank=4 member=3 pg=2 name=9 ran=600000"},
        // modelscope/ms-swift#7992, torch 2.8
        {"a stuck watchdog, behind a time",
         "19:11:06.680 [rank4]:[E206 19:11:06.385750231 ProcessGroupNCCL.cpp:1870] [PG ID 12 PG GUID "
         "98(EXPERT_MODEL_PARALLEL_GROUP) Rank 1] ProcessGroupNCCL's watchdog got stuck for 480 seconds "
         "without making progress in monitoring enqueued collectives. ",
         "stuck rank=4 member=1 pg=12 name=98 desc=EXPERT_MODEL_PARALLEL_GROUP ran=480000"},
        // pytorch/pytorch#183656 describes the number of the call that started; put together from both forms
        {"the form of 2.13, behind srun's label",
         "9: [rank9]:[E211 16:12:38.000000001 ProcessGroupNCCL.cpp:2395] [PG ID 3 PG GUID "
         "11(mesh_dp_shard) Rank 1]  failure detected by watchdog at work sequence id: 18 PG status: last "
         "enqueued work: 39, last started work: 19 (_ALLGATHER_BASE), last completed work: 17",
         "status rank=9 member=1 pg=3 name=11 desc=mesh_dp_shard call=18 enqueued=39 completed=17"},
        // showlab/EgoVLP#21, torch 1.x
        {"torchrun, old",
         "ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: -9) local_rank: 3 (pid: "
         "407827) of binary: /opt/conda/bin/python",
         "exit code=-9 local=3"},
        // lmzpai/roboMamba#10, torch 2.6
        {"torchrun, new",
         "E0326 21:57:27.630000 2616 site-packages/torch/distributed/elastic/multiprocessing/api.py:869] "
         "failed (exitcode: 1) local_rank: 5 (pid: 2640) of binary: /opt/conda/bin/python",
         "exit code=1 local=5"},
        // pytorch/pytorch#134006, torch 2.4
        {"torchrun's table: the rank", "  rank      : 4 (local_rank: 0)", "exit rank=4 local=0"},
        {"torchrun's table: the code", "  exitcode  : -6 (pid: 793162)", "exit code=-6"},
    };
}

std::vector<Excerpt> excerpts()
{
    std::vector<Excerpt> all = oldExcerpts();
    for (Excerpt& excerpt : newExcerpts())
        all.push_back(std::move(excerpt));
    return all;
}

} // namespace

class TestHangWitnesses : public QObject
{
    Q_OBJECT

private slots:
    void readsPublicLogs_data()
    {
        QTest::addColumn<std::string>("line");
        QTest::addColumn<std::string>("says");
        for (const Excerpt& excerpt : excerpts())
            QTest::newRow(excerpt.name) << excerpt.line << std::string(excerpt.says);
    }
    void readsPublicLogs()
    {
        QFETCH(std::string, line);
        QFETCH(std::string, says);
        QCOMPARE(said(line), says);
        QCOMPARE(said("12: " + line + "\r"), says);
        QCOMPARE(said("\x1b[1m" + line + "\x1b[0m"), says);
        QVERIFY(isWatchdogLog("step 1\n" + line + "\nstep 2\n"));
    }
    /// Whatever is left of a line is true. Only the form that ends with a number cannot be told from a cut
    /// one.
    void cutLinesSayNothingFalse()
    {
        for (const Excerpt& excerpt : excerpts()) {
            const std::set<std::string> whole = wordsOf(said(excerpt.line));
            const bool endsWithNumber
                = whole.contains("completed=" + excerpt.line.substr(excerpt.line.rfind(' ') + 1));
            for (std::size_t length = 0; length < excerpt.line.size(); ++length) {
                const std::string cut = said(excerpt.line.substr(0, length));
                for (const std::string& word : cut == "nothing" ? std::set<std::string>() : wordsOf(cut))
                    QVERIFY2(whole.contains(word) || (endsWithNumber && word.starts_with("completed=")),
                             (word + " of " + excerpt.name).c_str());
            }
        }
    }
    void otherLinesSayNothing()
    {
        const std::string timeout = work("SeqNum=5, OpType=ALLREDUCE, Timeout(ms)=600000", "600013");
        for (const std::string& line : {
                 std::string(),
                 std::string("Rank 3 waits for [rank2] at step 7"),
                 "I get this: " + timeout,
                 "what():  [PG 3 Rank 5] Process group watchdog thread terminated with exception: [Rank 5] "
                     + timeout,
                 std::string(
                     "[rank0]: Exception (either an error or timeout) detected by watchdog at work: 233625"),
                 std::string(
                     "the ProcessGroupNCCL watchdog got stuck for 480 seconds without making progress"),
                 std::string(
                     "[rank1]:[E427 ProcessGroupNCCL.cpp:1743] [PG ID 0 PG GUID 0 Rank 1] watchdog got "
                     "stuck for a while"),
                 std::string(
                     "[rank3]:[E909 ProcessGroupNCCL.cpp:621] [Rank 3] Some NCCL operations have failed "
                     "or timed out."),
                 std::string(
                     "[rank1]: RuntimeError: "
                     "[../third_party/gloo/gloo/transport/tcp/unbound_buffer.cc:81] Timed out waiting "
                     "1800000ms for recv operation to complete"),
                 std::string(
                     "[rank3[]:[E508 x] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=5)"),
                 std::string(
                     "[rank1]:[E ProcessGroupNCCL.cpp:5] [Rank 1] Watchdog caught collective operation "
                     "timeout: WorkNCCL(SeqNum=99999999999999999999, OpType=SEND)"),
                 std::string(
                     "[rank1]:[E ProcessGroupNCCL.cpp:5] [Rank 1] Watchdog caught collective operation "
                     "timeout: WorkNCCL(SeqNum=-5, OpType=SEND)"),
                 std::string("Started server process (pid: 12)"),
                 std::string("exitcode  : <N/A> (pid: 12)"),
                 std::string("frank     : 4 (local_rank: 0)"),
                 std::string("rank      : 1000001 (local_rank: 0)"),
                 std::string("failed (exitcode: 99999999999) local_rank: 3 (pid: 4)"),
             }) {
            QVERIFY2(said(line) == "nothing", line.c_str());
            QVERIFY(!isWatchdogLog(line + "\n" + line));
        }
    }
    void oddLines()
    {
        const std::string source = ":[E427 07:24:44.9 ProcessGroupNCCL.cpp:1743] ";
        const std::string timeout = work("SeqNum=5, OpType=SEND, NumelIn=1, NumelOut=1, Timeout(ms)=6", "9");
        // numbers that cannot be right
        QCOMPARE(said("[rank1000001]" + source + "[Rank 99999999999999999999] " + timeout),
                 std::string("timeout call=5 SEND in=1 out=1 limit=6 ran=9"));
        QCOMPARE(said("[rank1]" + source
                      + "[PG ID -4 PG GUID x Rank 2] failure detected by watchdog at work sequence id: -1 "
                        "PG status: last enqueued work: -2, last completed work: 8"),
                 std::string("status rank=1 member=2 name=x completed=8"));
        // two processes in one line: a message is not mixed from both
        const std::string cut = "[rank1]" + source
            + "[PG ID 3 PG GUID 7(a) Rank 1] Watchdog caught collective operation timeout: "
              "WorkNCCL(SeqNum=7, OpT";
        QCOMPARE(said(cut + "[rank2]" + source + "[Rank 2] " + timeout),
                 std::string("timeout rank=1 member=1 pg=3 name=7 desc=a call=7"));
        QCOMPARE(said("[rank1]" + source + "[PG ID 3 PG GUID 7(a) Rank 1] x[rank2]" + source + "[Rank 2] "
                      + timeout),
                 std::string("timeout rank=2 member=2 call=5 SEND in=1 out=1 limit=6 ran=9"));
        // launchers have ranks of their own, and groups have odd names
        QCOMPARE(said("[default3]:[rank11]" + source
                      + "[PG ID 2 PG GUID b c(d (e) Rank 4) Rank 5] watchdog got stuck for 7 seconds"),
                 std::string("stuck rank=11 member=5 pg=2 name=b c desc=d (e) Rank 4 ran=7000"));
        QCOMPARE(
            said("[rank1]" + source
                 + "[PG (ID 2 PG GUID 3(mesh_tp)) Rank 0] Timeout at NCCL work: 4, last enqueued "
                   "NCCL work: 5, last completed NCCL work: 3."),
            std::string("status rank=1 member=0 pg=2 name=3 desc=mesh_tp call=4 enqueued=5 completed=3"));
        QCOMPARE(said("[rank1]" + source
                      + "[PG ID 0 PG GUID 0(default_pg) Rank 1] Observed flight recorder dump signal from "
                        "another rank via TCPStore."),
                 std::string("signal rank=1 member=1 pg=0 name=0 desc=default_pg"));
        // endless names, many marks, bytes that are not text
        const std::string name(100'000, 'n');
        const auto named = watchdogLineOf("[rank1]" + source + "[PG ID 2 PG GUID 3(" + name
                                          + "\xff) Rank 1] Timeout at NCCL work: 4, last enqueued NCCL "
                                            "work: 5,");
        QVERIFY(named && named->groupDescription == name.substr(0, 4096) && named->enqueued == 5);
        std::string many;
        for (int i = 0; i < 20'000; ++i)
            many += "[PG [rank ProcessGroup [Rank  Rank (pid: ";
        QCOMPARE(said(many + "[rank4]" + source + "[Rank 9] " + timeout + many),
                 std::string("timeout rank=4 member=9 call=5 SEND in=1 out=1 limit=6 ran=9"));
    }
    void joinsTheTableOfFailures()
    {
        std::vector<WatchdogLine> lines;
        const auto add = [&](std::uint64_t number, const char* text) {
            lines.push_back(watchdogLineOf(text).value());
            lines.back().line = number;
        };
        add(4, "  rank      : 4 (local_rank: 0)");
        add(5, "  exitcode  : -9 (pid: 793162)");
        add(9, "  rank      : 6 (local_rank: 2)");
        add(11, "  exitcode  : -6 (pid: 793164)"); // not the next line
        add(12, "failed (exitcode: 1) local_rank: 5 (pid: 2640) of binary: x");
        joinExitLines(lines);
        std::string joined;
        for (const WatchdogLine& line : lines)
            joined += (joined.empty() ? "" : ", ") + described(line);
        QCOMPARE(joined,
                 std::string("exit rank=4 code=-9 local=0, exit rank=6 local=2, exit code=-6, "
                             "exit code=1 local=5"));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestHangWitnesses)
#include "tst_hang_witnesses.moc"
