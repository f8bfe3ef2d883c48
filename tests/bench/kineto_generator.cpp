// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/bench/kineto_generator.h"

#include <array>
#include <charconv>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>

namespace collscope::bench {

namespace {

constexpr std::array<std::string_view, 12> operators{"aten::linear",
                                                     "aten::addmm",
                                                     "aten::matmul",
                                                     "aten::rms_norm",
                                                     "aten::_scaled_dot_product_flash_attention",
                                                     "aten::add",
                                                     "aten::mul",
                                                     "aten::silu",
                                                     "aten::copy_",
                                                     "aten::view",
                                                     "aten::reshape",
                                                     "aten::cat"};
constexpr std::array<std::string_view, 8> kernels{
    "nvjet_tst_128x256_64x4_1x2_h_bz_coopA_TNT",
    "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_segment_k_off_"
    "kernel",
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>, "
    "std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<c10::BFloat16>, std::array<char*, 3ul>)",
    "void flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4, false, false, cutlass::bfloat16_t> >",
    "void at::native::(anonymous namespace)::CatArrayBatchedCopy<at::native::(anonymous "
    "namespace)::OpaqueType<2u>, unsigned int, 2, 128, 1>",
    "void rms_norm_kernel<c10::BFloat16, float>(c10::BFloat16 const*, float*)",
    "triton_poi_fused__to_copy_mul_silu_3",
    "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float> >(at::native::ReduceOp<float>)"};
constexpr std::array<std::string_view, 3> collectives{"AllGather", "ReduceScatter", "AllReduce"};
constexpr std::array<std::string_view, 3> collectiveNames{"_allgather_base", "_reduce_scatter_base",
                                                          "allreduce"};

/// Events of one rank, written as they come.
class Writer
{
public:
    Writer(const std::filesystem::path& file, const TraceSize& size)
        : m_file(file, std::ios::binary)
        , m_random(size.seed * 1000 + static_cast<std::uint64_t>(size.rank))
    {
        m_text
            = "{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [\n    {\n      \"id\": 0, \"name\": "
              "\"NVIDIA H100 80GB HBM3\", \"numSms\": 132\n    }\n  ],\n  \"distributedInfo\": {\"backend\": "
              "\"nccl\", \"rank\": ";
        number(size.rank).raw(", \"world_size\": ").number(size.ranks);
        raw("},\n  \"displayTimeUnit\": \"ms\",\n  \"baseTimeNanoseconds\": 1711964646000000000,\n"
            "  \"traceEvents\": [");
    }

    std::uint64_t bytes() const { return m_written + m_text.size(); }
    std::uint64_t events() const { return m_events; }

    void step(int number_)
    {
        const std::int64_t begin = m_cpuNs;
        for (int layer = 0; layer < 32; ++layer)
            forward(layer);
        for (int layer = 0; layer < 32; ++layer)
            backward();
        m_cpuNs = std::max(m_cpuNs, m_computeNs) + 50'000;
        open("user_annotation", "ProfilerStep#" + std::to_string(number_), hostPid, mainThread, begin,
             m_cpuNs - begin);
        raw("      \"External id\": ").number(m_external++).raw("\n    }\n  }");
    }

    void finish()
    {
        raw("\n  ],\n  \"traceName\": \"trace.json\"\n}\n");
        flush();
        if (!m_file)
            throw std::runtime_error("the trace could not be written");
    }

private:
    static constexpr int hostPid = 200'000;
    static constexpr int mainThread = 200'000;
    static constexpr int backwardThread = 200'731;

    Writer& raw(std::string_view text)
    {
        m_text += text;
        return *this;
    }
    Writer& number(std::int64_t value)
    {
        char digits[24];
        const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
        m_text.append(digits, end);
        return *this;
    }
    /// Microseconds with three decimals, as the profiler prints nanoseconds.
    Writer& time(std::int64_t ns)
    {
        const auto decimals = static_cast<int>(ns % 1000);
        number(ns / 1000).raw(decimals < 10 ? ".00" : decimals < 100 ? ".0" : ".");
        return number(decimals);
    }
    std::int64_t between(std::int64_t low, std::int64_t high)
    {
        return low + static_cast<std::int64_t>(m_random() % static_cast<std::uint64_t>(high - low + 1));
    }
    template<typename List>
    std::string_view anyOf(const List& list)
    {
        return list[m_random() % list.size()];
    }

    void flush()
    {
        m_file.write(m_text.data(), static_cast<std::streamsize>(m_text.size()));
        m_written += m_text.size();
        m_text.clear();
    }

    void begin() { raw(m_events++ == 0 ? "\n  {\n    " : ",\n  {\n    "); }

    /// A complete event up to the inside of its args.
    void open(std::string_view category, std::string_view name, int pid, int tid, std::int64_t ns,
              std::int64_t durationNs)
    {
        begin();
        raw("\"ph\": \"X\", \"cat\": \"")
            .raw(category)
            .raw("\", \"name\": \"")
            .raw(name)
            .raw("\", \"pid\": ");
        number(pid).raw(", \"tid\": ").number(tid).raw(",\n    \"ts\": ").time(ns).raw(", \"dur\": ");
        time(durationNs).raw(",\n    \"args\": {\n");
        if (m_text.size() > (std::size_t{1} << 20))
            flush();
    }

    void flow(char phase, std::string_view kind, std::int64_t id, int pid, int tid, std::int64_t ns)
    {
        begin();
        raw("\"ph\": \"").raw({&phase, 1}).raw("\", \"id\": ").number(id).raw(", \"pid\": ").number(pid);
        raw(", \"tid\": ").number(tid).raw(", \"ts\": ").time(ns).raw(",\n    \"cat\": \"").raw(kind);
        raw("\", \"name\": \"").raw(kind).raw(phase == 'f' ? "\", \"bp\": \"e\"\n  }" : "\"\n  }");
    }

