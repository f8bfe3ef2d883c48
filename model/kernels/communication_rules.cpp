// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/kernels/communication_rules.h"

#include "model/kernels/collective_traits.h"
#include "model/text/lower_case.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace collscope {

namespace {

using Verdict = CommunicationRule::Verdict;

constexpr CommunicationRule ofClass(std::string_view pattern, KernelClass kernelClass,
                                    std::string_view source)
{
    return {pattern, Verdict::IsClass, kernelClass, source};
}

constexpr CommunicationRule ofItsWords(std::string_view pattern, std::string_view source)
{
    return {pattern, Verdict::IsNamed, KernelClass::OtherCommunication, source};
}

constexpr CommunicationRule alone(std::string_view pattern, std::string_view source)
{
    return {pattern, Verdict::IsLocal, KernelClass::None, source};
}

constexpr std::string_view deepEp
    = "DeepEP 1.x and its derivatives (UCCL-EP, Primus-Turbo, NCCL EP, DeepSeek's own dpsk::ep): "
      "csrc/kernels/{intranode,internode,internode_ll}.cu";
constexpr std::string_view deepEp2 = "DeepEP 2: deep_ep/include/deep_ep/impls";
constexpr std::string_view hybridEp = "DeepEP hybrid-ep: csrc/hybrid_ep";
constexpr std::string_view nvshmem = "NVSHMEM 2 and 3: nvshmemi_h_to_d_coll_defs.cuh, "
                                     "nvshmemi_h_to_d_sync_defs.cuh, nvshmemi_h_to_d_rma_defs.cuh";
constexpr std::string_view pytorchSymmetric = "PyTorch 2.5 and later, symmetric memory: "
                                              "torch/csrc/distributed/c10d/symm_mem";
constexpr std::string_view inductor = "PyTorch Inductor: the name of a fused kernel contains the names of "
                                      "surrounding operators, including collectives "
                                      "whose buffers it fills";
constexpr std::string_view userbuffers
    = "Transformer Engine and TensorRT-LLM: userbuffers.cu of comm_gemm_overlap";
constexpr std::string_view mori = "MORI (ROCm): src/ops/dispatch_combine";
constexpr std::string_view pplx = "pplx-kernels: csrc/all_to_all, in an anonymous namespace";
constexpr std::string_view pplxGarden = "pplx-garden: p2p-all-to-all, a2a_kernels";
constexpr std::string_view trtAllToAll
    = "TensorRT-LLM 1.x and FlashInfer: communicationKernels/moeAlltoAllKernels.cu";
constexpr std::string_view anyLibrary
    = "any library: ncclDevKernel_AllReduce_*, oneShotAllReduceKernel and allreduce_fusion_kernel_* of "
      "TensorRT-LLM, twoshotAllreduceKernel of FlashInfer, multimem_all_reduce_kernel and allToAllV of "
      "PyTorch, "
      "allreduce_prototype_twoshot of quickreduce, all-reduce of XLA";

constexpr CommunicationRule nameRules[] = {
    // Names that resemble communication but are not.
    alone("triton_poi_fused*", inductor),
    alone("triton_per_fused*", inductor),
    alone("triton_red_fused*", inductor),
    alone("triton_for_fused*", inductor),
    alone("get_dispatch_layout*", deepEp),
    alone("nvshmemi_init_array_kernel*", nvshmem),
    alone("~gemm",
          "any library: a GEMM that sends its result at the end still spends most of its time "
          "computing; names such as gemm_allreduce"),
    alone("~transpose", "any library: arranges data in the order that a collective needs"),
    alone("~layout", "any library: computes the destinations of a collective's data"),

    // Library names. Only the function's own name counts: a namespace or a parameter can belong to NCCL even
    // if the kernel works alone.
    ofItsWords("*nccl*", "NCCL: ncclKernel_*, since 2.19 ncclDevKernel_*, since 2.27 ncclSymkDevKernel_*"),
    ofItsWords("*rccl*", "RCCL"),
    ofItsWords("*msccl*", "MSCCL and MSCCL++"),
    ofItsWords("mscclpp::*", "MSCCL++: executionKernel and others"),
    ofItsWords("mscclpp::*::*", "MSCCL++: mscclpp::collective"),
    ofClass("fcollect_on_stream_kernel*", KernelClass::AllGather, nvshmem),
    ofClass("rdxn_on_stream_kernel*", KernelClass::AllReduce, nvshmem),
    ofClass("broadcast_on_stream_kernel*", KernelClass::Broadcast, nvshmem),
    ofClass("barrier_on_stream_kernel*", KernelClass::OtherCommunication, nvshmem),
    ofClass("barrier_all_on_stream_kernel*", KernelClass::OtherCommunication, nvshmem),
    ofClass("sync_on_stream_kernel*", KernelClass::OtherCommunication, nvshmem),
    ofClass("sync_all_on_stream_kernel*", KernelClass::OtherCommunication, nvshmem),
    ofClass("signal_wait_until_on_stream_kernel*", KernelClass::OtherCommunication, nvshmem),
    ofClass("nvshmemi_proxy_rma_*", KernelClass::SendRecv, nvshmem),
    ofItsWords("*nvshmem*", nvshmem),

    // Expert parallelism.
    ofClass("intranode::dispatch*", KernelClass::AllToAll, deepEp),
    ofClass("internode*::dispatch*", KernelClass::AllToAll, deepEp),
    ofClass("intranode::combine*", KernelClass::AllToAll, deepEp),
    ofClass("internode*::combine*", KernelClass::AllToAll, deepEp),
    ofClass("intranode::notify_dispatch*", KernelClass::OtherCommunication, deepEp),
    ofClass("internode::notify_dispatch*", KernelClass::OtherCommunication, deepEp),
    ofClass("intranode::cached_notify*", KernelClass::OtherCommunication, deepEp),
    ofClass("internode::cached_notify*", KernelClass::OtherCommunication, deepEp),
    ofClass("intranode::barrier*", KernelClass::OtherCommunication, deepEp),
    ofClass("internode_ll::clean_low_latency_buffer*", KernelClass::OtherCommunication, deepEp),
    ofClass("deep_ep::elastic::dispatch_impl*", KernelClass::AllToAll, deepEp2),
    ofClass("deep_ep::elastic::combine_impl*", KernelClass::AllToAll, deepEp2),
    ofClass("deep_ep::elastic::hybrid_dispatch_impl*", KernelClass::AllToAll, deepEp2),
    ofClass("deep_ep::elastic::hybrid_combine_impl*", KernelClass::AllToAll, deepEp2),
    ofClass("deep_ep::elastic::barrier_impl*", KernelClass::OtherCommunication, deepEp2),
    ofClass("hybrid_ep::dispatch_kernel*", KernelClass::AllToAll, hybridEp),
    ofClass("hybrid_ep::combine_kernel*", KernelClass::AllToAll, hybridEp),
    ofClass("hybrid_ep::device_sync_kernel*", KernelClass::OtherCommunication, hybridEp),
    ofClass("EpDispatch*Node*Kernel*", KernelClass::AllToAll, mori),
    ofClass("EpCombine*Node*Kernel*", KernelClass::AllToAll, mori),
    ofClass("EpDispatchLowLatency*", KernelClass::AllToAll, mori),
    ofClass("EpCombineLowLatency*", KernelClass::AllToAll, mori),
    ofClass("EpCombineSyncBarrier*", KernelClass::OtherCommunication, mori),
    {"dispatchKernel", Verdict::IsClass, KernelClass::AllToAll, pplx, "std::byte"},
    {"combineKernel", Verdict::IsClass, KernelClass::AllToAll, pplx, "std::byte"},
    ofClass("pplx::*dispatch*", KernelClass::AllToAll, pplx),
    ofClass("pplx::*combine*", KernelClass::AllToAll, pplx),
    ofClass("a2a_dispatch_*_kernel*", KernelClass::AllToAll, pplxGarden),
    ofClass("a2a_combine_*_kernel*", KernelClass::AllToAll, pplxGarden),
    ofClass("moeA2ADispatchKernel*", KernelClass::AllToAll, trtAllToAll),
    ofClass("moeA2ACombineKernel*", KernelClass::AllToAll, trtAllToAll),

    // All-reduces with their own names, and the parts of all-reduces on symmetric memory.
    ofClass("cross_device_reduce*", KernelClass::AllReduce, "vLLM, SGLang and AITER: custom_all_reduce.cuh"),
    ofClass("*quickreduce*", KernelClass::AllReduce,
            "quickreduce of vLLM, SGLang and AITER: quick_all_reduce.cuh"),
    ofClass("quickreduce::*", KernelClass::AllReduce,
            "quickreduce of vLLM, SGLang and AITER: quick_all_reduce.cuh"),
    ofClass("userbuffers_*_ag", KernelClass::AllGather, userbuffers),
    ofClass("userbuffers_*_rs_oop*", KernelClass::ReduceScatter, userbuffers),
    ofClass("userbuffers_*sum_inplace*", KernelClass::AllReduce, userbuffers),
    ofClass("kuserbuffers_push*", KernelClass::SendRecv, userbuffers),
    ofClass("kuserbuffers_pull*", KernelClass::SendRecv, userbuffers),
    ofClass("exchangeSplitAndOffset*", KernelClass::OtherCommunication, pytorchSymmetric),
    ofClass("c10d::symmetric_memory::barrier_kernel*", KernelClass::OtherCommunication, pytorchSymmetric),
    ofClass("c10d::symmetric_memory::put_signal_kernel*", KernelClass::OtherCommunication, pytorchSymmetric),
    ofClass("c10d::symmetric_memory::wait_signal_kernel*", KernelClass::OtherCommunication, pytorchSymmetric),

    // Words that all libraries use. Bare "reduce", "broadcast", "send", "recv", "dispatch" and "combine" are
    // excluded: kernels such as reduce_kernel<...> have them in their names but work alone.
    ofClass("~allreduce", KernelClass::AllReduce, anyLibrary),
    ofClass("~crossreduce", KernelClass::AllReduce, anyLibrary),
    ofClass("~allgather", KernelClass::AllGather, anyLibrary),
    ofClass("~reducescatter", KernelClass::ReduceScatter, anyLibrary),
    ofClass("~alltoall", KernelClass::AllToAll, anyLibrary),
    ofClass("~sendrecv", KernelClass::SendRecv, anyLibrary),
};

bool isSeparator(char c)
{
    return c == '_' || c == '-';
}

bool isUpper(char c)
{
    return c >= 'A' && c <= 'Z';
}

bool isLower(char c)
{
    return c >= 'a' && c <= 'z';
}

/// Returns the text in lower case, without '_' and '-', so that all_reduce, all-reduce and AllReduce are the
/// same word.
std::string joinedWords(std::string_view text)
{
    std::string word;
    for (const char c : text) {
        if (!isSeparator(c))
            word += lowered(c);
    }
    return word;
}

/// Whether a word can start here, and not in the middle of a run of letters: "small" and "overall" do not
/// contain the word "all".
bool beginsWord(std::string_view text, std::size_t at)
{
    if (at == 0 || isUpper(text[at])) {
        const bool acronym = at > 0 && isUpper(text[at - 1]);
        return !acronym || (at + 1 < text.size() && isLower(text[at + 1]));
    }
    return !isLower(text[at - 1]) && !isUpper(text[at - 1]);
}

bool holdsWord(std::string_view text, std::string_view word)
{
    for (std::size_t begin = 0; begin < text.size(); ++begin) {
        if (lowered(text[begin]) != word.front() || !beginsWord(text, begin))
            continue;
        std::size_t found = 0;
        for (std::size_t at = begin; at < text.size() && found < word.size(); ++at) {
            if (lowered(text[at]) == word[found])
                ++found;
            else if (!isSeparator(text[at]))
                break;
        }
        if (found == word.size())
            return true;
    }
    return false;
}

/// '*' in the pattern matches any text without ':'.
bool matchesWhole(std::string_view text, std::string_view pattern)
{
    std::size_t t = 0;
    std::size_t p = 0;
    std::size_t star = std::string_view::npos;
    std::size_t resume = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = t;
        } else if (p < pattern.size() && pattern[p] == text[t]) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos && text[resume] != ':') {
            p = star + 1;
            t = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

/// Matches from the start of the name, or from a scope, to the end.
bool matchesScoped(std::string_view function, std::string_view pattern)
{
    for (std::size_t begin = 0;; begin += 2) {
        if (matchesWhole(function.substr(begin), pattern))
            return true;
        begin = function.find("::", begin);
        if (begin == std::string_view::npos)
            return false;
    }
}

/// "_ZN7deep_ep9intranode8dispatchILi8EE..." -> "deep_ep::intranode::dispatch"; also handles a single name,
/// "_Z3fooPi".
std::string functionOfMangled(std::string_view name)
{
    std::size_t at = name.find_first_of("0123456789", 2);
    std::string function;
    while (at < name.size() && isDigit(name[at])) {
        std::size_t length = 0;
        const char* const end = name.data() + name.size();
        const auto [next, error] = std::from_chars(name.data() + at, end, length);
        const auto begin = static_cast<std::size_t>(next - name.data());
        if (error != std::errc() || length > name.size() - begin)
            break;
        // The compiler names anonymous namespaces _GLOBAL__N_...
        const std::string_view part = name.substr(begin, length);
        if (!part.starts_with("_GLOBAL__N_"))
            function.append(function.empty() ? "" : "::").append(part);
        at = begin + length;
        if (!name.starts_with("_ZN"))
            break;
    }
    return function;
}

/// The position after the bracket that opens at `begin`, or the end of the name.
std::size_t behindBracket(std::string_view name, std::size_t begin)
{
    int depth = 0;
    for (std::size_t at = begin; at < name.size(); ++at) {
        const char c = name[at];
        if (c == '<' || c == '(' || c == '{')
            ++depth;
        else if ((c == '>' && name[at - 1] != '-') || c == ')' || c == '}')
            --depth;
        if (depth == 0)
            return at + 1;
    }
    return name.size();
}

} // namespace

