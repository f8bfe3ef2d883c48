// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A run of a few collective calls, written down rank by rank where a test checks it.

#include "metrics/analysis/analysis.h"
#include "tests/support/texts/fragment_text.h"

#include <QTemporaryDir>

#include <fstream>
#include <stdexcept>

namespace collscope {

/// What the profiler writes about one communication kernel. Left out: what is empty or negative.
struct CallText
{
    std::string name; ///< "allreduce"
    std::int64_t inElements = -1, outElements = -1;
    int groupSize = -1;
    std::string group, ranks; ///< "0", "[0, 1]"
    int sequence = -1;
    std::string type = "Float"; ///< 4 bytes
    int source = -1, destination = -1;
    std::string description = {}; ///< of the group

    std::string args(int stream) const
    {
        std::string text = "\"stream\":" + std::to_string(stream);
        const auto addText = [&](const char* key, const std::string& value) {
            if (!value.empty())
                text += std::string(",\"") + key + "\":\"" + value + "\"";
        };
        const auto addNumber = [&](const char* key, std::int64_t value) {
            if (value >= 0)
                text += std::string(",\"") + key + "\":" + std::to_string(value);
        };
        addText("Collective name", name);
        addText("dtype", name.empty() ? "" : type);
        addText("Process Group Name", group);
        addText("Process Group Ranks", ranks);
        addText("Process Group Description", description);
        addNumber("In msg nelems", inElements);
        addNumber("Out msg nelems", outElements);
        addNumber("Group size", groupSize);
        addNumber("Seq", sequence);
        addNumber("Src Rank", source);
        addNumber("Dst Rank", destination);
        return text;
    }
};

/// Kineto files of several ranks in a folder of their own. Times in us.
class CollectiveRun
{
public:
    void step(int rank, int number, int start, int duration)
    {
        const int process = 1000 + rank; // ranks that agree in all were one file that was copied
        add(rank, "user_annotation", "ProfilerStep#" + std::to_string(number), process, 1, start, duration,
            "");
    }
    void call(int rank, const std::string& kernel, int start, int duration, const CallText& text = {},
              int stream = 20)
    {
        add(rank, "kernel", "ncclDevKernel_" + kernel, 0, stream, start, duration, text.args(stream));
    }
    void compute(int rank, int start, int duration, const std::string& name = "gemm", int stream = 7)
    {
        add(rank, "kernel", name, 0, stream, start, duration, "\"stream\":" + std::to_string(stream));
    }
    void file(const std::string& name, const std::string& content) const
    {
        std::ofstream(m_folder.filePath(QString::fromStdString(name)).toStdString()) << content;
    }
    /// The files say when their clocks began, so that their times can be compared.
    void wallClock() { m_base = "\"baseTimeNanoseconds\":1700000000000000000,"; }
    std::string folder() const { return m_folder.path().toStdString(); }

    TraceModelPtr load() const
    {
        for (const auto& [rank, events] : m_events)
            file("rank" + std::to_string(rank) + "_trace.json",
                 "{\"distributedInfo\":{\"rank\":" + std::to_string(rank)
                     + ",\"world_size\":" + std::to_string(m_events.size()) + "}," + m_base
                     + "\"traceEvents\":[" + events.substr(1) + "]}");
        auto model = loadPath(folder());
        if (!model)
            throw std::runtime_error(model.error().message);
        return *model;
    }

private:
    void add(int rank, const char* category, const std::string& name, int pid, int tid, int start,
             int duration, const std::string& args)
    {
        m_events[rank] += std::string(",{\"ph\":\"X\",\"cat\":\"") + category + "\",\"name\":\"" + name
            + "\",\"pid\":" + std::to_string(pid) + ",\"tid\":" + std::to_string(tid) + ",\"ts\":"
            + std::to_string(start) + ",\"dur\":" + std::to_string(duration) + ",\"args\":{" + args + "}}";
    }

    QTemporaryDir m_folder;
    std::map<int, std::string> m_events;
    std::string m_base;
};

inline MetricResult metricOf(const TraceModel& model, std::string_view id, const MetricOptions& options = {})
{
    return evaluate(model, findMetric(id).value(), options);
}

/// A detail of a result by its path; nullptr if it has none.
inline const Value* detailOf(const Value::Object& object, std::initializer_list<std::string_view> path)
{
    const Value::Object* at = &object;
    const Value* found = nullptr;
    for (const std::string_view key : path) {
        found = nullptr;
        if (!at)
            return nullptr;
        for (const auto& [name, value] : *at) {
            if (name == key)
                found = &value;
        }
        if (!found)
            return nullptr;
        at = found->as<Value::Object>();
    }
    return found;
}

/// The same as a number; NaN, which equals nothing, if there is none.
inline double numberOf(const MetricResult& result, std::initializer_list<std::string_view> path)
{
    const Value* const value = detailOf(result.details, path);
    if (value && value->as<double>())
        return *value->as<double>();
    if (value && value->as<std::int64_t>())
        return static_cast<double>(*value->as<std::int64_t>());
    return std::numeric_limits<double>::quiet_NaN();
}

inline bool mentions(const std::vector<std::string>& sentences, std::string_view words)
{
    for (const std::string& sentence : sentences) {
        if (sentence.find(words) != std::string::npos)
            return true;
    }
    return false;
}

} // namespace collscope
