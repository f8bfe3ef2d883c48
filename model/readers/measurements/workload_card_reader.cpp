// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/measurements/yaml_repair.h"
#include "model/readers/text/measurement_text.h"
#include "model/text/lower_case.h"
#include "model/text/trimmed.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <initializer_list>
#include <set>
#include <vector>

#include <yaml-cpp/yaml.h>

namespace collscope {

namespace {

constexpr std::size_t largestCard = 4u << 20; ///< cards are a few KiB

/// Normalizes a key, which cards write with - or _ and in either case ("Model-executor", "model_executor").
std::string keyOf(std::string_view text)
{
    std::string key = lowered(trimmed(text));
    std::replace(key.begin(), key.end(), '-', '_');
    return key;
}

/// Whether cards use this word for "not known".
bool isPlaceholder(std::string_view text)
{
    static const std::set<std::string, std::less<>> words{"",    "~",       "n/a", "na", "none", "null",
                                                          "tbd", "unknown", "-",   "?",  "todo"};
    return words.contains(lowered(text));
}

/// A view of a node that accepts missing keys, scalars and lists in place of one another, because cards mix
/// them up.
class Field
{
public:
    Field(const YAML::Node& node, std::string path)
        : m_node(node)
        , m_path(std::move(path))
    { }

    /// The child of that name, in any spelling; an empty field if there is none.
    Field operator[](std::string_view name) const
    {
        if (m_node.IsDefined() && m_node.IsMap()) {
            for (const auto& child : m_node) {
                if (child.first.IsScalar() && keyOf(child.first.Scalar()) == name)
                    return {child.second,
                            m_path.empty() ? std::string(name) : m_path + '.' + std::string(name)};
            }
        }
        return {YAML::Node(YAML::NodeType::Undefined), m_path};
    }
    /// The first of several spellings whose field is not empty.
    Field any(std::initializer_list<std::string_view> names) const
    {
        for (const std::string_view name : names) {
            if (Field field = (*this)[name]; !field.isEmpty())
                return field;
        }
        return {YAML::Node(YAML::NodeType::Undefined), m_path};
    }
    bool isEmpty() const
    {
        return !m_node.IsDefined() || m_node.IsNull()
            || (m_node.IsScalar() && trimmed(m_node.Scalar()).empty());
    }
    bool isMap() const { return m_node.IsDefined() && m_node.IsMap(); }
    const std::string& path() const { return m_path; }

    std::string text() const
    {
        return m_node.IsDefined() && m_node.IsScalar() ? std::string(trimmed(m_node.Scalar()))
                                                       : std::string();
    }
    /// All scalars of a list, or of one text that is separated by commas.
    std::vector<std::string> texts() const
    {
        std::vector<std::string> all;
        const auto split = [&](std::string_view text) {
            while (!text.empty()) {
                const std::size_t comma = std::min(text.find(','), text.size());
                if (const std::string_view part = trimmed(text.substr(0, comma)); !part.empty())
                    all.emplace_back(part);
                text.remove_prefix(std::min(comma + 1, text.size()));
            }
        };
        if (m_node.IsDefined() && m_node.IsScalar())
            split(m_node.Scalar());
        if (m_node.IsDefined() && m_node.IsSequence()) {
            for (const auto& item : m_node) {
                if (item.IsScalar())
                    split(item.Scalar());
            }
        }
        return all;
    }

private:
    YAML::Node m_node;
    std::string m_path;
};

std::optional<double> numberOf(std::string_view written)
{
    // YAML 1.1 has 250_000_000, and cards also have 250,000,000.
    std::string text(trimmed(written));
    text.erase(std::remove_if(text.begin(), text.end(), [](char c) { return c == '_' || c == ','; }),
               text.end());
    double value = 0;
    const char* const begin = text.data() + (text.starts_with('+') ? 1 : 0);
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value > -1e18 && value < 1e18))
        return std::nullopt;
    return value;
}

class CardReader
{
public:
    CardReader(const SourceFile& file, Diagnostics& problems)
        : m_file(file)
        , m_problems(problems)
    { }

