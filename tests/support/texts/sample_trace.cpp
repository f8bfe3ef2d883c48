// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/texts/sample_trace.h"

namespace collscope {

std::string sampleTrace(int rank, int events)
{
    std::string text = "{\"schemaVersion\": 1, \"deviceProperties\": [{\"id\": 0, \"name\": \"H100\"}],\n"
                       "\"distributedInfo\": {\"rank\": "
        + std::to_string(rank) + ", \"world_size\": 2},\n\"traceEvents\": [\n";
    for (int i = 0; i < events; ++i) {
        const std::string ts = std::to_string(100 * i) + "." + std::to_string(i % 1000);
        const std::string pid = std::to_string(rank);
        text += i > 0 ? ",\n  " : "  ";
        switch (i % 5) {
        case 0:
            text += R"({"ph": "X", "cat": "kernel", "name": "gemm<a, \"b\">", "pid": )" + pid
                + R"(, "tid": 7, "ts": )" + ts
                + R"(, "dur": 50.5, "args": {"stream": 7, "grid": [1, 2, 3]}})";
            break;
        case 1:
            text += R"({"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 9, "tid": 9, "ts": )" + ts
                + R"(, "dur": 3, "args": {"Input Dims": [[1, 2], []], "deep": {"l": [{"id": 1}, {"id": 2}]}}})";
            break;
        case 2:
            text += R"({"ph": "s", "id": )" + std::to_string(i)
                + R"(, "cat": "ac2g", "name": "ac2g", "pid": 9, )"
                  R"("tid": 9, "ts": )"
                + ts + "}";
            break;
        case 3:
            text
                += R"({"ph": "i", "s": "t", "name": "mark \u00e9 \\", "pid": 9, "tid": 9, "ts": )" + ts + "}";
            break;
        default:
            text += R"({"ph": "C", "name": "mem", "pid": 9, "ts": )" + ts + R"(, "args": {"bytes": 5}})";
        }
    }
    return text + "\n],\n\"traceName\": \"a.json\"\n}\n";
}

} // namespace collscope