    void cpuOperator(std::string_view name, int thread, std::int64_t ns, std::int64_t durationNs)
    {
        const std::int64_t id = m_external++;
        open("cpu_op", name, hostPid, thread, ns, durationNs);
        raw("      \"External id\": ").number(id).raw(",\"Record function id\": ").number(id % 97);
        raw(", \"Sequence number\": ").number(id / 3).raw(", \"Fwd thread id\": 0, \"Concrete Inputs\": ");
        raw("[\"\", \"\", \"[8192, 4096]\"], \"Input type\": [\"c10::BFloat16\", \"c10::BFloat16\", "
            "\"ScalarList\"], "
            "\"Input Dims\": [[1, 8192, 4096], [4096, 4096], []], \"Ev Idx\": ");
        number(id).raw("\n    }\n  }");
    }

    /// The runtime call, the kernel on its stream, and the arrow between them.
    void launch(std::string_view kernel, int thread, int stream, std::int64_t& streamNs,
                std::int64_t durationNs, int collective)
    {
        const std::int64_t correlation = m_correlation++;
        const std::int64_t callNs = m_cpuNs;
        m_cpuNs += between(3'000, 6'000);
        streamNs = std::max(streamNs + between(300, 1'500), m_cpuNs + 2'000);
        open("kernel", kernel, 0, stream, streamNs, durationNs);
        raw("      \"External id\": ")
            .number(m_external)
            .raw(", \"queued\": 0, \"device\": 0, \"context\": 1, ");
        raw("\"stream\": ").number(stream).raw(", \"correlation\": ").number(correlation);
        raw(", \"registers per thread\": ").number(32 + correlation % 8 * 16);
        raw(", \"shared memory\": 66560, \"blocks per SM\": 0.969697, \"warps per SM\": 7.757576, \"grid\": "
            "[");
        number(64 + correlation % 5 * 32)
            .raw(", 1, 1], \"block\": [256, 1, 1], \"est. achieved occupancy %\": 12");
        if (collective >= 0) {
            raw(", \"Collective name\": \"").raw(collectiveNames[static_cast<std::size_t>(collective)]);
            raw("\", \"In msg nelems\": 27262976, \"Out msg nelems\": 27262976, \"Group size\": 8, "
                "\"dtype\": "
                "\"BFloat16\", \"In split size\": \"[]\", \"Out split size\": \"[]\", \"Process Group "
                "Name\": \"1\", "
                "\"Process Group Description\": \"mesh_fsdp\", \"Process Group Ranks\": \"[0, 1, 2, 3, 4, 5, "
                "6, 7]\"");
            raw(", \"Seq\": ").number(m_sequence++);
        }
        raw("\n    }\n  }");
        flow('f', "ac2g", correlation, 0, stream, streamNs);
        open("cuda_runtime", collective >= 0 ? "cudaLaunchKernelExC" : "cudaLaunchKernel", hostPid, thread,
             callNs, m_cpuNs - callNs);
        raw("      \"External id\": ")
            .number(m_external)
            .raw(", \"cbid\": 211, \"correlation\": ")
            .number(correlation);
        raw("\n    }\n  }");
        flow('s', "ac2g", correlation, hostPid, thread, callNs);
        streamNs += durationNs;
    }

    void operators_(int thread, int count)
    {
        for (int i = 0; i < count; ++i) {
            const std::int64_t start = m_cpuNs;
            m_cpuNs += between(2'000, 5'000);
            const std::int64_t inner = m_cpuNs;
            launch(anyOf(kernels), thread, 7, m_computeNs, between(8'000, 90'000), -1);
            cpuOperator(anyOf(operators), thread, inner - 500, m_cpuNs - inner + 700);
            m_cpuNs += between(1'000, 4'000);
            cpuOperator(anyOf(operators), thread, start, m_cpuNs - start);
            flow(thread == mainThread ? 's' : 'f', "fwdbwd", m_forwardId++ % 4096, hostPid, thread,
                 start + 100);
            m_cpuNs += between(500, 2'000);
        }
    }

    void communicate(int thread, int kind)
    {
        const std::int64_t start = m_cpuNs;
        m_cpuNs += 2'000;
        const std::string kernel = "ncclDevKernel_" + std::string(collectives[static_cast<std::size_t>(kind)])
            + "_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
        launch(kernel, thread, 20, m_communicationNs, between(80'000, 700'000), kind);
        m_cpuNs += 1'000;
        cpuOperator("record_param_comms", thread, start, m_cpuNs - start);
        m_cpuNs += 500;
    }

    void forward(int layer)
    {
        communicate(mainThread, 0);
        operators_(mainThread, 11);
        if (layer % 8 == 7)
            communicate(mainThread, 2);
    }
    void backward()
    {
        operators_(backwardThread, 18);
        communicate(backwardThread, 1);
    }

    std::ofstream m_file;
    std::string m_text;
    std::uint64_t m_written = 0, m_events = 0;
    std::mt19937_64 m_random;
    std::int64_t m_cpuNs = 4'458'676'500'000'000, m_computeNs = m_cpuNs, m_communicationNs = m_cpuNs;
    std::int64_t m_external = 1, m_correlation = 1000, m_sequence = 1, m_forwardId = 0;
};

} // namespace

std::uint64_t writeKinetoTrace(const std::filesystem::path& file, const TraceSize& size)
{
    Writer writer(file, size);
    int step = 0;
    do
        writer.step(step++);
    while (writer.bytes() < size.bytes);
    writer.finish();
    return writer.events();
}

} // namespace collscope::bench