    WorkloadCard read(const YAML::Node& root)
    {
        const Field top(root, "");
        const Field workload = top["workload"];
        m_card.path = m_file.path;
        m_card.description = top["description"].text();
        m_card.huggingFaceUrl = top["hf_url"].text();
        m_card.traceUrl = top["trace_url"].text();
        readModel(workload["model"]);
        readData(workload["data"]);
        readHardware(workload["hardware"]);
        // 32 published cards nest the executor under workload.
        const Field executor = top["model_executor"];
        readExecutor(executor.isMap() ? executor : workload["model_executor"]);
        const Field traces = top["metric_source"];
        m_card.traceTypes = lowerTexts(traces["traces"]);
        m_card.metricSpecificTraces
            = lowerTexts(traces.any({"metrics_specific_trace", "metric_specific_trace",
                                     "metrics_specific_traces", "metric_specific_traces"}));
        readOlderSchema(top["parallelism"], top["hardware"]);
        return std::move(m_card);
    }

private:
    void notice(std::string_view code, std::string_view explanation)
    {
        m_problems.add(Severity::Notice, code, m_file.path, 0, explanation);
    }

    std::optional<double> number(const Field& field)
    {
        const std::string text = field.text();
        if (isPlaceholder(text))
            return std::nullopt;
        const std::optional<double> value = numberOf(text);
        if (!value)
            notice("card_field",
                   "The card's " + field.path() + " is not a number (\"" + text + "\"); it was ignored.");
        return value;
    }
    /// A count, which is only meaningful as an integer above zero.
    std::optional<std::int64_t> count(const Field& field)
    {
        const std::optional<double> value = number(field);
        if (!value || *value < 1)
            return std::nullopt;
        const auto whole = static_cast<std::int64_t>(*value);
        if (static_cast<double>(whole) != *value) {
            notice("card_field", "The card's " + field.path() + " is not an integer; it was ignored.");
            return std::nullopt;
        }
        return whole;
    }
    static std::vector<std::string> lowerTexts(const Field& field)
    {
        std::vector<std::string> texts;
        for (const std::string& text : field.texts()) {
            if (!isPlaceholder(text))
                texts.push_back(lowered(text));
        }
        return texts;
    }

    void readModel(const Field& model)
    {
        m_card.phase = lowered(model["phase"].text());
        const std::string moe = lowered(model["moe"].text());
        if (moe == "true" || moe == "yes" || moe == "on" || moe == "1")
            m_card.moe = true;
        else if (moe == "false" || moe == "no" || moe == "off" || moe == "0")
            m_card.moe = false;
        m_card.modelFamily = model.any({"model_family", "name"}).text();
        m_card.precision = lowered(model["precision"].text());
        if (isPlaceholder(m_card.precision))
            m_card.precision.clear();
        m_card.iteration = count(model["iteration"]);
        // 12 published cards omit the level of model_arch.
        const Field nested = model["model_arch"];
        const Field& arch = nested.isMap() ? nested : model;
        m_card.numParams = count(arch["num_params"]);
        m_card.numParamsEmbedding = count(arch["num_params_embedding"]);
        m_card.numParamsActive = count(arch["num_params_active"]);
        m_card.numLayers = count(arch["num_layers"]);
        m_card.numHeads = count(arch["num_heads"]);
        m_card.headDim = count(arch["head_dim"]);
        const std::optional<std::int64_t> hidden = count(arch["hidden_size"]);
        if (!m_card.headDim && hidden && m_card.numHeads && *hidden % *m_card.numHeads == 0)
            m_card.headDim = *hidden / *m_card.numHeads;
    }

