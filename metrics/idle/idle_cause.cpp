// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/idle/idle_cause.h"

#include "model/text/lower_case.h"

#include <algorithm>

namespace collscope {

namespace {

struct CauseText
{
    std::string_view name, text;
    bool blamesNextEvent = false;
};
constexpr CauseText causeTexts[idleCauseCount]
    = {{"synchronises", "the CPU waits for the GPU and then launches too late"},
       {"allocates", "the CPU allocates or frees memory"},
       {"loads_data", "the CPU waits for input data"},
       {"compiles", "the CPU compiles or loads kernels"},
       {"collects_garbage", "Python collects garbage"},
       {"profiles", "the profiler itself is busy"},
       {"saves", "the CPU writes a checkpoint"},
       {"waits_for_ranks", "the CPU waits for other ranks"},
       {"copies_from_host", "the CPU copies data to the GPU"},
       {"cpu_bound", "the CPU is busy and launches too late"},
       {"waits_on_stream", "queued work waits for another stream", true},
       {"waits", "the CPU waits for another thread, a process, the network, a file or a time"},
       {"outside", "on the thread that launches, little was recorded", true},
       {"not_recorded", "it is not known what launched the next work", true},
       {"launch_overhead", "the pauses are shorter than the usual time between two launches"},
       {"unexplained", "queued work does not start, and the trace does not show what held it", true}};

} // namespace

/// The names as data, apart from everything else that has such short names.
namespace idle_names {

namespace {

enum class Where : std::uint8_t
{
    Is, ///< the whole name
    Begins,
    Ends,
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
constexpr NameMeaning saves = meaningOf(IdleCause::Saves);
constexpr NameMeaning meets = meaningOf(IdleCause::WaitsForRanks);
constexpr auto annotation = NameMeaning::Annotation;
constexpr auto waits = NameMeaning::Waits;
constexpr auto is = Where::Is;
constexpr auto begins = Where::Begins;
constexpr auto ends = Where::Ends;
constexpr auto contains = Where::Contains;

/// The names, with their source. The first rule that fits counts.
constexpr NameRule nameRules[] = {
    // CUDA Runtime API, "Stream Management", "Device Management", "Event Management"
    {synchronises, is, "cudastreamsynchronize"},
    {synchronises, is, "cudadevicesynchronize"},
    {synchronises, is, "cudaeventsynchronize"},
    {synchronises, is, "cudathreadsynchronize"},
    // CUDA Driver API; cuda_sync events of Kineto (libkineto, CuptiActivity.cpp)
    {synchronises, begins, "custreamsynchronize"},
    {synchronises, is, "cuctxsynchronize"},
    {synchronises, is, "cueventsynchronize"},
    // HIP Runtime API, "Stream Management", "Event Management"
    {synchronises, is, "hipstreamsynchronize"},
    {synchronises, is, "hipdevicesynchronize"},
    {synchronises, is, "hipeventsynchronize"},
    // Level Zero Core API; Unified Runtime (oneapi-src/unified-runtime)
    {synchronises, is, "zecommandqueuesynchronize"},
    {synchronises, is, "zecommandlisthostsynchronize"},
    {synchronises, is, "zeeventhostsynchronize"},
    {synchronises, is, "zefencehostsynchronize"},
    {synchronises, is, "urqueuefinish"},
    {synchronises, is, "ureventwait"},
    // CUDA Runtime API, "API synchronization behavior": these return after the copy
    {synchronises, is, "cudamemcpy"},
    {synchronises, is, "cudamemcpy2d"},
    {synchronises, is, "cudamemcpy3d"},
    {synchronises, begins, "cumemcpydtoh", {}, "async"},
    {synchronises, begins, "cumemcpyhtod", {}, "async"},
    {synchronises, is, "hipmemcpy"},
    {synchronises, is, "hipmemcpywithstream"},
    // PyTorch, aten/src/ATen/native/cuda/CUDAScalar.cu and Nonzero.cu: the value is read back
    {NameMeaning::ReadsBack, is, "aten::item"},
    {NameMeaning::ReadsBack, is, "aten::_local_scalar_dense"},
    {NameMeaning::ReadsBack, is, "aten::nonzero"},
    // CUDA Runtime API, "Memory Management"; Driver API, "Virtual Memory Management" (expandable segments)
    {allocates, begins, "cudamalloc"},
    {allocates, begins, "cudafree"},
    {allocates, begins, "cudahostalloc"},
    {allocates, begins, "cudahostregister"},
    {allocates, begins, "cudahostunregister"},
    {allocates, begins, "cumemalloc"},
    {allocates, begins, "cumemfree"},
    {allocates, begins, "cumemcreate"},
    {allocates, begins, "cumemmap"},
    {allocates, begins, "cumemunmap"},
    {allocates, begins, "cumemrelease"},
    {allocates, begins, "cumemaddress"},
    {allocates, begins, "cumemsetaccess"},
    // HIP Runtime API, "Memory Management"; Level Zero Core API; Unified Runtime
    {allocates, begins, "hipmalloc"},
    {allocates, begins, "hipextmalloc"},
    {allocates, begins, "hipfree"},
    {allocates, begins, "hiphostmalloc"},
    {allocates, begins, "hiphostfree"},
    {allocates, begins, "zememalloc"},
    {allocates, begins, "zememfree"},
    {allocates, begins, "urusm", "alloc"},
    // PyTorch, torch/utils/data/dataloader.py and aten/src/ATen/native/Memory.cpp
    {loads, begins, "enumerate(dataloader)"},
    {loads, contains, "torch/utils/data/"},
    {loads, is, "aten::pin_memory"},
    {loads, is, "aten::_pin_memory"},
    {loads, contains, "pin_memory.py"},
    // TorchTitan, torchtitan/train.py; Megatron-LM, pretrain_gpt.py
    {loads, ends, ": batch_generator"},
    {loads, ends, ": next_batch"},
    {loads, ends, ": get_batch"},
    // PyTorch: these files work only while something is compiled; their neighbours also run compiled code
    {compiles, contains, "torch/_dynamo/convert_frame.py"},
    {compiles, contains, "torch/_dynamo/symbolic_convert.py"},
    {compiles, contains, "torch/_dynamo/output_graph.py"},
    {compiles, contains, "torch/_inductor/compile_fx.py", ": compile_fx"},
    {compiles, contains, "torch/_inductor/compile_fx.py", ": _compile_fx"},
    {compiles, contains, "torch/_inductor/compile_fx.py", ": fx_codegen"},
    {compiles, contains, "torch/_inductor/graph.py"},
    {compiles, contains, "torch/_inductor/scheduler.py"},
    {compiles, contains, "torch/_inductor/codegen/"},
    {compiles, contains, "torch/_inductor/async_compile.py"},
    {compiles, contains, "torch/_inductor/codecache.py", ": load"},
    {compiles, contains, "(dynamo_timed)"}, // torch/_dynamo/utils.py
    {NameMeaning::FirstCall, begins, "torch-compiled region"}, // torch/csrc/dynamo/eval_frame.c
    // triton-lang/triton: python/triton/compiler and runtime/autotuner.py
    {compiles, contains, "triton/compiler/", ": compile"},
    {compiles, contains, "triton/compiler/", ": make_"},
    {compiles, contains, "triton/runtime/autotuner.py", ": _bench"},
    // CUDA Runtime and Driver API, "Module Management", "Library Management"; NVRTC; HIP; Level Zero
    {compiles, begins, "cudamoduleload"},
    {compiles, begins, "cudalibraryload"},
    {compiles, begins, "cumoduleload"},
    {compiles, begins, "culibraryload"},
    {compiles, is, "nvrtccompileprogram"},
    {compiles, begins, "hipmoduleload"},
    {compiles, is, "hiprtccompileprogram"},
    {compiles, is, "zemodulecreate"},
    {compiles, begins, "urprogrambuild"},
    // PyTorch, torch/csrc/autograd/profiler_python.cpp and torch/profiler: events of CPython's collector
    {collects, is, "python gc"},
    {collects, is, "gc.collect"},
    {collects, begins, "gc.collect("},
    {collects, begins, "<built-in method gc.collect"},
    {collects, is, "<built-in function collect>"},
    // PyTorch, torch/serialization.py and torch/distributed/checkpoint; Safetensors
    {saves, contains, "torch/serialization.py", ": save"},
    {saves, contains, "torch/serialization.py", ": _save"},
    {saves, contains, "torch/serialization.py", ": _legacy_save"},
    {saves, contains, "distributed/checkpoint/", ": save"},
    {saves, contains, "distributed/checkpoint/", ": async_save"},
    {saves, contains, "distributed/checkpoint/", ": write_data"},
    {saves, contains, "safetensors/", "save_file"},
    // PyTorch, torch/csrc/distributed/c10d (ProcessGroupGloo.cpp, ProcessGroupMPI.cpp, ProcessGroupUCC.cpp,
    // Ops.cpp, init.cpp) and torch/distributed/distributed_c10d.py: these return when other ranks have come
    {meets, begins, "gloo:"},
    {meets, begins, "mpi:"},
    {meets, begins, "ucc:"},
    {meets, is, "c10d::barrier"},
    {meets, is, "c10d::monitored_barrier_"},
    {meets, contains, "distributed_c10d.py", ": barrier"},
    {meets, contains, "distributed_c10d.py", ": monitored_barrier"},
    {meets, begins, "<built-in method wait of torch._c._distributed_c10d."},
    {meets, begins, "<built-in method get of torch._c._distributed_c10d."},
    // PyTorch, torch/csrc/autograd/python_engine.cpp: the backward pass runs on threads of its own
    {waits, begins, "<built-in method run_backward of torch._c._enginebase"},
    // CPython, Modules/_threadmodule.c, _queuemodule.c, timemodule.c, selectmodule.c, socketmodule.c, _ssl.c,
    // fcntlmodule.c, posixmodule.c and _multiprocessing/semaphore.c; pybind11 names its methods PyCapsule
    {waits, begins, "<built-in method get of _queue."},
    {waits, begins, "<built-in method wait of "},
    {waits, begins, "<built-in method acquire of "},
    {waits, begins, "<built-in method __enter__ of _thread."},
    {waits, begins, "<built-in method __enter__ of _multiprocessing."},
    {waits, begins, "<built-in method recv"},
    {waits, begins, "<built-in method send", "socket"},
    {waits, begins, "<built-in method read of ", "socket"},
    {waits, begins, "<built-in method read of _io."},
    {waits, begins, "<built-in method readinto of "},
    {waits, begins, "<built-in method accept of "},
    {waits, begins, "<built-in method connect of "},
    {waits, begins, "<built-in method poll of "},
    {waits, begins, "<built-in function wait"},
    {waits, is, "<built-in function read>"},
    {waits, is, "<built-in function pread>"},
    {waits, is, "<built-in function fsync>"},
    {waits, is, "<built-in function fdatasync>"},
    {waits, is, "<built-in function flock>"},
    {waits, begins, "<built-in function getaddr"},
    {waits, is, "<built-in function sleep>"},
    {waits, is, "<built-in function select>"},
    {waits, is, "time.sleep"},
    // POSIX Threads and Linux, as Nsight Systems names them (OS runtime trace)
    {waits, is, "pthread_cond_wait"},
    {waits, is, "pthread_cond_timedwait"},
    {waits, is, "pthread_mutex_lock"},
    {waits, is, "pthread_join"},
    {waits, is, "sem_wait"},
    {waits, is, "sem_timedwait"},
    {waits, is, "epoll_wait"},
    {waits, is, "recv"},
    {waits, is, "recvfrom"},
    {waits, is, "recvmsg"},
    {waits, is, "accept"},
    {waits, is, "connect"},
    {waits, is, "waitpid"},
    {waits, is, "poll"},
    {waits, is, "select"},
    {waits, is, "sleep"},
    {waits, is, "usleep"},
    {waits, is, "nanosleep"},
    {waits, is, "clock_nanosleep"},
    // What may block or not
    {NameMeaning::CopyCall, contains, "memcpy"},
    // PyTorch, torch/profiler/profiler.py and torch/optim/optimizer.py: labels, also as operators
    {annotation, begins, "profilerstep"},
    {annotation, begins, "optimizer.step#"},
    {annotation, begins, "optimizer.zero_grad#"}};

/// Kinds of the profiler's overhead that are work for the program (libkineto, CuptiActivity.cpp).
constexpr NameRule overheadRules[] = {{compiles, is, "driver compiler"},
                                      {compiles, is, "driver_compiler"},
                                      {compiles, contains, "module loading"},
                                      {compiles, contains, "lazy function loading"}};

bool fits(const NameRule& rule, std::string_view lower)
{
    const bool isThere = rule.where == is ? lower == rule.text
        : rule.where == begins            ? lower.starts_with(rule.text)
        : rule.where == ends              ? lower.ends_with(rule.text)
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

bool blamesNextEvent(IdleCause cause)
{
    return causeTexts[static_cast<std::size_t>(cause)].blamesNextEvent;
}

NameMeaning CauseNames::of(SliceCategory category, StringId name)
{
    if (category == SliceCategory::Overhead)
        return idle_names::meaningIn(idle_names::overheadRules, lowered(m_model.text(name)),
                                     meaningOf(IdleCause::Profiles));
    if (!name)
        return NameMeaning::Work;
    NameMeaning& meaning = m_meanings[name];
    if (meaning == NameMeaning::Unseen)
        meaning
            = idle_names::meaningIn(idle_names::nameRules, lowered(m_model.text(name)), NameMeaning::Work);
    const bool isLabel = category == SliceCategory::UserAnnotation || category == SliceCategory::Nvtx;
    return isLabel && !isCause(meaning) ? NameMeaning::Annotation : meaning;
}

} // namespace collscope
