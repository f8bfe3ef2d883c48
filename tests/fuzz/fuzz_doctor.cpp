// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The doctor and the load tell the same of a trace, and a clean copy of it is clean.

#include "model/readers/run/examine.h"
#include "model/readers/run/file_reading.h"
#include "model/readers/text/json_repair.h"
#include "tests/fuzz/budget.h"
#include "tests/fuzz/reader_target.h"
#include "tests/fuzz/temporary_folder.h"

#include <cstdio>
#include <cstdlib>

namespace collscope {

namespace {

void require(bool holds, const char* what)
{
    if (holds)
        return;
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

void examineBytes(std::span<const std::uint8_t> bytes)
{
    static const TemporaryFolder folder;
    const std::string path = folder.file("trace.json");
    writeBytes(path, bytes);
    const Budget budget(bytes.size());
    const auto plan = planLoad({path}, {});
    if (!plan || plan->files.size() != 1)
        return;
    const ReaderDescriptor* const reader = plan->files[0].reader; // nullptr: a report that nsys has to export
    if (!reader || reader->kind != SourceKind::Kineto)
        return;
    const auto loaded = readPlanned(plan->files[0], {});
    const auto examined = examine(*plan, {});
    if (!loaded)
        return;
    const ExaminedFile& file = examined->files.at(0);
    require(loaded->source.eventsInFile == loaded->source.shown + loaded->source.excluded,
            "the load loses events");
    require(loaded->problems.excludedEvents() == loaded->source.excluded,
            "the load's ledger is not complete");
    require(file.isConserved(), "the doctor loses events");
    require(file.shown == loaded->source.shown, "doctor and load show different numbers of events");
    std::string clean;
    const auto copy = writeCleanCopy(plan->files[0].file, {}, {}, [&](std::string_view text) {
        clean += text;
        return true;
    });
    require(copy.has_value() && isValidJson(clean), "the clean copy is no JSON");
}

} // namespace

} // namespace collscope

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    collscope::examineBytes({data, size});
    return 0;
}