    void readData(const Field& data)
    {
        for (const std::string& text : data["batch_size"].texts()) {
            if (const std::optional<double> size = numberOf(text); size && *size >= 1)
                m_card.batchSizes.push_back(static_cast<std::int64_t>(*size));
        }
        m_card.batchSize = count(data["global_batch_size"]);
        if (!m_card.batchSize && m_card.batchSizes.size() == 1)
            m_card.batchSize = m_card.batchSizes.front();
        if (!m_card.batchSize && m_card.batchSizes.size() > 1)
            m_card.batchSize = batchOfFolder();
        m_card.localBatchSize = count(data["local_batch_size"]);
        m_card.seqLen = count(data.any({"seq_len", "sequence_length"}));
        m_card.inputLen = count(data["input_len"]);
        m_card.outputLen = count(data["output_len"]);
        m_card.dataset = data["dataset"].text();
    }

    /// A card with a list of batch sizes describes several runs: the folder (batch_8, b_8) shows which size
    /// applies.
    std::optional<std::int64_t> batchOfFolder()
    {
        std::error_code ignored;
        const std::string& named = m_file.originalPath.empty() ? m_file.path : m_file.originalPath;
        for (std::filesystem::path folder = std::filesystem::absolute(named, ignored).parent_path();
             folder.has_filename(); folder = folder.parent_path()) {
            std::string name = lowered(folder.filename().string());
            std::replace(name.begin(), name.end(), '-', '_');
            for (const std::int64_t size : m_card.batchSizes) {
                const std::string number = std::to_string(size);
                for (const std::string& mark : {"batch_" + number, "batch" + number, "b_" + number}) {
                    const std::size_t at = name.find(mark);
                    const std::size_t end = at + mark.size();
                    const bool begins = at == 0 || (at != std::string::npos && name[at - 1] == '_');
                    if (begins && (end == name.size() || name[end] < '0' || name[end] > '9'))
                        return size;
                }
            }
        }
        notice("batch_unknown",
               "The card lists several batch sizes, and no folder name (batch_8, b_8) shows which one "
               "applies; metrics that need it are missing.");
        return std::nullopt;
    }

    void readHardware(const Field& hardware)
    {
        const Field network = hardware["network_topo"];
        m_card.topology = network["topology"].text();
        const std::vector<std::string> speeds = network["bandwidth_gbps"].texts();
        if (!speeds.empty())
            m_card.scaleOutGbps = numberOf(speeds[0]); // "TBD" and "N/A" are not numbers
        if (speeds.size() > 1)
            m_card.scaleUpGbps = numberOf(speeds[1]);
        const Field device = hardware["xpu_spec"];
        m_card.deviceType = device["type"].text();
        m_card.deviceModel = device["model"].text();
        m_card.totalCount = count(device["total_count"]);
        m_card.countPerNode = count(device["count_per_node"]);
        m_card.driverVersion = hardware["driver_version"].text();
    }

    void readExecutor(const Field& executor)
    {
        const Field framework = executor["framework"];
        m_card.framework = framework.isMap() ? framework["name"].text() : framework.text();
        m_card.compilerTool = framework["compiler_tool_selection"].text();
        const Field library = executor["communication_library"];
        m_card.communicationLibrary = library.isMap() ? library["name"].text() : library.text();
        m_card.communicationLibraryVersion = library["version"].text();
        m_card.protocols = executor["protocol_selection"].texts();
        std::erase_if(m_card.protocols, [](const std::string& text) { return isPlaceholder(text); });

        const Field plan = executor["model_plan_parallelization"];
        Parallelism& p = m_card.parallelism;
        p.dpReplicate = count(plan["dp_replicate"]);
        p.dpShard = count(plan["dp_shard"]);
        p.tp = count(plan["tp"]);
        p.pp = count(plan["pp"]);
        p.cp = count(plan["cp"]);
        p.ep = count(plan["ep"]);
        p.microBatches = count(plan["pp_mb"]);
        assumeNoSharding();
    }

    /// A card that states degrees but not dp_shard means 1, unlike TorchTitan, where it means the rest of the
    /// GPUs.
    void assumeNoSharding()
    {
        Parallelism& p = m_card.parallelism;
        if (!p.dpShard && (p.dpReplicate || p.tp || p.pp || p.cp))
            p.dpShard = 1;
    }

