// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The document around the events of a Kineto trace: rank, clock and GPUs.

#include "model/diagnostics.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace collscope {

struct KinetoEnvelope
{
    /// A GPU of the host.
    struct Device
    {
        std::optional<std::int64_t> id;
        std::string name; ///< "" if not stated
        std::optional<std::int32_t> multiprocessors;
    };
    /// The device with this number; nullptr if it cannot be identified with certainty. -1: any.
    const Device* device(std::int32_t id) const;

    /// A process group of the rank.
    struct Group
    {
        std::string name, description;
        std::vector<std::int32_t> ranks;
        std::optional<std::int32_t> size;
    };
    std::optional<std::int32_t> rank, worldSize;
    std::string backend; ///< of torch.distributed; "" if not stated
    std::string host; ///< name of the computer; "" if not stated, or if it is "localhost"
    std::vector<Group> groups; ///< empty if not listed
    std::int64_t baseTimeNs = 0; ///< wall clock time of the events' zero; 0 if not stated
    std::vector<Device> devices;
    bool listsDevices = false; ///< if true and `devices` is empty, the host has no GPU
    bool isCut = false; ///< the end of the document is missing; members after the cut are not included
};

/// Reads the text of a document without its events. Damaged text is repaired; if that fails, the required
/// members are searched for one by one, and a problem reports it.
KinetoEnvelope readKinetoEnvelope(const std::string& text, const std::string& path, Diagnostics& problems);

/// The members of a document as valid JSON, without braces and event list; "" if there are none.
std::string cleanEnvelopeMembers(const std::string& text);

} // namespace collscope
