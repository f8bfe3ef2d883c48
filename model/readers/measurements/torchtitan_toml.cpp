// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/text/measurement_text.h"
#include "model/readers/text/nesting.h"

#include <toml++/toml.h>

namespace collscope {

namespace {

constexpr std::size_t largestFile = 4u << 20; ///< job configurations are a few KiB

/// Whether the text has a table header that every TorchTitan configuration has and hardly any other TOML
/// (Cargo, pyproject) does.
bool hasTable(std::string_view head, std::string_view header)
{
    for (std::size_t at = head.find(header); at != std::string_view::npos; at = head.find(header, at + 1)) {
        if (at == 0 || head[at - 1] == '\n')
            return true;
    }
    return false;
}

Sniff sniffTorchTitan(std::string_view fileName, std::string_view head)
{
    if (!fileName.ends_with(".toml"))
        return Sniff::No;
    return hasTable(head, "[training]") || hasTable(head, "[parallelism]") ? Sniff::Yes : Sniff::No;
}

/// The keys of one table; older spellings of a key are tried after the current one.
class Section
{
public:
    Section(const toml::table& root, std::string_view name)
        : m_table(root[name].as_table())
    { }

    std::string text(std::string_view key) const
    {
        const toml::node* const node = find(key);
        return node ? node->value<std::string>().value_or("") : std::string();
    }
    std::optional<std::int64_t> integer(std::string_view key) const
    {
        // Exactly an integer: toml++ would also cast 8.0, and numbers that do not fit an integer (1e30).
        const toml::node* const node = find(key);
        return node ? node->value_exact<std::int64_t>() : std::nullopt;
    }
    /// A degree or size; TorchTitan's -1 means "determine it automatically" and is not usable as a number.
    std::optional<std::int64_t> positive(std::string_view key) const
    {
        const std::optional<std::int64_t> value = integer(key);
        return value && *value > 0 ? value : std::nullopt;
    }

private:
    const toml::node* find(std::string_view key) const { return m_table ? m_table->get(key) : nullptr; }

    const toml::table* m_table;
};

std::optional<std::int64_t> either(std::optional<std::int64_t> now, std::optional<std::int64_t> older)
{
    return now ? now : older;
}

Parallelism parallelismOf(const toml::table& root)
{
    const Section now(root, "parallelism");
    const Section training(root, "training");
    const Section experimental(root, "experimental");
    const auto degree = [&](std::string_view key) {
        return either(now.positive(key), either(experimental.positive(key), training.positive(key)));
    };
    Parallelism p;
    p.dpReplicate = degree("data_parallel_replicate_degree");
    p.dpShard = either(degree("data_parallel_shard_degree"), training.positive("data_parallel_degree"));
    p.tp = degree("tensor_parallel_degree");
    p.pp = degree("pipeline_parallel_degree");
    p.cp = degree("context_parallel_degree");
    p.ep = degree("expert_parallel_degree");
    p.microBatches = degree("pipeline_parallel_microbatches");
    return p;
}

TrainConfig configOf(const toml::table& root, const std::string& path)
{
    const Section job(root, "job");
    const Section model(root, "model");
    const Section training(root, "training");
    const Section parallelism(root, "parallelism");
    const Section experimental(root, "experimental");
    TrainConfig config;
    config.path = path;
    config.description = job.text("description");
    config.modelName = model.text("name");
    config.modelFlavor = model.text("flavor");
    config.localBatchSize = either(training.positive("local_batch_size"), training.positive("batch_size"));
    config.seqLen = training.positive("seq_len");
    config.steps = training.positive("steps");
    // The type of matrix computations: with mixed precision, `dtype` is only the type of the stored weights.
    config.dtype = training.text("mixed_precision_param");
    if (config.dtype.empty())
        config.dtype = training.text("dtype");
    config.parallelism = parallelismOf(root);
    config.globalBatchSize = training.positive("global_batch_size");
    // -1, or a missing key, means local batch x data-parallel degree, which requires the sharding degree.
    const Parallelism data{config.parallelism.dpReplicate, config.parallelism.dpShard, {}, {}, {}, {}, {}};
    std::int64_t global = 0;
    if (const auto degree = data.worldSize(); !config.globalBatchSize && config.localBatchSize && degree
        && !__builtin_mul_overflow(*config.localBatchSize, *degree, &global))
        config.globalBatchSize = global;
    config.pipelineSchedule = parallelism.text("pipeline_parallel_schedule");
    if (config.pipelineSchedule.empty())
        config.pipelineSchedule = experimental.text("pipeline_parallel_schedule");
    config.pipelineMicrobatchSize = parallelism.positive("pipeline_parallel_microbatch_size");
    config.commBackend = Section(root, "comm").text("backend");
    config.activationCheckpoint = Section(root, "activation_checkpoint").text("mode");
    return config;
}

Result<TraceFragment> readTorchTitan(const SourceFile& file, const ReadContext& context)
{
    TraceFragment fragment = fragmentOf(file, SourceKind::TorchTitan);
    const auto text = readText(file, context, fragment.problems, largestFile);
    if (!text)
        return text.error();
    if (hasTooManyDots(*text))
        return Error{Error::Kind::Format, "The file nests tables too deeply for a job configuration.",
                     file.path, 0};
    try {
        fragment.trainConfig = configOf(toml::parse(*text), file.path);
    } catch (const toml::parse_error& failure) {
        return Error{Error::Kind::Format,
                     "The file is not valid TOML (line " + std::to_string(failure.source().begin.line) + ": "
                         + std::string(failure.description()) + "); correct that line.",
                     file.path, 0};
    } catch (const std::exception& failure) {
        return Error{Error::Kind::Format,
                     std::string("The file cannot be read as TOML: ") + failure.what() + ".", file.path, 0};
    }
    context.progress(file.bytes);
    return fragment;
}

} // namespace

extern const ReaderDescriptor torchTitanReader;
const ReaderDescriptor torchTitanReader{"torchtitan", "TorchTitan configuration (TOML)",
                                        SourceKind::TorchTitan, sniffTorchTitan, readTorchTitan};

} // namespace collscope
