// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/fuzz/hang_target.h"

#include "metrics/hang/hang_verdict.h"
#include "model/hang/hang_evidence.h"
#include "tests/fuzz/budget.h"
#include "tests/fuzz/reader_target.h"
#include "tests/fuzz/temporary_folder.h"
#include "tests/support/texts/flight_text.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <set>

namespace collscope {

namespace {

/// Rank 1 or 2 of three: both wait in call 5 of the job's group, rank 1 for a message of rank 0, too.
FlightText soundDump(int rank)
{
    FlightText dump;
    dump.groups = {{0, "0", "default_pg", {0, 1, 2}}, {1, "7", "PP", {0, 1}}};
    dump.statuses = {{0, 5, -1, 4}};
    for (const std::int64_t number : {4, 5}) {
        DumpedCall& call = dump.calls.emplace_back();
        call.record = number;
        call.number = number;
        call.createdMs = number;
    }
    dump.calls.front().state = "completed";
    dump.calls.front().completedMs = 5;
    if (rank == 2) {
        dump.groups.pop_back();
        return dump;
    }
    DumpedCall& receive = dump.calls.emplace_back();
    receive.group = 1;
    receive.operation = "recv 1<-0";
    receive.isTransfer = true;
    receive.createdMs = 7;
    dump.statuses.push_back({1, 1, -1, -1});
    return dump;
}

/// Reads a sound dump once.
TraceFragment soundFragment(int rank)
{
    const TemporaryFolder folder;
    const std::string path = folder.file("sound_rank_" + std::to_string(rank));
    const std::string text = flightPickle(soundDump(rank));
    writeBytes(path, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    return std::move(*fragmentAt(flightRecorderReader, path));
}

void complain(const char* what, const HangVerdict& verdict)
{
    std::fprintf(stderr, "%s: %s\n", what, verdict.text.c_str());
    std::abort();
}

void check(const HangEvidence& evidence, const HangVerdict& verdict)
{
    std::set<std::int32_t> ranks, dumped;
    for (const FlightRecord& record : evidence.records) {
        dumped.insert(*record.rank);
        for (const FlightGroup& group : record.groups)
            ranks.insert(group.ranks.begin(), group.ranks.end());
    }
    ranks.insert(dumped.begin(), dumped.end());
    for (const auto* findings : {&verdict.findings, &verdict.suspects}) {
        for (const ReportedFinding& finding : *findings) {
            for (const std::int32_t rank : finding.ranks) {
                if (!dumped.contains(rank))
                    complain("A rank without a dump is accused", verdict);
            }
            for (const std::int32_t rank : finding.candidates) {
                if (!ranks.contains(rank))
                    complain("A rank is named that is not in the job", verdict);
            }
        }
    }
    const bool isProven = verdict.hang == HangVerdict::Hang::Yes;
    const bool isUnproven = verdict.hang == HangVerdict::Hang::Unproven;
    if ((!isProven && !verdict.findings.empty()) || (!isUnproven && !verdict.suspects.empty()))
        complain("Findings without a proof", verdict);
}

} // namespace

int judgeBytes(const ReaderDescriptor& reader, const char* fileName, std::span<const std::uint8_t> bytes)
{
    static const TemporaryFolder folder;
    static const std::array sound{soundFragment(1), soundFragment(2)};
    const std::string path = folder.file(fileName);
    writeBytes(path, bytes);
    const Budget budget(bytes.size());
    std::vector<TraceFragment> fragments;
    if (auto own = fragmentAt(reader, path))
        fragments.push_back(std::move(*own));
    for (const TraceFragment& other : sound) {
        fragments.push_back(other.clone());
        fragments.back().hang = std::make_shared<HangEvidence>(*other.hang);
    }
    const TraceModelPtr model = assemble(std::move(fragments), Diagnostics(), {{path}, {}});
    for (const bool isKnownToHang : {false, true})
        check(*model->hang, judgeHang(*model->hang, model->strings, {isKnownToHang}));
    return 0;
}

} // namespace collscope
