// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A training run with everything that may lie beside its traces: a memory snapshot that follows its steps,
// the log of the training, a serving benchmark. For pictures of the guide and for playing.

#include "tests/support/runs/pipeline_run.h"
#include "tests/support/texts/memory_text.h"

#include <cmath>
#include <deque>

namespace collscope {

/// Memory of a first pipeline stage: weights that stay, activations that grow over the forwards and go with
/// the backwards, an optimizer that needs a little more at the end of each step.
class TrainingMemory
{
public:
    explicit TrainingMemory(int layers)
        : m_layers(layers)
    {
        for (int layer = 0; layer < layers; ++layer) {
            m_weights.push_back(place(96));
            addBlock(m_weights.back(), 96, "load_state_dict", "checkpoint.py", 118);
        }
    }
    /// Times in us of the epoch.
    void step(std::int64_t beginUs, std::int64_t endUs, int microBatches, int ahead)
    {
        const double pass = static_cast<double>(endUs - beginUs) * 0.85 / (2.0 * microBatches);
        double now = static_cast<double>(beginUs) + pass * 0.1;
        int forwards = 0, backwards = 0;
        while (backwards < microBatches) {
            const bool isForward = forwards < microBatches && forwards - backwards < ahead;
            for (int layer = 0; layer < m_layers; ++layer) {
                now += pass / m_layers;
                if (isForward)
                    allocate(now, layer % 4 == 3 ? 72 : 40, layer % 4 == 3 ? "feed_forward" : "attention");
                else
                    free(now);
            }
            ++(isForward ? forwards : backwards);
        }
        for (int i = 0; i < 6; ++i)
            allocate(now += pass * 0.05, 128, "adamw_step");
        for (int i = 0; i < 6; ++i)
            free(now += pass * 0.05);
    }
    std::string snapshot() const
    {
        const std::int64_t total = m_end - first;
        std::int64_t active = 0;
        for (const std::int64_t bytes : m_blockBytes)
            active += bytes;
        std::vector<std::string> events{py::memoryEvent("segment_alloc", first, total, m_firstUs - 10)};
        events.insert(events.end(), m_events.begin(), m_events.end());
        std::vector<std::string> blocks = m_blocks;
        blocks.push_back(py::block(first + active, total - active, "inactive"));
        return py::snapshot({py::segment(first, total, active, active, blocks)}, events);
    }

private:
    struct Block
    {
        std::int64_t address, bytes;
    };
    static constexpr std::int64_t first = std::int64_t{1} << 34;

    static std::string stack(const char* function, const char* file, int line)
    {
        return py::list({py::frame(function, file, line), py::frame("forward", "model.py", 412),
                         py::frame("train_step", "train.py", 268)});
    }
    Block place(std::int64_t mebibytes)
    {
        const Block block{m_next, mebibytes * py::mebibyte};
        m_next += block.bytes;
        m_end = std::max(m_end, m_next);
        return block;
    }
    void addBlock(const Block& block, std::int64_t mebibytes, const char* function, const char* file,
                  int line)
    {
        m_blocks.push_back(py::block(block.address, mebibytes * py::mebibyte, "active_allocated",
                                     stack(function, file, line)));
        m_blockBytes.push_back(block.bytes);
    }
    void allocate(double nowUs, std::int64_t mebibytes, const char* function)
    {
        const Block block = place(mebibytes);
        m_live.push_back(block);
        event("alloc", block, nowUs, stack(function, "model.py", 95));
    }
    /// The one that was made last, so that the next one takes its place.
    void free(double nowUs)
    {
        const Block block = m_live.back();
        m_live.pop_back();
        event("free_requested", block, nowUs, "]");
        event("free_completed", block, nowUs, "]");
        m_next = block.address;
    }
    void event(const char* action, const Block& block, double nowUs, const std::string& frames)
    {
        const auto time = static_cast<std::int64_t>(std::lround(nowUs));
        if (m_events.empty())
            m_firstUs = time;
        m_events.push_back(py::memoryEvent(action, block.address, block.bytes, time, frames));
    }

    const int m_layers;
    std::int64_t m_next = first, m_end = first, m_firstUs = 0;
    std::vector<Block> m_weights, m_live;
    std::vector<std::string> m_blocks, m_events;
    std::vector<std::int64_t> m_blockBytes;
};

/// Four stages, two replicas, two tensor ranks; the last stage is slower.
inline PipelineShape stagedShape()
{
    PipelineShape shape;
    shape.stages = 4;
    shape.replicas = 2;
    shape.tensor = 2;
    shape.microBatches = 8;
    shape.slowStageUs = 40;
    shape.ranksPerNode = 8;
    return shape;
}

inline void writeMixedRun(const std::string& folder)
{
    const PipelineShape shape = stagedShape();
    const SmallRun run = pipelineRun(shape);
    run.write(folder);

    const auto model = loadPath(folder);
    TrainingMemory memory(16);
    for (const Step& step : model.value()->timelines.front().steps) {
        const auto axisUs = [&](std::int64_t ns) { return (model.value()->axisZeroNs + ns) / 1000; };
        memory.step(axisUs(step.range.beginNs), axisUs(step.range.endNs), shape.microBatches, shape.stages);
    }
    std::filesystem::create_directories(folder + "/memory_snapshot");
    writeFile(folder + "/memory_snapshot/rank0_memory_snapshot.pickle", memory.snapshot());

    std::string log;
    for (int step = 1; step <= 200; ++step) {
        const double loss = 7.2 * std::pow(step, -0.25) + 0.06 * std::sin(step * 1.7);
        char line[160];
        std::snprintf(line, sizeof line,
                      "[rank0]: step: %d  loss: %.4f  grad_norm: %.3f  memory: 31.40GiB(39.7%%)  tps: %d  "
                      "mfu: %.2f%%\n",
                      step, loss, 0.4 + 2.0 / step + 0.05 * std::sin(step),
                      6900 + (step * 37) % 160 - (step % 50 == 0 ? 2400 : 0),
                      36.5 + (step * 37 % 160) / 100.0);
        log += line;
    }
    writeFile(folder + "/train.log", log);

    // First tokens of requests that queue a little, and one in fifty that waits for a long prefill.
    std::string times;
    for (int request = 0; request < 400; ++request) {
        const double queued = 0.045 + 0.00009 * ((request * 7919) % 400) + (request % 50 == 0 ? 0.21 : 0);
        times += (request == 0 ? "" : ",") + std::to_string(queued);
    }
    writeFile(
        folder + "/benchmark.json",
        R"({"backend": "vllm", "completed": 400, "duration": 41.2, "request_throughput": 9.71, "output_throughput": 2486.0, )"
        R"("mean_ttft_ms": 67.1, "median_ttft_ms": 63.0, "p99_ttft_ms": 272.4, "mean_tpot_ms": 12.9, "median_tpot_ms": 12.6, )"
        R"("p99_tpot_ms": 19.3, "mean_itl_ms": 12.8, "median_itl_ms": 12.1, "p99_itl_ms": 31.5, "ttfts": [)"
            + times + "]}");
}

} // namespace collscope
