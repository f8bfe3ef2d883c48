// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which rank ran on which recorded GPU, where the files tell, and how that is known.

#include "metrics/hardware/logged_ranks.h"
#include "model/trace_model.h"
#include "model/witnesses/hardware_record.h"

#include <map>
#include <optional>
#include <set>

namespace collscope {

/// How it is known which rank ran on a recorded GPU, the most certain first.
enum class RankEvidence : std::uint8_t
{
    None, ///< it is not known
    FileName, ///< the name of the file states the rank
    NcclLog, ///< NCCL's log names the rank with its host and the GPU's number or address
    Host, ///< the host, and the number of the GPU on it
    Folder, ///< the traces of that node lie in the same folder; and the number
    NodeNumber, ///< the number of the node in the name of the folder, GPUs per node; and the number
    OnlyNode, ///< guessed by number: nothing says that there is a second node
    LogAlone, ///< guessed: NCCL's log names the rank or its host; no trace confirms that it is of this run
    JobNumber, ///< guessed: the files are numbered as the ranks are, and no trace states a GPU of such a
               ///< number
    OnlyRank ///< guessed: one rank and one file are open
};
constexpr bool isGuess(RankEvidence evidence)
{
    return evidence >= RankEvidence::OnlyNode;
}

struct GpuRank
{
    std::optional<std::int32_t> rank;
    RankEvidence evidence = RankEvidence::None;
    std::string why; ///< how it is known, or why not, as a clause: "by host node07 and GPU number"
};

/// The hosts of a run and of its record, each under one name: lower case, without the domain.
class DeviceRanks
{
public:
    /// As the host of a device: files contradict each other. As an answer: the host is not known.
    static constexpr const char* contradictedHost = "?";

    /// Keeps references to neither of them. O(ranks + devices).
    DeviceRanks(const TraceModel& model, const HardwareRecord& record);

    /// Of a device or an error: as the file states it; else by the name of the file or its folder; else the
    /// host whose traces lie in the same folder; else the only host of the run, if all its ranks are loaded.
    /// "?": not known. Empty: the only host, which nobody names. Where no trace states a host and the ranks
    /// of each folder are a node, the folder takes the place of the host.
    std::string hostOf(const HardwareDevice& device) const;
    std::string hostOf(const XidEvent& xid) const;
    /// The rank on a GPU. A trace has the number of its GPU as CUDA counts them in its process, the record as
    /// the driver counts: both count alike only where the ranks of a host use all its GPUs that were sampled.
    GpuRank placeOf(const HardwareDevice& device) const;
    /// Ascending. Empty: the host is not known, or has no rank, or only an unconfirmed log says so.
    std::vector<std::int32_t> ranksOn(const std::string& host) const;
    bool hasOneHost() const { return m_hosts.size() <= 1; }

private:
    struct Host
    {
        std::map<std::int32_t, std::int32_t> rankByGpu;
        std::vector<std::int32_t> ranks;
        bool isAmbiguous = false; ///< several ranks state the same GPU
        bool isNumberedAlike = false;
        bool isLogged = false; ///< for a rank, only NCCL's log says that it was there
    };
    /// What a file says of the node that it is of.
    struct Witness
    {
        const std::string& stated;
        const std::string& file;
        const std::string& folder;
        std::string path; ///< of the folder
        std::optional<std::int32_t> gpu; ///< a number that may be in the name of the file
    };
    struct KnownHost
    {
        std::string name;
        bool isByFolder = false;
        bool isOnlyOne = false; ///< not stated: the run has no other host
        bool isContradicted = false; ///< names, or files beside it, are of several hosts
    };
    void addRank(const TraceModel& model, const Timeline& timeline, const std::string& host);
    void findFolderNodes(const TraceModel& model);
    void findNodeNumbers(const TraceModel& model, const HardwareRecord& record);
    std::string pathOf(SourceId source) const;
    Witness witnessOf(const HardwareDevice& device) const;
    KnownHost hostOf(const Witness& witness) const;
    using Devices = std::vector<const HardwareDevice*>;
    bool areSampledGpus(const Devices& devices, const Host& host) const;
    GpuRank placeByTraces(const HardwareDevice& device, const KnownHost& known) const;
    GpuRank placeByNodeNumber(const HardwareDevice& device) const;
    GpuRank notPlaced(const KnownHost& known) const;

    std::map<std::string, Host> m_hosts; ///< of the traces; one without a name: none of them states it
    std::map<std::string, std::set<std::string>> m_hostsIn; ///< by the path of a folder with traces
    std::vector<std::string> m_folders; ///< the folder of each file of the run
    std::set<std::string> m_names; ///< of m_hosts, without the empty one
    std::map<std::string, std::string> m_hostOfUuid; ///< of GPUs whose host some file states; empty: several
    LoggedRanks m_logged;
    bool m_areFoldersNodes = false; ///< the names in m_hosts are those of folders
    std::map<std::string, std::int32_t> m_nodeNumbers; ///< by the path of a folder; empty: not known
    std::int32_t m_gpusPerNode = 0; ///< with m_nodeNumbers
    std::string m_gpusPerNodeSource; ///< "the workload card"
    std::optional<std::int32_t> m_worldSize;
    bool m_areAllLoaded = true; ///< no rank of the job is missing, as far as the files tell
    bool m_isOneRecorded = true; ///< the record does not state several hosts
};

/// The hosts, of those given, that a name of a file or folder contains as whole words: "smi_node07.csv". A
/// host within the name of a longer one does not count, nor does the word that gives the number of a GPU
/// ("gpu0" if `gpu` is 0).
std::set<std::string> hostsNamedIn(std::string_view name, const std::set<std::string>& hosts,
                                   std::optional<std::int32_t> gpu);
/// Lower case, without the domain.
std::string shortHostName(std::string_view host);

} // namespace collscope
