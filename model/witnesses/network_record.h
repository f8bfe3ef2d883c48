// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What NCCL said about its communicators and transports (NCCL_DEBUG=INFO), and what benchmarks of the network
// measured (nccl-tests). Ranks are those in a communicator; which rank of the job they are, no line says.

#include "model/diagnostics.h"
#include "model/ids.h"

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace collscope {

/// How two GPUs exchange data.
enum class Transport : std::uint8_t
{
    PeerToPeer, ///< "P2P": directly, over NVLink or PCIe
    SharedMemory, ///< "SHM": through the memory of the host
    Network ///< "NET": through a network card
};

/// A process that writes a log: the front of its lines, "host:pid:".
struct NcclProcess
{
    std::string host;
    std::int64_t pid = 0;
    friend auto operator<=>(const NcclProcess&, const NcclProcess&) = default;
};

/// One rank of a communicator, as its own process said when it was ready.
struct NcclMember
{
    NcclProcess process;
    std::optional<int> device; ///< number of the GPU: nvmlDev, else cudaDev
    std::string busId; ///< as printed: "7000"; empty if it is not stated
};

struct NcclCommunicator
{
    std::string id; ///< the commId that all of its ranks print; empty: the version prints none
    int size = 0; ///< number of ranks
    std::map<int, NcclMember> members; ///< by rank; those whose logs are there
    std::map<int, int> channels; ///< for collectives, by rank
    /// The lines do not name the communicator: ranks were put together because they are the n-th of their
    /// processes with this size.
    bool isGuessed = false;
    /// Several processes say that they have the same rank: these are several communicators, and the lines do
    /// not tell which of them a rank belongs to.
    bool isAmbiguous = false;

    /// Adds a rank. Another process in its place makes the communicator ambiguous.
    void add(int rank, NcclMember member);
};

/// The transport of one direction between two ranks, with all its channels.
struct NcclConnection
{
    NcclProcess writer; ///< who printed it: the sender, or the receiver if `isReceiver`
    bool isReceiver = false;
    int from = 0, to = 0; ///< ranks in a communicator
    std::string fromDevice, toDevice; ///< in brackets behind the ranks: numbers of GPUs, or bus ids
    Transport transport = Transport::PeerToPeer;
    std::string network; ///< of Transport::Network: "IB", "Socket", "AWS Libfabric"
    int adapter = -1; ///< index of the network card, -1 = none
    bool hasGpuDirect = false; ///< "GDRDMA": the card reads and writes the memory of the GPU
    std::string communicator; ///< the pointer that newer versions print, "0x55..."; empty: not stated
    friend auto operator<=>(const NcclConnection&, const NcclConnection&) = default;
};

/// A network card that NCCL found: "[0]mlx5_0:1/IB".
struct NcclAdapter
{
    std::string host, name, kind; ///< "mlx5_0:1", "IB" | "RoCE" | "Socket"
    int index = 0;
    friend auto operator<=>(const NcclAdapter&, const NcclAdapter&) = default;
};

/// "NCCL_IB_HCA set by environment to mlx5_0."
struct NcclSetting
{
    std::string host, name, value;
    friend auto operator<=>(const NcclSetting&, const NcclSetting&) = default;
};

/// "AllReduce: 1048576 Bytes -> Algo RING proto LL128".
struct NcclAlgorithm
{
    std::string collective;
    std::uint64_t bytes = 0;
    std::string algorithm, protocol;
    friend auto operator<=>(const NcclAlgorithm&, const NcclAlgorithm&) = default;
};

/// What nccl-tests measured for one collective: bandwidth by size.
struct NetworkBenchmark
{
    /// One size. Bandwidths in bytes/s, "busbw" of nccl-tests (its doc/PERFORMANCE.md).
    struct Row
    {
        std::uint64_t bytes = 0;
        std::optional<double> outOfPlace, inPlace;
        std::optional<std::uint64_t> wrong; ///< results that are not right
        /// The higher of the two; nullopt if neither is known.
        std::optional<double> best() const;
    };
    SourceId source;
    std::string collective; ///< "all_reduce"; empty: the output does not say
    std::string type; ///< "float", "bfloat16"
    std::optional<int> ranks;
    std::vector<std::string> hosts, devices; ///< distinct, in the order of the ranks
    std::vector<Row> rows; ///< by size
};

struct NetworkRecord
{
    std::vector<NcclCommunicator> communicators;
    /// By connection: number of channels.
    std::map<NcclConnection, std::uint32_t> connections;
    std::map<NcclAdapter, std::uint64_t> adapters; ///< number of lines that say so
    std::map<NcclSetting, std::uint64_t> settings; ///< likewise
    std::map<NcclAlgorithm, std::uint64_t> algorithms; ///< likewise
    std::map<std::string, std::uint64_t> versions; ///< "2.21.5+cuda12.4", likewise
    std::map<std::string, std::string> networks; ///< by host: "Using network IB"
    std::uint64_t warnings = 0; ///< lines "NCCL WARN"
    std::vector<std::string> firstWarnings; ///< texts of the first few, printable
    std::vector<NetworkBenchmark> benchmarks;
    std::vector<SourceId> logs; ///< the files with lines of NCCL

    /// Pointers of communicators in a process, for lines that name one: index in `communicators` and rank.
    std::map<std::pair<NcclProcess, std::string>, std::pair<std::size_t, int>> pointers;
    /// Pointers that named one communicator, and later another one: lines with them do not tell which.
    std::set<std::pair<NcclProcess, std::string>> reusedPointers;
    /// Notes that a process names a communicator by this pointer.
    void setPointer(const NcclProcess& process, const std::string& pointer,
                    std::pair<std::size_t, int> place);
    /// By id and size: index in `communicators`.
    std::map<std::pair<std::string, int>, std::size_t> places;

    bool hasLog() const { return !logs.empty(); }
    /// The communicator that all ranks name by this id and size; made if it is new.
    NcclCommunicator& communicator(const std::string& id, int size);
    /// Adds what a file says; `source` is the file.
    void take(NetworkRecord&& other, SourceId source);
    /// Puts everything into order, once all files are taken, and reports what contradicts itself.
    void settle(Diagnostics& problems);
};

} // namespace collscope
