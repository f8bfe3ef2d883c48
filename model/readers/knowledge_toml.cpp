// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/knowledge_toml.h"

#include <fstream>
#include <iterator>

#include <toml++/toml.h>

namespace collscope {

namespace {

std::optional<double> number(const toml::table& entry, std::string_view key)
{
    const auto value = entry[key].value<double>();
    return value && *value > 0 ? value : std::nullopt;
}

std::optional<std::int64_t> whole(const toml::table& entry, std::string_view key)
{
    const auto value = entry[key].value_exact<std::int64_t>();
    return value && *value > 0 ? value : std::nullopt;
}

std::optional<std::int32_t> small(const toml::table& entry, std::string_view key)
{
    const auto value = whole(entry, key);
    return value && *value <= 1'000'000 ? std::optional(static_cast<std::int32_t>(*value)) : std::nullopt;
}

DevicePeak deviceOf(const toml::table& entry)
{
    DevicePeak device;
    device.name = entry["name"].value_or(std::string());
    device.source = entry["source"].value_or(std::string());
    if (const toml::array* words = entry["matches"].as_array()) {
        for (const toml::node& word : *words)
            device.matches.push_back(word.value_or(std::string()));
    }
    std::erase(device.matches, "");
    device.bf16Tflops = number(entry, "bf16_tflops");
    device.fp8Tflops = number(entry, "fp8_tflops");
    device.tf32Tflops = number(entry, "tf32_tflops");
    device.memoryGbps = number(entry, "memory_gbps");
    device.linkGbps = number(entry, "link_gbps");
    device.links = small(entry, "links");
    device.multiprocessors = small(entry, "multiprocessors");
    return device;
}

KnownModel modelOf(const toml::table& entry)
{
    KnownModel model;
    model.name = entry["name"].value_or(std::string());
    model.flavor = entry["flavor"].value_or(std::string());
    model.source = entry["source"].value_or(std::string());
    model.params = whole(entry, "params");
    model.paramsEmbedding = whole(entry, "params_embedding");
    model.paramsActive = whole(entry, "params_active");
    model.layers = whole(entry, "layers");
    model.heads = whole(entry, "heads");
    model.headDim = whole(entry, "head_dim");
    return model;
}

template<typename T, typename Make>
void prepend(const toml::table& root, std::string_view key, std::vector<T>& list, const Make& make)
{
    std::vector<T> own;
    if (const toml::array* entries = root[key].as_array()) {
        for (const toml::node& node : *entries) {
            if (const toml::table* entry = node.as_table())
                own.push_back(make(*entry));
        }
    }
    list.insert(list.begin(), own.begin(), own.end());
}

} // namespace

Result<Knowledge> readKnowledge(const std::string& path, Knowledge knowledge)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return Error{Error::Kind::NotFound, "Cannot open " + path + "."};
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    toml::table root;
    try {
        root = toml::parse(text);
    } catch (const toml::parse_error& error) {
        return Error{Error::Kind::Format,
                     path + " is not valid TOML: " + std::string(error.description()) + " in line "
                         + std::to_string(error.source().begin.line) + "."};
    }
    prepend(root, "device", knowledge.devices, deviceOf);
    prepend(root, "model", knowledge.models, modelOf);
    for (const DevicePeak& device : knowledge.devices) {
        if (device.name.empty() || device.matches.empty())
            return Error{Error::Kind::Format,
                         path + ": a [[device]] needs a name and the words that it matches."};
    }
    for (const KnownModel& model : knowledge.models) {
        if (model.name.empty())
            return Error{Error::Kind::Format, path + ": a [[model]] needs a name."};
    }
    return knowledge;
}

} // namespace collscope
