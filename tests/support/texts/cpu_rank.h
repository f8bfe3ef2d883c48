// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Files of jobs without GPUs, written event by event.

#include <string>
#include <utility>

namespace collscope {

/// One rank of a planted job, as Kineto writes it.
class CpuRank
{
public:
    CpuRank(int rank, std::string head, int worldSize = 2)
        : m_text("{\"deviceProperties\":[],\"baseTimeNanoseconds\":1790857026000000000,\"distributedInfo\":"
                 "{\"rank\":"
                 + std::to_string(rank) + ",\"world_size\":" + std::to_string(worldSize) + std::move(head)
                 + "},\"traceEvents\":[")
    { }
    void event(const std::string& category, const std::string& name, int thread, double ts, double dur,
               const std::string& args = {})
    {
        m_text += std::string(m_isFirst ? "" : ",") + "{\"ph\":\"X\",\"cat\":\"" + category + "\",\"name\":\""
            + name + "\",\"pid\":7,\"tid\":" + std::to_string(thread) + ",\"ts\":" + std::to_string(ts)
            + ",\"dur\":" + std::to_string(dur) + ",\"args\":{" + args + "}}";
        m_isFirst = false;
    }
    /// An all-reduce of so many floats: the operator on the main thread, then the span of a backend's thread.
    void allReduce(double ts, double dur, int elements, int thread = 2, const std::string& backend = "gloo")
    {
        const std::string count = std::to_string(elements);
        event(
            "cpu_op", "c10d::allreduce_", 1, ts, 5,
            "\"Input Dims\":[[[" + count
                + "]],[],[]],\"Input type\":[\"TensorList\",\"\",\"Scalar\"],\"Concrete Inputs\":[\"\",\"\","
                  "\"-1\"]");
        event("user_annotation", backend + ":all_reduce", thread, ts + 10, dur,
              "\"Input Dims\":[[" + count + "]],\"Input type\":[\"float\"]");
    }
    void step(int number, double ts, double dur)
    {
        event("user_annotation", "ProfilerStep#" + std::to_string(number), 1, ts, dur);
    }
    std::string text() const { return m_text + "]}"; }

private:
    std::string m_text;
    bool m_isFirst = true;
};

inline const std::string oneGroup
    = ",\"backend\":\"gloo\",\"pg_config\":[{\"pg_name\":\"0\",\"pg_desc\":\"default_pg\",\"pg_size\":2,"
      "\"ranks\":[0,1]}]";
inline const std::string twoGroups
    = ",\"backend\":\"gloo\",\"pg_config\":[{\"pg_name\":\"0\",\"pg_desc\":\"default_pg\",\"pg_size\":2,"
      "\"ranks\":[0,1]},{\"pg_name\":\"1\",\"pg_desc\":\"\",\"pg_size\":2,\"ranks\":[0,1]}]";

} // namespace collscope