std::span<const CommunicationRule> communicationRules()
{
    return nameRules;
}

std::string functionOfKernel(std::string_view kernelName)
{
    // A hostile file may contain kernel names of any length; the scopes of a real function are shorter.
    constexpr std::size_t longest = 1000;
    if (kernelName.starts_with("_Z"))
        return functionOfMangled(kernelName.substr(0, longest));
    std::string function;
    bool hasBrackets = false;
    for (std::size_t at = 0; at < kernelName.size() && function.size() < longest;) {
        const char c = kernelName[at];
        if (c != '<' && c != '(') {
            function += c;
            ++at;
            continue;
        }
        hasBrackets = true;
        const std::size_t behind = behindBracket(kernelName, at);
        // Parameters end a name. "(anonymous namespace)::" is a scope, not parameters.
        if (c == '(' && !kernelName.substr(behind).starts_with("::"))
            break;
        at = behind;
    }
    while (!function.empty() && function.back() == ' ')
        function.pop_back();
    const std::size_t space = function.rfind(' ');
    if ((hasBrackets || function.starts_with("void ")) && space != std::string::npos)
        function.erase(0, space + 1); // the return type
    return function;
}

const CommunicationRule* communicationRuleOf(std::string_view kernelName)
{
    static const std::vector<std::string> patterns = [] {
        std::vector<std::string> joined;
        for (const CommunicationRule& rule : nameRules)
            joined.push_back(joinedWords(rule.pattern));
        return joined;
    }();
    const std::string function = functionOfKernel(kernelName);
    const std::size_t scope = function.rfind("::");
    const std::string_view own
        = std::string_view(function).substr(scope == std::string::npos ? 0 : scope + 2);
    const std::string joined = joinedWords(function);
    for (std::size_t i = 0; i < std::size(nameRules); ++i) {
        const std::string_view pattern = patterns[i];
        const bool matches
            = pattern.front() == '~' ? holdsWord(own, pattern.substr(1)) : matchesScoped(joined, pattern);
        if (matches
            && (nameRules[i].alsoHolds.empty()
                || lowered(kernelName).find(nameRules[i].alsoHolds) != std::string::npos))
            return &nameRules[i];
    }
    return nullptr;
}

std::optional<KernelClass> communicationClassOf(std::string_view kernelName)
{
    const CommunicationRule* rule = communicationRuleOf(kernelName);
    if (!rule || rule->verdict == Verdict::IsLocal)
        return std::nullopt;
    return rule->verdict == Verdict::IsNamed ? communicationClassOfWords(functionOfKernel(kernelName))
                                             : rule->kernelClass;
}

KernelClass communicationClassOfWords(std::string_view name)
{
    const std::string joined = joinedWords(name);
    for (const CollectiveTraits& type : allCollectiveTraits()) {
        for (const std::string_view part : type.nameParts) {
            if (!part.empty() && joined.find(part) != std::string::npos)
                return type.kernelClass;
        }
    }
    return KernelClass::OtherCommunication;
}

} // namespace collscope
