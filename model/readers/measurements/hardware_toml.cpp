// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/measurements/hardware_toml.h"

#include "model/readers/text/nesting.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include <toml++/toml.h>

namespace collscope {

namespace {

/// One [[device]] or [[model]]. Invalid values are reported rather than ignored.
class Entry
{
public:
    Entry(const toml::table& table, std::string_view heading, std::string& complaint)
        : m_table(table)
        , m_where("the [[" + std::string(heading) + "]] in line " + std::to_string(table.source().begin.line))
        , m_complaint(complaint)
    { }

    std::string text(std::string_view key)
    {
        const toml::node* const node = find(key);
        if (node && !node->is_string())
            complain(key, "must be a string");
        return node ? node->value_or(std::string()) : std::string();
    }
    std::optional<double> number(std::string_view key)
    {
        const toml::node* const node = find(key);
        if (!node)
            return std::nullopt;
        const auto value = node->is_number() ? node->value<double>() : std::nullopt;
        if (value && *value > 0 && std::isfinite(*value))
            return value;
        complain(key, "must be a number above 0; omit it if it is unknown");
        return std::nullopt;
    }
    /// An integer, written as 8030261248 or 8.03e9.
    std::optional<std::int64_t> whole(std::string_view key)
    {
        constexpr double most = 1e18;
        const auto value = number(key);
        if (value && (*value > most || std::floor(*value) != *value)) {
            complain(key, "must be an integer");
            return std::nullopt;
        }
        if (!value)
            return std::nullopt;
        const auto exact = m_table.get(key)->value_exact<std::int64_t>();
        return exact ? *exact : static_cast<std::int64_t>(*value);
    }
    std::optional<std::int32_t> small(std::string_view key)
    {
        const auto value = whole(key);
        if (!value || *value <= 1'000'000)
            return value ? std::optional(static_cast<std::int32_t>(*value)) : std::nullopt;
        complain(key, "is too large");
        return std::nullopt;
    }
    std::vector<std::string> texts(std::string_view key)
    {
        std::vector<std::string> result;
        const toml::node* const node = find(key);
        if (node && !node->is_array_of_tables() && node->as_array()) {
            for (const toml::node& word : *node->as_array())
                result.push_back(word.value_or(std::string()));
        }
        std::erase(result, "");
        if (result.empty())
            complain(key, "must list the words of the device's name");
        return result;
    }
    /// Checks for unknown keys: a misspelt key would silently leave a figure unknown.
    void finish()
    {
        for (const auto& [key, node] : m_table) {
            if (std::find(m_known.begin(), m_known.end(), key.str()) == m_known.end())
                complain(key.str(), "is not a known key");
        }
        if (text("name").empty())
            complain("name", "is missing");
    }

private:
    const toml::node* find(std::string_view key)
    {
        m_known.push_back(key);
        return m_table.get(key);
    }
    void complain(std::string_view key, std::string_view what)
    {
        if (m_complaint.empty())
            m_complaint = m_where + ": " + std::string(key) + " " + std::string(what) + ".";
    }

    const toml::table& m_table;
    std::string m_where;
    std::string& m_complaint;
    std::vector<std::string_view> m_known;
};

DevicePeak deviceOf(Entry& entry)
{
    DevicePeak device;
    device.name = entry.text("name");
    device.source = entry.text("source");
    device.matches = entry.texts("matches");
    device.bf16Tflops = entry.number("bf16_tflops");
    device.fp8Tflops = entry.number("fp8_tflops");
    device.tf32Tflops = entry.number("tf32_tflops");
    device.memoryGbps = entry.number("memory_gbps");
    device.linkGbps = entry.number("link_gbps");
    device.links = entry.small("links");
    device.multiprocessors = entry.small("multiprocessors");
    return device;
}

KnownModel modelOf(Entry& entry)
{
    KnownModel model;
    model.name = entry.text("name");
    model.flavor = entry.text("flavor");
    model.source = entry.text("source");
    model.params = entry.whole("params");
    model.paramsEmbedding = entry.whole("params_embedding");
    model.paramsActive = entry.whole("params_active");
    model.layers = entry.whole("layers");
    model.heads = entry.whole("heads");
    model.headDim = entry.whole("head_dim");
    return model;
}

/// Puts the file's entries before those of the list, on a layer above them. Returns the first error in them;
/// "" if there is none.
template<typename T, typename Make>
std::string prepend(const toml::table& root, std::string_view key, std::vector<T>& list, const Make& make)
{
    std::string complaint;
    int layer = 0;
    for (const T& entry : list)
        layer = std::max(layer, entry.layer);
    std::vector<T> own;
    if (const toml::array* entries = root[key].as_array()) {
        for (const toml::node& node : *entries) {
            const toml::table* table = node.as_table();
            if (!table)
                continue;
            Entry entry(*table, key, complaint);
            own.push_back(make(entry));
            own.back().layer = layer + 1;
            entry.finish();
        }
    }
    list.insert(list.begin(), own.begin(), own.end());
    return complaint;
}

} // namespace

Result<HardwareDatabase> readHardwareDatabase(const std::string& path, HardwareDatabase hardware)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return Error{Error::Kind::NotFound, "Cannot open " + path + "."};
    // Read up to a limit, because the path given by the user may be a device that never ends.
    constexpr std::size_t most = std::size_t{4} << 20;
    std::string text;
    char piece[std::size_t{16} << 10];
    while (text.size() <= most && file.read(piece, sizeof piece).gcount() > 0)
        text.append(piece, static_cast<std::size_t>(file.gcount()));
    if (text.size() > most || hasTooManyDots(text))
        return Error{Error::Kind::TooLarge,
                     path + " is larger or more deeply nested than any table of devices.", path};
    toml::table root;
    try {
        root = toml::parse(text);
    } catch (const toml::parse_error& error) {
        return Error{Error::Kind::Format,
                     path + " is not valid TOML: " + std::string(error.description()) + " in line "
                         + std::to_string(error.source().begin.line) + "."};
    }
    std::string complaint = prepend(root, "device", hardware.devices, deviceOf);
    if (complaint.empty())
        complaint = prepend(root, "model", hardware.models, modelOf);
    if (!complaint.empty())
        return Error{Error::Kind::Format, path + ": " + complaint, path};
    return hardware;
}

} // namespace collscope
