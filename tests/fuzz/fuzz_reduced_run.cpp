// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whatever the folder of a reduced run holds: a plan, a part, or what stands in one.

#include "model/partial/fragment_archive.h"
#include "model/readers/reduced_run.h"
#include "tests/fuzz/temporary_folder.h"

#include <string_view>

using namespace collscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    (void)parsePlan(bytes);
    if (auto fragment = unpackFragment(bytes)) {
        // What is accepted can be put into a model and packed again.
        std::vector<TraceFragment> fragments;
        fragments.push_back(std::move(*fragment));
        (void)packFragment(fragments.front());
        (void)assemble(std::move(fragments), {}, {});
    }
    static const TemporaryFolder folder;
    const std::string path = folder.file("part.cspart");
    writeBytes(path, {data, size});
    if (const auto index = readPartIndex(path)) {
        for (const auto& section : index->sections)
            (void)readPartSection(section.second);
    }
    return 0;
}
