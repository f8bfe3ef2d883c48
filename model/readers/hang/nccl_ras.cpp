// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Reads snapshots of NCCL's RAS subsystem (ncclras -f json).

#include "model/readers/hang/ras_json.h"
#include "model/readers/text/measurement_text.h"

#include <filesystem>

namespace collscope {

namespace {

Sniff sniffRas(std::string_view, std::string_view head)
{
    head = withoutLeadingBlanks(head);
    const bool isRas = head.starts_with('{') && holdsMember(head, "communicators", "[")
        && (holdsMember(head, "collective_counts", "{") || holdsMember(head, "missing_ranks", "["));
    return isRas ? Sniff::Yes : Sniff::No;
}

Result<TraceFragment> readRas(const SourceFile& file, const ReadContext& context)
{
    TraceFragment fragment = fragmentOf(file, SourceKind::NcclRas);
    const auto text = readText(file, context, fragment.problems);
    if (!text)
        return text.error();
    std::string reason;
    auto snapshot = rasSnapshotOf(withoutLeadingBlanks(*text), reason);
    if (!snapshot)
        return Error{Error::Kind::Format, reason, file.path, 0};
    if (!reason.empty())
        fragment.problems.add(Severity::DataLoss, "truncated", file.path, text->size(), reason);
    snapshot->file = std::filesystem::path(file.path).filename().string();
    fragment.hang = std::make_shared<HangEvidence>();
    fragment.hang->ras.push_back(std::move(*snapshot));
    return fragment;
}

} // namespace

extern const ReaderDescriptor ncclRasReader;
const ReaderDescriptor ncclRasReader{"nccl_ras", "NCCL RAS snapshot (JSON)", SourceKind::NcclRas, sniffRas,
                                     readRas};

} // namespace collscope
