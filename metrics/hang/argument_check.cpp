// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/hang/argument_check.h"

#include <algorithm>
#include <functional>

namespace collscope {

namespace {

struct Caller
{
    std::uint32_t rank = 0;
    const FlightSignature* signature = nullptr;
};

using ValueOf = std::function<std::string(const FlightSignature&)>;

/// nullopt if all callers gave the same. Callers for which `value` is empty are not compared.
std::optional<ArgumentMismatch> compare(const std::vector<Caller>& callers, ArgumentMismatch::Kind kind,
                                        const ValueOf& value)
{
    std::map<std::string, std::vector<std::uint32_t>> ranksOf;
    std::size_t compared = 0;
    for (const Caller& caller : callers) {
        std::string own = value(*caller.signature);
        if (own.empty())
            continue;
        ranksOf[std::move(own)].push_back(caller.rank);
        ++compared;
    }
    if (ranksOf.size() < 2)
        return std::nullopt;
    ArgumentMismatch mismatch;
    mismatch.kind = kind;
    for (auto& [text, ranks] : ranksOf)
        mismatch.sides.push_back({text, std::move(ranks)});
    std::stable_sort(mismatch.sides.begin(), mismatch.sides.end(),
                     [](const auto& a, const auto& b) { return a.ranks.size() > b.ranks.size(); });
    if (2 * mismatch.sides.front().ranks.size() > compared) {
        for (std::size_t side = 1; side < mismatch.sides.size(); ++side)
            mismatch.accused.insert(mismatch.accused.end(), mismatch.sides[side].ranks.begin(),
                                    mismatch.sides[side].ranks.end());
        std::sort(mismatch.accused.begin(), mismatch.accused.end());
    }
    return mismatch;
}

/// Empty for sizes that are not known, or that cannot be right.
std::string elementsText(std::int64_t elements)
{
    return elements < 0 ? std::string() : std::to_string(elements) + " elements";
}

/// The size that all members must give alike; empty where they need not.
std::string sizeThatAgrees(const HangJob& job, const FlightSignature& signature)
{
    std::string_view operation = job.text(signature.operation);
    if (operation.starts_with('_'))
        operation.remove_prefix(1);
    if (operation == "reduce_scatter_base" || operation == "reduce_scatter_tensor")
        return elementsText(signature.outputElements);
    constexpr std::string_view byInput[]
        = {"all_reduce", "allreduce", "broadcast", "reduce", "all_gather_base", "all_gather_into_tensor"};
    const bool isByInput = std::find(std::begin(byInput), std::end(byInput), operation) != std::end(byInput);
    return isByInput ? elementsText(signature.inputElements) : std::string();
}

std::optional<ArgumentMismatch> splitMismatch(const std::vector<Caller>& callers, std::size_t members)
{
    if (callers.size() != members)
        return std::nullopt;
    std::int64_t sent = 0, received = 0;
    ArgumentMismatch mismatch;
    mismatch.kind = ArgumentMismatch::Kind::Splits;
    mismatch.sides.emplace_back();
    constexpr std::int64_t most = std::int64_t{1} << 60;
    for (const Caller& caller : callers) {
        const FlightSignature& own = *caller.signature;
        if (own.inputElements < 0 || own.outputElements < 0 || sent > most || received > most)
            return std::nullopt;
        sent += own.inputElements;
        received += own.outputElements;
        mismatch.sides.front().ranks.push_back(caller.rank);
    }
    mismatch.sides.front().value
        = std::to_string(sent) + " elements sent, " + std::to_string(received) + " received";
    return sent == received ? std::nullopt : std::optional(std::move(mismatch));
}

} // namespace

std::optional<ArgumentMismatch> argumentMismatch(const HangJob& job, std::uint32_t group, std::int64_t number)
{
    std::vector<Caller> callers;
    const std::vector<std::uint32_t>& members = job.groups()[group].members;
    for (const std::uint32_t rank : members) {
        if (const auto call = job.callOf(rank, group, number))
            callers.push_back({rank, &job.recordOf(rank)->signatureOf(*call)});
    }
    // A batch does not say of what it is made before version 2.2, where it has the number of a collective.
    const auto operationOf = [&](const FlightSignature& signature) {
        const std::string_view operation = job.text(signature.operation);
        return std::string(operation == "coalesced" ? std::string_view() : operation);
    };
    const auto typeOf
        = [&](const FlightSignature& signature) { return std::string(job.text(signature.inputTypes)); };
    if (auto mismatch = compare(callers, ArgumentMismatch::Kind::Operation, operationOf))
        return mismatch;
    if (auto mismatch = compare(callers, ArgumentMismatch::Kind::ElementType, typeOf))
        return mismatch;
    const auto sizeOf = [&](const FlightSignature& signature) { return sizeThatAgrees(job, signature); };
    if (auto mismatch = compare(callers, ArgumentMismatch::Kind::Size, sizeOf))
        return mismatch;
    const bool isAllToAll
        = !callers.empty() && operationOf(*callers.front().signature).find("all_to_all") != std::string::npos;
    return isAllToAll ? splitMismatch(callers, members.size()) : std::nullopt;
}

} // namespace collscope
