// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/witnesses/network_record.h"

#include <algorithm>

namespace collscope {

namespace {

template<typename Key>
void add(std::map<Key, std::uint64_t>& counts, const std::map<Key, std::uint64_t>& more)
{
    for (const auto& [key, count] : more)
        counts[key] += count;
}

constexpr std::size_t mostWarnings = 20;

/// Where each process sees one GPU, all of them have the number 0: it names no GPU of the host.
void dropSharedNumbers(NcclCommunicator& communicator)
{
    std::map<std::pair<std::string, int>, int> used;
    for (const auto& [rank, member] : communicator.members)
        ++used[{member.process.host, member.device.value_or(-1)}];
    for (auto& [rank, member] : communicator.members) {
        if (member.device && used[{member.process.host, *member.device}] > 1)
            member.device.reset();
    }
}

} // namespace

std::optional<double> NetworkBenchmark::Row::best() const
{
    return outOfPlace && inPlace ? std::max(*outOfPlace, *inPlace) : outOfPlace ? outOfPlace : inPlace;
}

void NcclCommunicator::add(int rank, NcclMember member)
{
    const auto [place, isNew] = members.try_emplace(rank, member);
    isAmbiguous = isAmbiguous || (!isNew && place->second.process != member.process);
    place->second = std::move(member);
}

NcclCommunicator& NetworkRecord::communicator(const std::string& id, int size)
{
    const auto [place, isNew] = places.try_emplace({id, size}, communicators.size());
    if (isNew) {
        communicators.emplace_back();
        communicators.back().id = id;
        communicators.back().size = size;
    }
    return communicators[place->second];
}

void NetworkRecord::setPointer(const NcclProcess& process, const std::string& pointer,
                               std::pair<std::size_t, int> place)
{
    const auto [known, isNew] = pointers.try_emplace({process, pointer}, place);
    if (!isNew && known->second != place)
        reusedPointers.insert({process, pointer});
}

void NetworkRecord::take(NetworkRecord&& other, SourceId source)
{
    std::vector<std::size_t> here; // index here of each communicator of `other`
    for (NcclCommunicator& theirs : other.communicators) {
        NcclCommunicator& ours = communicator(theirs.id, theirs.size);
        ours.isGuessed = ours.isGuessed || theirs.isGuessed;
        ours.isAmbiguous = ours.isAmbiguous || theirs.isAmbiguous;
        for (auto& [rank, member] : theirs.members)
            ours.add(rank, std::move(member));
        ours.channels.merge(theirs.channels);
        here.push_back(places.at({theirs.id, theirs.size}));
    }
    for (const auto& [pointer, place] : other.pointers)
        setPointer(pointer.first, pointer.second, {here[place.first], place.second});
    reusedPointers.insert(other.reusedPointers.begin(), other.reusedPointers.end());
    for (const auto& [connection, channels] : other.connections)
        connections[connection] += channels;
    add(adapters, other.adapters);
    add(settings, other.settings);
    add(algorithms, other.algorithms);
    add(versions, other.versions);
    networks.merge(other.networks);
    warnings += other.warnings;
    for (std::string& text : other.firstWarnings) {
        if (firstWarnings.size() < mostWarnings)
            firstWarnings.push_back(std::move(text));
    }
    for (NetworkBenchmark& benchmark : other.benchmarks) {
        benchmark.source = source;
        benchmarks.push_back(std::move(benchmark));
    }
    if (!other.communicators.empty() || !other.connections.empty() || !other.adapters.empty()
        || !other.settings.empty() || !other.algorithms.empty() || !other.versions.empty()
        || other.warnings > 0)
        logs.push_back(source);
}

void NetworkRecord::settle(Diagnostics& problems)
{
    for (NcclCommunicator& communicator : communicators)
        dropSharedNumbers(communicator);
    std::size_t partial = 0, missing = 0;
    for (const NcclCommunicator& communicator : communicators) {
        if (communicator.isAmbiguous)
            continue;
        const auto absent = static_cast<std::size_t>(communicator.size) - communicator.members.size();
        partial += absent > 0 ? 1 : 0;
        missing += absent;
    }
    if (partial > 0)
        problems.add(Severity::Notice, "nccl_ranks_missing", "", 0,
                     "The logs of NCCL name " + std::to_string(communicators.size()) + " communicators; of "
                         + std::to_string(partial) + " of them, " + std::to_string(missing)
                         + " ranks wrote no log that is here, so their connections are not known.");
    for (NetworkBenchmark& benchmark : benchmarks)
        std::stable_sort(benchmark.rows.begin(), benchmark.rows.end(),
                         [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
}

} // namespace collscope