    void readOlderSchema(const Field& degrees, const Field& hardware)
    {
        if (degrees.isMap()) {
            Parallelism& p = m_card.parallelism;
            const auto take = [](std::optional<std::int64_t>& known, std::optional<std::int64_t> written) {
                if (!known)
                    known = written;
            };
            const std::optional<std::int64_t> sharded = count(degrees.any({"dp_shard", "dp_sharded"}));
            const std::optional<std::int64_t> replicated = count(degrees.any({"dp_repl", "dp_replicate"}));
            const std::optional<std::int64_t> dp = count(degrees["dp"]);
            if (!p.dpShard || *p.dpShard == 1)
                p.dpShard = sharded ? sharded : p.dpShard;
            take(p.dpReplicate, replicated);
            // "dp" is the product; the part that sharding does not explain is replication.
            if (dp && (!sharded || *dp % *sharded == 0))
                take(p.dpReplicate, *dp / sharded.value_or(1));
            take(p.tp, count(degrees["tp"]));
            take(p.pp, count(degrees["pp"]));
            take(p.cp, count(degrees["cp"]));
            take(p.ep, count(degrees["ep"]));
            assumeNoSharding();
            take(m_card.totalCount, count(degrees["world_size"]));
        }
        if (!hardware.isMap())
            return;
        if (m_card.deviceModel.empty())
            m_card.deviceModel = hardware["gpu_model"].text();
        if (m_card.topology.empty())
            m_card.topology = hardware["interconnect"].text();
        if (!m_card.totalCount)
            m_card.totalCount = count(hardware["num_gpus"]);
    }

    const SourceFile& m_file;
    Diagnostics& m_problems;
    WorkloadCard m_card;
};

bool hasTopLevelKey(std::string_view head, std::string_view key)
{
    for (std::size_t at = head.find(key); at != std::string_view::npos; at = head.find(key, at + 1)) {
        const std::string_view rest = head.substr(at + key.size());
        if ((at == 0 || head[at - 1] == '\n')
            && rest.substr(0, rest.find('\n')).find(':') != std::string_view::npos
            && trimmed(rest.substr(0, rest.find(':'))).empty())
            return true;
    }
    return false;
}

Sniff sniffCard(std::string_view fileName, std::string_view head)
{
    const std::string lower = lowered(fileName);
    if (!lower.ends_with(".yaml") && !lower.ends_with(".yml"))
        return Sniff::No;
    if (head.starts_with("\xEF\xBB\xBF"))
        head.remove_prefix(3);
    const bool older = hasTopLevelKey(head, "parallelism") && hasTopLevelKey(head, "hardware");
    return older || hasTopLevelKey(head, "workload") ? Sniff::Yes : Sniff::No;
}

Result<TraceFragment> readCard(const SourceFile& file, const ReadContext& context)
{
    TraceFragment fragment = fragmentOf(file, SourceKind::WorkloadCard);
    const auto text = readText(file, context, fragment.problems, largestCard);
    if (!text)
        return text.error();
    try {
        const Result<std::string> yaml = repairedYaml(*text, file.path, fragment.problems);
        if (!yaml)
            return yaml.error();
        const YAML::Node root = YAML::Load(yaml.value());
        const Field top(root, "");
        if (!top.any({"workload", "parallelism", "hardware"}).isMap())
            return Error{Error::Kind::Format,
                         "The file contains no `workload:` keys; if they are there, a quotation mark above "
                         "them was never closed.",
                         file.path, 0};
        fragment.card = CardReader(file, fragment.problems).read(root);
    } catch (const std::exception& failure) {
        return Error{Error::Kind::Format, std::string("The card cannot be read: ") + failure.what() + ".",
                     file.path, 0};
    }
    context.progress(file.bytes);
    return fragment;
}

} // namespace

extern const ReaderDescriptor workloadCardReader;
const ReaderDescriptor workloadCardReader{"card", "Workload card (YAML)", SourceKind::WorkloadCard, sniffCard,
                                          readCard};

} // namespace collscope
