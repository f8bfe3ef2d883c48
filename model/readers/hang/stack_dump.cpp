// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Reads the stacks of a Python process (py-spy dump). The rank is the number in the name of the file.

#include "model/readers/hang/flight_builder.h"
#include "model/readers/hang/python_stacks.h"
#include "model/readers/text/measurement_text.h"

#include <filesystem>

namespace collscope {

namespace {

Sniff sniffStacks(std::string_view, std::string_view head)
{
    return pythonStacksOf(head) ? Sniff::Yes : Sniff::No;
}

Result<TraceFragment> readStacks(const SourceFile& file, const ReadContext& context)
{
    TraceFragment fragment = fragmentOf(file, SourceKind::StackDump);
    const auto text = readText(file, context, fragment.problems);
    if (!text)
        return text.error();
    auto stacks = pythonStacksOf(*text);
    if (!stacks)
        return Error{Error::Kind::Format, "The text has no process with a thread.", file.path, 0};
    stacks->file = std::filesystem::path(file.path).filename().string();
    stacks->rank = file.chosenRank ? file.chosenRank : rankOfDump(stacks->file, {});
    fragment.source.rank = stacks->rank;
    fragment.hang = std::make_shared<HangEvidence>();
    fragment.hang->stacks.push_back(std::move(*stacks));
    return fragment;
}

} // namespace

extern const ReaderDescriptor stackDumpReader;
const ReaderDescriptor stackDumpReader{"stack_dump", "Stacks of a Python process (py-spy dump)",
                                       SourceKind::StackDump, sniffStacks, readStacks};

} // namespace collscope
