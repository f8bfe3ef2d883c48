// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The document around the events of a Kineto trace: whose it is, its clock, its GPUs.

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
        std::string name; ///< "" if it is not said
        std::optional<std::int32_t> multiprocessors;
    };
    /// The device of a number; nullptr if none is sure to be it. -1: any.
    const Device* device(std::int32_t id) const;

    /// A process group that the rank is in.
    struct Group
    {
        std::string name, description;
        std::vector<std::int32_t> ranks;
        std::optional<std::int32_t> size;
    };
    std::optional<std::int32_t> rank, worldSize;
    std::string backend; ///< of torch.distributed; "" if it is not said
    std::string host; ///< name of the computer; "" if it is not said, or "localhost"
    std::vector<Group> groups; ///< empty if they are not listed
    std::int64_t baseTimeNs = 0; ///< wall clock of the events' zero, 0 if the file does not say it
    std::vector<Device> devices;
    bool listsDevices = false; ///< and where that is empty, the host has none
    bool isCut = false; ///< the end of the document is missing; what was cut off is not in here
};

/// Reads the text of a document without its events. Damaged text is repaired; where that does not help, the
/// members that matter are looked for one by one, and a problem says so.
KinetoEnvelope readKinetoEnvelope(const std::string& text, const std::string& path, Diagnostics& problems);

/// The members of a document as valid JSON, without braces and event list; "" if there are none.
std::string cleanEnvelopeMembers(const std::string& text);

} // namespace collscope
