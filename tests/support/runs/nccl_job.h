// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The logs of a job as NCCL 2.7 to 2.27 write them, with the network as a test wants it. The lines have the
// form of those in the public issues of NVIDIA/nccl (#629, #1412, #1814), with other names and numbers.

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace collscope {

struct NcclJob
{
    enum class Version
    {
        NoCommId, ///< up to 2.15: no commId, bus ids in brackets
        CommId, ///< 2.16 to 2.24
        TimeStamps ///< later, with time stamps in front
    };
    Version version = Version::CommId;
    int nodes = 4, gpus = 8, cards = 8;
    int channels = 16;

    // What is wrong:
    std::map<int, int> cardsOf; ///< nodes with another number of cards
    std::vector<std::pair<int, int>> socketsBetween; ///< pairs of nodes, smaller first
    std::vector<int> sharedMemoryOn, noGpuDirectOn; ///< nodes
    std::map<int, int> usedCardsOf; ///< by node: how many of its cards the GPUs use
    std::map<std::string, std::map<int, std::string>> settings; ///< name -> node -> value
    int fewChannelsOn = -1; ///< node whose own communicator has a quarter of the channels
    int firstPid = 1000; ///< of the first GPU of each node
    std::string idPrefix = "0x"; ///< of the communicators
    std::string mpi; ///< what a launcher puts in front: "[1,3]<stdout>:"

    std::string nodeName(int node) const { return "node" + std::to_string(node); }
    int size() const { return nodes * gpus; }

    /// One text for all nodes, their lines mixed as a launcher mixes them.
    std::string text() const
    {
        std::string all;
        for (const std::string& log : logs())
            all += log;
        return all;
    }
    /// By node.
    std::vector<std::string> logs() const
    {
        std::vector<std::string> all;
        for (int node = 0; node < nodes; ++node)
            all.push_back(logOf(node));
        return all;
    }

private:
    template<typename List, typename Item>
    static bool contains(const List& list, const Item& item)
    {
        for (const auto& own : list) {
            if (own == item)
                return true;
        }
        return false;
    }
    int cardsOn(int node) const { return cardsOf.contains(node) ? cardsOf.at(node) : cards; }
    std::string line(int node, int gpu, const std::string& text) const
    {
        const std::string pid = std::to_string(firstPid + gpu);
        const std::string stamp
            = version == Version::TimeStamps ? "[2026-11-29 10:00:0" + std::to_string(gpu % 10) + "] " : "";
        return mpi + stamp + nodeName(node) + ":" + pid + ":" + std::to_string(2000 + gpu) + " ["
            + std::to_string(gpu) + "] NCCL INFO " + text + "\n";
    }
    std::string place(int rank) const
    {
        const int gpu = rank % gpus;
        return std::to_string(rank) + "["
            + (version == Version::NoCommId ? std::to_string(gpu + 1) + "7000" : std::to_string(gpu)) + "]";
    }
    std::string ready(int node, int gpu, int rank, int ranks, const std::string& pointer,
                      const std::string& id) const
    {
        const std::string number = std::to_string(gpu);
        std::string text = version == Version::NoCommId ? "comm " : "ncclCommInitRank comm ";
        text += pointer + " rank " + std::to_string(rank) + " nranks " + std::to_string(ranks) + " cudaDev "
            + number;
        if (version != Version::NoCommId)
            text += " nvmlDev " + number;
        text += " busId " + std::to_string(gpu + 1) + "7000";
        if (version != Version::NoCommId)
            text += " commId " + id;
        return line(node, gpu, text + " - Init COMPLETE");
    }
    std::string coll(int node, int gpu, int count) const
    {
        return line(node, gpu,
                    std::to_string(count) + " coll channels, " + std::to_string(count)
                        + " collnet channels, 0 nvls channels, 32 p2p channels, 4 p2p channels per peer");
    }
    std::string connection(int node, int gpu, int from, int to, int channel) const
    {
        const int fromNode = from / gpus, toNode = to / gpus;
        const std::string number = (channel < 10 ? "0" : "") + std::to_string(channel);
        const std::string head = "Channel " + number + (version == Version::NoCommId ? " : " : "/0 : ")
            + place(from) + " -> " + place(to);
        if (fromNode == toNode)
            return line(node, gpu,
                        head + " via "
                            + (contains(sharedMemoryOn, node)     ? "SHM/direct/direct"
                                   : version == Version::NoCommId ? "P2P/IPC"
                                                                  : "P2P/CUMEM/read"));
        const bool isSend = node == fromNode;
        const std::string way = isSend ? " [send] via " : " [receive] via ";
        if (contains(socketsBetween, std::pair(std::min(fromNode, toNode), std::max(fromNode, toNode))))
            return line(node, gpu, head + way + "NET/Socket/0");
        const int used = usedCardsOf.contains(node) ? usedCardsOf.at(node) : cardsOn(node);
        return line(node, gpu,
                    head + way + "NET/IB/" + std::to_string(gpu % used)
                        + (contains(noGpuDirectOn, node) ? "" : "/GDRDMA"));
    }
    std::string logOf(int node) const
    {
        std::string log;
        if (version != Version::TimeStamps)
            log += "NCCL version 2.21.5+cuda12.4\n";
        for (int gpu = 0; gpu < gpus; ++gpu) {
            log += line(node, gpu, "Bootstrap : Using eth0:10.0.0." + std::to_string(node + 1) + "<0>");
            for (const auto& [name, values] : settings) {
                if (values.contains(node))
                    log += line(node, gpu, name + " set by environment to " + values.at(node) + ".");
            }
            std::string found = "NET/IB : Using";
            for (int card = 0; card < cardsOn(node); ++card)
                found += " [" + std::to_string(card) + "]mlx5_" + std::to_string(card) + ":1/IB";
            log += line(node, gpu, found + " [RO]; OOB eth0:10.0.0." + std::to_string(node + 1) + "<0>");
            log += line(node, gpu, "Using network IB");
            log += line(node, gpu, "cudaDriverVersion 12040"); // not read
            // The communicator of all, then that of the node.
            log += coll(node, gpu, channels);
            log += ready(node, gpu, node * gpus + gpu, size(), "0x5500" + std::to_string(gpu),
                         idPrefix + "abc123");
            log += coll(node, gpu, node == fewChannelsOn ? channels / 4 : channels);
            log += ready(node, gpu, gpu, gpus, "0x7700" + std::to_string(gpu),
                         idPrefix + "def" + std::to_string(node));
            for (int channel = 0; channel < 2; ++channel) {
                const int rank = node * gpus + gpu;
                const int next = (rank + 1) % size(), before = (rank + size() - 1) % size();
                log += connection(node, gpu, rank, next, channel);
                if (before / gpus != node)
                    log += connection(node, gpu, before, rank, channel);
                // Trees between the nodes: every GPU has a partner on the next node.
                const int partner = (rank + gpus) % size();
                if (partner / gpus != node) {
                    log += connection(node, gpu, rank, partner, channel);
                    log += connection(node, gpu, partner, rank, channel);
                }
            }
        }
        return log;
    }
};

} // namespace collscope
