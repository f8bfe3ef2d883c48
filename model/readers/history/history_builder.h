// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Builds a JobHistory from one file: finds the communicators, members and classes that are there already.

#include "model/witnesses/job_history.h"

#include <string>
#include <unordered_map>

namespace collscope {

class HistoryBuilder
{
public:
    JobHistory& history() { return m_history; }
    /// Index of the communicator, member or class, which is added if it is new.
    std::uint32_t communicator(const HistoryCommunicator& wanted);
    /// By communicator, rank, host, process and GPU.
    std::uint32_t member(const HistoryMember& wanted);
    std::uint32_t operationClass(const OperationClass& wanted);

private:
    JobHistory m_history;
    std::unordered_map<std::string, std::uint32_t> m_communicators, m_members, m_classes;
};

} // namespace collscope
