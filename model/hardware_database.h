// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Facts that traces do not contain: peaks of devices, sizes of well-known models. The data is in resources/,
// with the source of each figure. A user's own file overrides it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

/// Dense peaks of one device type, per device. Unknown figures are nullopt, never 0.
struct DevicePeak
{
    std::string name; ///< "H100 SXM"
    std::vector<std::string> matches; ///< words that a device name must contain, in any spelling
    std::optional<double> bf16Tflops, fp8Tflops, tf32Tflops;
    std::optional<double> memoryGbps; ///< HBM, decimal GB/s
    std::optional<double> linkGbps; ///< NVLink / Infinity Fabric, both directions together, decimal GB/s
    std::optional<std::int32_t> links, multiprocessors;
    std::string source; ///< source of the figures
    int layer = 0; ///< of the file it was read from; a later file overrides an earlier one
};

/// A model with published sizes.
struct KnownModel
{
    std::string name; ///< "llama3"
    std::string flavor; ///< "8B"
    std::optional<std::int64_t> params, paramsEmbedding, paramsActive, layers, heads, headDim;
    std::string source;
    int layer = 0; ///< see DevicePeak::layer
};

struct HardwareDatabase
{
    std::vector<DevicePeak> devices;
    std::vector<KnownModel> models;

    /// The entry for a device name ("NVIDIA A100-SXM4-80GB", "nvidia_h100"): from the last file that has one,
    /// the entry that matches the most words. nullptr = peak unknown.
    const DevicePeak* findDevice(std::string_view deviceName) const;
    /// The entry for a model name and flavor ("llama3", "8B") or family ("Llama-3.1-8B"); nullptr = unknown.
    const KnownModel* findModel(std::string_view name, std::string_view flavor) const;
};

} // namespace collscope
