// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Eight ranks, of which rank 5 stopped in its data loader: rank 4 waits for it in their tensor-parallel
// group, the others in the data-parallel ones. With stacks, a log and what py-spy printed.

#include "tests/support/runs/hung_job.h"

#include <filesystem>

namespace collscope {

inline HungJob hungExample()
{
    HungJob job;
    std::vector<std::size_t> pairs;
    for (int rank = 0; rank < 8; rank += 2)
        pairs.push_back(job.group("TENSOR_MODEL_PARALLEL_GROUP", {rank, rank + 1}));
    const std::size_t even = job.group("DATA_PARALLEL_GROUP", {0, 2, 4, 6});
    const std::size_t odd = job.group("DATA_PARALLEL_GROUP", {1, 3, 5, 7});
    for (std::int64_t number = 1; number <= 6; ++number) {
        for (const std::size_t pair : pairs)
            job.finishAll(pair, number);
    }
    job.finishAll(even, 1);
    job.finishAll(odd, 1);
    for (const std::size_t pair : {pairs[0], pairs[1], pairs[3]})
        job.finishAll(pair, 7);
    job.call(4, pairs[2], 7);
    job.callAll(even, 2, {4});
    job.callAll(odd, 2, {5});
    for (auto& [number, rank] : job.ranks()) {
        for (HungCall& call : rank.calls)
            call.line = call.group >= even ? 211 : 84;
    }
    job.others["stderr.log"] = "[rank4]:[E1123 18:54:17.744 ProcessGroupNCCL.cpp:683] [Rank 0] Watchdog "
                               "caught collective operation "
                               "timeout: WorkNCCL(SeqNum=7, OpType=ALLREDUCE, NumelIn=512, NumelOut=512, "
                               "Timeout(ms)=600000) ran for "
                               "600067 milliseconds before timing out.\n";
    job.others["pyspy_rank_5.txt"]
        = "Process 4242: python train.py\nPython v3.11.7 (/usr/bin/python3.11)\n\n"
          "Thread 4242 (idle): \"MainThread\"\n    wait (threading.py:320)\n    get (queue.py:171)\n"
          "    _next_data (loader.py:1285)\n    next_batch (data.py:77)\n    train_step (trainer.py:140)\n"
          "    main (train.py:12)\n";
    return job;
}

inline void writeHungExample(const std::filesystem::path& folder)
{
    const HungJob job = hungExample();
    std::filesystem::create_directories(folder);
    for (int rank = 0; rank < 8; ++rank)
        writeFile(folder / HungJob::fileOf(rank, false), flightPickle(job.dumpOf(rank)));
    for (const auto& [name, text] : job.others)
        writeFile(folder / name, text);
}

} // namespace collscope
