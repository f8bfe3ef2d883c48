// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Two ranks whose names of kernels, operators, groups and files are markup, control characters and broken
// text.

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace collscope {

inline void writeMarkupNames(const std::string& folder)
{
    const std::vector<std::string> names{R"(<script>alert(1)</script>)",
                                         R"(\"><img src=x onerror=alert(1)>)",
                                         R"(' onload='alert(1))",
                                         R"(</title></style></svg><iframe src=//x>)",
                                         R"(a\u202egnp.exe)",
                                         R"(a\u0000\u001b[2Jb)",
                                         "x\xff\xfe\xC3(",
                                         R"(`b` ]]> &lt; --> ${1} javascript:1)",
                                         R"(\uFFFE\uFFFF)"};
    std::filesystem::create_directories(folder);
    for (int rank = 0; rank < 2; ++rank) {
        std::ofstream file(folder + "/<b>rank" + std::to_string(rank) + "'\"&.json", std::ios::binary);
        file << R"({"distributedInfo":{"rank":)" << rank << R"(,"world_size":2},"traceEvents":[)";
        int at = 0;
        for (int step = 0; step < 3; ++step) {
            file << R"({"ph":"X","cat":"user_annotation","name":"ProfilerStep#)" << step
                 << R"(","pid":1,"tid":1,"ts":)" << at << R"(,"dur":9000},)";
            for (const std::string& name : names) {
                file << R"({"ph":"X","cat":"cpu_op","name":")" << name << R"(","pid":1,"tid":1,"ts":)"
                     << at + 10 << R"(,"dur":600},)";
                file << R"({"ph":"X","cat":"kernel","name":")" << name << R"(","pid":0,"tid":7,"ts":)"
                     << at + 500 << R"(,"dur":)" << 300 + 100 * rank << R"(,"args":{"stream":7}},)";
                at += 1000;
            }
            file
                << R"({"ph":"X","cat":"kernel","name":"ncclDevKernel_AllReduce<)" << names[0]
                << R"(>","pid":0,"tid":9,"ts":)" << at - 400 * rank << R"(,"dur":)" << 100 + 400 * rank
                << R"(,"args":{"stream":9,"Collective name":"allreduce","Process Group Name":")" << names[1]
                << R"(","Process Group Description":")" << names[0]
                << R"(","Process Group Ranks":"[0, 1]","Group size":2,"In msg nelems":8,"Out msg nelems":8,"dtype":")"
                << names[2] << R"("}},)";
            at += 1000;
        }
        file << R"({"ph":"M","name":"process_name","pid":0,"tid":0,"args":{"name":"<i>"}}]})";
    }
}

} // namespace collscope
