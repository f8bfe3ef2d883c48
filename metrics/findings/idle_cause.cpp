// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/findings/idle_cause.h"

#include "model/text/lower_case.h"

#include <algorithm>

namespace collscope {

namespace {

struct CauseText
{
    std::string_view name, text;
};
constexpr CauseText causeTexts[idleCauseCount]
    = {{"synchronises", "the CPU waits for the GPU before it launches more"},
       {"allocates", "the CPU allocates or frees memory"},
       {"loads_data", "the CPU waits for input data"},
       {"compiles", "the CPU compiles or loads kernels"},
       {"collects_garbage", "Python collects garbage"},
       {"profiles", "the profiler itself is busy"},
       {"saves", "the CPU writes a checkpoint"},
       {"cpu_bound", "the CPU works and launches too late"},
       {"waits_on_stream", "queued work waits for another stream"},
       {"outside", "nothing was recorded on the thread that launches"},
       {"not_recorded", "the files do not contain the CPU events that would tell why"},
       {"launch_overhead", "the kernels are shorter than the time that it takes to launch them"},
       {"unexplained", "queued work does not start, and the trace does not show what held it"}};

} // namespace

/// The names as data, apart from everything else that has such short names.
namespace idle_names {

namespace {

enum class Where : std::uint8_t
{
    Is, ///< the whole name
    Begins,
    Contains
};

/// One rule: the name, in lower case, and what else it must or must not contain.
struct NameRule
{
    NameMeaning meaning;
    Where where;
    std::string_view text;
    std::string_view also = {}; ///< must be contained, too
    std::string_view unless = {}; ///< must not be contained
};

constexpr NameMeaning synchronises = meaningOf(IdleCause::Synchronises);
constexpr NameMeaning allocates = meaningOf(IdleCause::Allocates);
constexpr NameMeaning loads = meaningOf(IdleCause::LoadsData);
constexpr NameMeaning compiles = meaningOf(IdleCause::Compiles);
constexpr NameMeaning collects = meaningOf(IdleCause::CollectsGarbage);
constexpr NameMeaning profiles = meaningOf(IdleCause::Profiles);
constexpr NameMeaning saves = meaningOf(IdleCause::Saves);
constexpr auto annotation = NameMeaning::Annotation;
constexpr auto Is = Where::Is;
constexpr auto Begins = Where::Begins;
constexpr auto Contains = Where::Contains;

/// The names, with their source. The first rule that fits counts.
constexpr NameRule nameRules[] = {
    // CUDA Runtime API, "Stream Management", "Device Management", "Event Management"
    {synchronises, Is, "cudastreamsynchronize"},
    {synchronises, Is, "cudadevicesynchronize"},
    {synchronises, Is, "cudaeventsynchronize"},
    {synchronises, Is, "cudathreadsynchronize"},
    // CUDA Driver API; cuda_sync events of Kineto (libkineto, CuptiActivity.cpp)
    {synchronises, Begins, "custreamsynchronize"},
    {synchronises, Is, "cuctxsynchronize"},
    {synchronises, Is, "cueventsynchronize"},
    // HIP Runtime API, "Stream Management", "Event Management"
    {synchronises, Is, "hipstreamsynchronize"},
    {synchronises, Is, "hipdevicesynchronize"},
    {synchronises, Is, "hipeventsynchronize"},
    // Level Zero Core API; Unified Runtime (oneapi-src/unified-runtime)
    {synchronises, Is, "zecommandqueuesynchronize"},
    {synchronises, Is, "zecommandlisthostsynchronize"},
    {synchronises, Is, "zeeventhostsynchronize"},
    {synchronises, Is, "zefencehostsynchronize"},
    {synchronises, Is, "urqueuefinish"},
    {synchronises, Is, "ureventwait"},
    // CUDA Runtime API, "API synchronization behavior": these return after the copy
    {synchronises, Is, "cudamemcpy"},
    {synchronises, Is, "cudamemcpy2d"},
    {synchronises, Is, "cudamemcpy3d"},
    {synchronises, Begins, "cumemcpydtoh", {}, "async"},
    {synchronises, Begins, "cumemcpyhtod", {}, "async"},
    {synchronises, Is, "hipmemcpy"},
    {synchronises, Is, "hipmemcpywithstream"},
    // PyTorch, aten/src/ATen/native/cuda/CUDAScalar.cu and Nonzero.cu: the value is read back
    {synchronises, Is, "aten::item"},
    {synchronises, Is, "aten::_local_scalar_dense"},
    {synchronises, Is, "aten::nonzero"},
    // CUDA Runtime API, "Memory Management"; Driver API, "Virtual Memory Management" (expandable segments)
    {allocates, Begins, "cudamalloc"},
    {allocates, Begins, "cudafree"},
    {allocates, Begins, "cudahostalloc"},
    {allocates, Begins, "cudahostregister"},
    {allocates, Begins, "cudahostunregister"},
    {allocates, Begins, "cumemalloc"},
    {allocates, Begins, "cumemfree"},
    {allocates, Begins, "cumemcreate"},
    {allocates, Begins, "cumemmap"},
    {allocates, Begins, "cumemunmap"},
    {allocates, Begins, "cumemrelease"},
    {allocates, Begins, "cumemaddress"},
    {allocates, Begins, "cumemsetaccess"},
    // HIP Runtime API, "Memory Management"; Level Zero Core API; Unified Runtime
    {allocates, Begins, "hipmalloc"},
    {allocates, Begins, "hipextmalloc"},
    {allocates, Begins, "hipfree"},
    {allocates, Begins, "hiphostmalloc"},
    {allocates, Begins, "hiphostfree"},
    {allocates, Begins, "zememalloc"},
    {allocates, Begins, "zememfree"},
    {allocates, Begins, "urusm", "alloc"},
    // PyTorch, torch/utils/data/dataloader.py and aten/src/ATen/native/Memory.cpp
    {loads, Begins, "enumerate(dataloader)"},
    {loads, Contains, "torch/utils/data/"},
    {loads, Is, "aten::pin_memory"},
    {loads, Is, "aten::_pin_memory"},
    {loads, Contains, "pin_memory.py"},
    // TorchTitan, torchtitan/train.py; Megatron-LM, pretrain_gpt.py
    {loads, Contains, ": batch_generator"},
    {loads, Contains, ": next_batch"},
    {loads, Contains, ": get_batch"},
    // PyTorch: these files work only while something is compiled; their neighbours also run compiled code
    {compiles, Contains, "torch/_dynamo/convert_frame.py"},
    {compiles, Contains, "torch/_dynamo/symbolic_convert.py"},
    {compiles, Contains, "torch/_dynamo/output_graph.py"},
    {compiles, Contains, "torch/_inductor/compile_fx.py", ": compile_fx"},
    {compiles, Contains, "torch/_inductor/compile_fx.py", ": _compile_fx"},
    {compiles, Contains, "torch/_inductor/compile_fx.py", ": fx_codegen"},
    {compiles, Contains, "torch/_inductor/graph.py"},
    {compiles, Contains, "torch/_inductor/scheduler.py"},
    {compiles, Contains, "torch/_inductor/codegen/"},
    {compiles, Contains, "torch/_inductor/async_compile.py"},
    {compiles, Contains, "torch/_inductor/codecache.py", ": load"},
    {compiles, Contains, "(dynamo_timed)"}, // torch/_dynamo/utils.py
    {NameMeaning::FirstCall, Begins, "torch-compiled region"}, // torch/csrc/dynamo/eval_frame.c
    // triton-lang/triton: python/triton/compiler and runtime/autotuner.py
    {compiles, Contains, "triton/compiler/", ": compile"},
    {compiles, Contains, "triton/compiler/", ": make_"},
    {compiles, Contains, "triton/runtime/autotuner.py", ": _bench"},
    // CUDA Runtime and Driver API, "Module Management", "Library Management"; NVRTC; HIP; Level Zero
    {compiles, Begins, "cudamoduleload"},
    {compiles, Begins, "cudalibraryload"},
    {compiles, Begins, "cumoduleload"},
    {compiles, Begins, "culibraryload"},
    {compiles, Is, "nvrtccompileprogram"},
    {compiles, Begins, "hipmoduleload"},
    {compiles, Is, "hiprtccompileprogram"},
    {compiles, Is, "zemodulecreate"},
    {compiles, Begins, "urprogrambuild"},
    // PyTorch, torch/csrc/autograd/profiler_python.cpp and torch/profiler: events of CPython's collector
    {collects, Is, "python gc"},
    {collects, Contains, "gc.collect"},
    {collects, Is, "<built-in function collect>"},
    // PyTorch, torch/serialization.py and torch/distributed/checkpoint; Safetensors
    {saves, Contains, "torch/serialization.py", "save"},
    {saves, Contains, "distributed/checkpoint/", {}, "load"},
    {saves, Contains, "safetensors/", "save_file"},
    // What may block or not
    {NameMeaning::CopyCall, Contains, "memcpy"},
    // PyTorch, torch/profiler/profiler.py and torch/optim/optimizer.py: labels, also as operators
    {annotation, Begins, "profilerstep"},
    {annotation, Begins, "optimizer.step#"},
    {annotation, Begins, "optimizer.zero_grad#"}};

/// Kinds of the profiler's overhead that are work for the program (libkineto, CuptiActivity.cpp).
constexpr NameRule overheadRules[] = {{compiles, Is, "driver compiler"},
                                      {compiles, Is, "driver_compiler"},
                                      {compiles, Contains, "module loading"},
                                      {compiles, Contains, "lazy function loading"}};

bool fits(const NameRule& rule, std::string_view lower)
{
    const bool isThere = rule.where == Is ? lower == rule.text
        : rule.where == Begins            ? lower.starts_with(rule.text)
                                          : lower.find(rule.text) != std::string_view::npos;
    return isThere && (rule.also.empty() || lower.find(rule.also) != std::string_view::npos)
        && (rule.unless.empty() || lower.find(rule.unless) == std::string_view::npos);
}

NameMeaning meaningIn(std::span<const NameRule> rules, std::string_view lower, NameMeaning otherwise)
{
    const auto rule
        = std::find_if(rules.begin(), rules.end(), [&](const NameRule& r) { return fits(r, lower); });
    return rule != rules.end() ? rule->meaning : otherwise;
}

} // namespace

} // namespace idle_names

std::string_view idleCauseName(IdleCause cause)
{
    return causeTexts[static_cast<std::size_t>(cause)].name;
}

std::string_view idleCauseText(IdleCause cause)
{
    return causeTexts[static_cast<std::size_t>(cause)].text;
}

NameMeaning CauseNames::of(SliceCategory category, StringId name)
{
    if (category == SliceCategory::Overhead)
        return idle_names::meaningIn(idle_names::overheadRules, lowered(m_model.text(name)),
                                     meaningOf(IdleCause::Profiles));
    if (!name)
        return NameMeaning::Work;
    NameMeaning& meaning = m_meanings[name.value];
    if (meaning == NameMeaning::Unseen)
        meaning
            = idle_names::meaningIn(idle_names::nameRules, lowered(m_model.text(name)), NameMeaning::Work);
    const bool isLabel = category == SliceCategory::UserAnnotation || category == SliceCategory::Nvtx;
    return isLabel && !isCause(meaning) ? NameMeaning::Annotation : meaning;
}

} // namespace collscope
