// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Which kernel names are communication: names as public sources of the libraries and published traces have
// them, and names that only sound like it.

#include "model/kernels/communication_rules.h"
#include "model/kernels/kernel_class.h"
#include "model/kernels/kernel_names.h"
#include "tests/support/suite/suite.h"

#include <QElapsedTimer>

#include <set>

namespace collscope {

class TestCommunicationRules : public QObject
{
    Q_OBJECT

private:
    static QString classOf(const QByteArray& name)
    {
        const std::string_view found
            = kernelClassName(classifyKernel({name.constData(), static_cast<std::size_t>(name.size())}));
        return QString::fromUtf8(found.data(), static_cast<qsizetype>(found.size()));
    }

private slots:
    void communicates_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* expected) {
            QTest::newRow(name) << QByteArray(name) << QString::fromLatin1(expected);
        };
        // DeepEP as in DeepSeek's published profiles.
        row("void dpsk::ep::internode::dispatch<false, 8, true, 8>(int4*, float*, long*)", "AllToAll");
        row("void dpsk::ep::internode::dispatch_ll<true, 3, 10, 7168>(void*, float*, int*)", "AllToAll");
        row("void dpsk::ep::internode::combine_ll<3, 10, 7168, 9>(void*, void*, int*)", "AllToAll");
        row("void dpsk::ep::internode::combine<false, 8, __nv_bfloat16>(int4*)", "AllToAll");
        row("void dpsk::ep::internode::notify_dispatch<false, 4>(int const*, int*, int)",
            "other communication");
        row("void dpsk::ep::internode::cached_notify<false>(int, int)", "other communication");
        row("void dpsk::ep::intranode::notify_dispatch<8>(int const*)", "other communication");
        // DeepEP's csrc/kernels, and copies of it under other names.
        row("void deep_ep::intranode::dispatch<8, 768, 8192>(int4*, float*)", "AllToAll");
        row("void deep_ep::internode_ll::dispatch<true, false, 7168>(void*)", "AllToAll");
        row("void deep_ep::legacy::internode_ll::combine<true, 7168, 9>(void*)", "AllToAll");
        row("void deep_ep::intranode::cached_notify_combine<8>(void**, int*)", "other communication");
        row("void deep_ep::intranode::barrier<8>(int**, int)", "other communication");
        row("void deep_ep::elastic::hybrid_dispatch_impl<true, 4>(void*)", "AllToAll");
        row("void hybrid_ep::dispatch_kernel<hybrid_ep::Group, 4>(hybrid_ep::dispatch_kernel_param_t)",
            "AllToAll");
        row("void pplx::combine_kernel", "AllToAll"); // some exports leave out what follows the name
        row("void uccl::internode_ll::dispatch<true, 7168>(void*)", "AllToAll");
        row("void primus_turbo::deep_ep::intranode::combine<8>(void*)", "AllToAll");
        row("void nccl_ep::internode_ll::dispatch<true>(void*)", "AllToAll");
        // Names that were too long for the profiler to demangle.
        row("_ZN7deep_ep9intranode8dispatchILi8ELi768ELi8192EEEvP4int4Pf", "AllToAll");
        row("_Z23ncclDevKernel_Generic_424ncclDevKernelArgsStorageILm4096EE.kd", "other communication");
        // NVSHMEM's host-launched collectives, and what it runs for transfers.
        row("void barrier_on_stream_kernel_threadgroup<(threadgroup_t)1>(int, int)", "other communication");
        row("void alltoall_on_stream_kernel<float>(int, float*, float const*, unsigned long)", "AllToAll");
        row("void rdxn_on_stream_kernel<float, (rdxn_ops_t)3>(int, float*, float const*, unsigned long)",
            "AllReduce");
        row("nvshmemi_proxy_rma_entrypoint_blocking(void*, void*, rma_bytesdesc, int)", "Send/Recv");
        // NCCL of several ages.
        row("ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)", "AllReduce");
        row("ncclDevKernel_ReduceScatter_Sum_f32_RING_LL(ncclDevComm*, unsigned long, ncclWork*)",
            "ReduceScatter");
        row("ncclSymkDevKernel_AllGather_STMC(ncclSymkDevWorkArgs const*)", "AllGather");
        row("mscclKernel_Sum_half_LL_false(ncclDevComm*, mscclAlgo*, mscclWork*)", "other communication");
        row("void mscclpp::executionKernel<__half, mscclpp::LL16Packet, false>(int, __half*)",
            "other communication");
        // Symmetric memory of PyTorch: in anonymous namespaces, as Kineto and nsys write them.
        row("void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 16>(c10::BFloat16*, "
            "unsigned long, unsigned int**, unsigned long, unsigned long)",
            "AllReduce");
        row("void <unnamed>::multimem_one_shot_all_reduce_kernel<__nv_bfloat16, 16>(T1 *, T1 *)",
            "AllReduce");
        row("void c10d::(anonymous namespace)::two_shot_all_reduce_kernel_inplace<float, 16, 8>(float*)",
            "AllReduce");
        row("void (anonymous namespace)::multimem_all_gather_kernel<16>(char*, char*)", "AllGather");
        row("allToAllV(void*, void*, long*, unsigned long, int)", "AllToAll");
        row("exchangeSplitAndOffset(long*, int, int)", "other communication");
        row("c10d::symmetric_memory::barrier_kernel(unsigned int**, int, int, int, unsigned long)",
            "other communication");
        // Custom all-reduces of serving systems.
        row("void vllm::cross_device_reduce_1stage<__nv_bfloat16, 2>(vllm::RankData*)", "AllReduce");
        row("void aiter::cross_device_reduce_2stage<__hip_bfloat16, 8>(aiter::RankData*)", "AllReduce");
        row("void quickreduce::allreduce_prototype_twoshot<quickreduce::AllReduceTwoshot<__half, "
            "CodecQ4<__half, 8>, true>, __half>(__half const*)",
            "AllReduce");
        row("void tensorrt_llm::kernels::oneShotAllReduceKernel<__half, 8, true, "
            "false>(tensorrt_llm::kernels::AllReduceParams)",
            "AllReduce");
        row("void tensorrt_llm::kernels::ar_fusion::allreduce_fusion_kernel_oneshot_lamport<"
            "(tensorrt_llm::kernels::ar_fusion::AllReduceFusionPattern)1, __nv_bfloat16, 8>(int)",
            "AllReduce");
        row("void tensorrt_llm::kernels::ar_fusion::moe::moefinalize_allreduce_fusion_kernel_oneshot_lamport<"
            "__nv_bfloat16, 8>(int)",
            "AllReduce");
        row("void flashinfer::trtllm_mnnvl_allreduce::twoshotAllreduceKernel<4, __nv_bfloat16>(float*)",
            "AllReduce");
        row("void tensorrt_llm::kernels::moe_comm::moeA2ADispatchKernel<8, false>(int const*)", "AllToAll");
        row("void tensorrt_llm::kernels::moeAllToAllKernel<4, true>(int)", "AllToAll");
        row("void userbuffers_fp16_sum_inplace_gpu_rw_ag<8>(int, int)", "AllGather");
        row("void userbuffers_fp16_sum_inplace_gpu_rr_rs_oop<8>(int, int)", "ReduceScatter");
        row("void mori::moe::EpDispatchIntraNodeKernel<__hip_bfloat16>(mori::moe::EpDispatchCombineArgs)",
            "AllToAll");
        row("void (anonymous namespace)::dispatchKernel<10u, true, false>(int*, unsigned long, std::byte*)",
            "AllToAll");
        row("void a2a_combine_recv_kernel<16, 8>(unsigned long)", "AllToAll");
        row("all-reduce.17", "AllReduce"); // XLA
    }
    void communicates()
    {
        QFETCH(QByteArray, name);
        QTEST(classOf(name), "expected");
    }

    void onlySoundsLikeIt_data()
    {
        QTest::addColumn<QByteArray>("name");
        for (const char* name :
             {// What counts tokens or clears memory beside a dispatch.
              "void dpsk::ep::cuda::get_dispatch_layout<256, 32, 8>(long const*, int*)",
              "void deep_ep::layout::get_dispatch_layout<256, 4, 8>(long const*, int*)",
              "_ZN7deep_ep6layout19get_dispatch_layoutILi256ELi4ELi8EEEvPKlPi",
              "void deep_ep::elastic::dispatch_copy_epilogue_impl<true>(void*)",
              "void nvshmemi_init_array_kernel<nvshmemi_team*>(nvshmemi_team**, int, nvshmemi_team*)",
              "void nccl_ep::hybridep::convert_topk_to_routing_map<int>(int*)",
              "void tensorrt_llm::kernels::moe_comm::moeA2APrepareDispatchKernel(int*)",
              "void flashinfer::trtllm_allreduce::initialize_kernel<float>(float*, unsigned long)",
              // "dispatch" and "combine" of others.
              "void (anonymous namespace)::dispatchKernel<10u>(int*, unsigned long)",
              "void cub::DeviceReduceByKeyKernel<cub::DispatchReduceByKey<long*, int> >(int)",
              "void (anonymous namespace)::groupnorm_kernel_dispatch_up<__hip_bfloat16, 1024u>(unsigned int)",
              "_combined_routing_compute", "void moe_dispatch_kernel<int>(int*)", "combine", "dispatch",
              "void vllm::merge_attn_states_kernel<float, 128>(float*)",
              // Words of communication amid others.
              "void moe::overall_reduce_kernel<float>(float*)", "void smallGatherKernel(float*)",
              "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float> >(float)",
              "void at::native::(anonymous namespace)::_scatter_reduce_kernel<float>(float*)",
              // What Inductor calls a kernel that fills the buffer of a collective.
              "triton_poi_fused_all_reduce_lift_fresh_0",
              "triton_red_fused__to_copy_all_gather_into_tensor_mean_3",
              // What prepares or follows a collective, and a GEMM that sends its own result.
              "void deepspeed::all_to_all_4D_transpose", "_per_token_quant_and_all_to_all_layout",
              "void fused_gemm_allreduce_cutlass<128>(int)",
              // Types of communication libraries as template arguments and parameters.
              "void vllm::moe::moe_permute<ncclDataType_t>(int)",
              "void cutlass::device_kernel<x::AllGatherTileScheduler>(int)",
              "void foo<4>(tensorrt_llm::kernels::AllReduceParams)"})
            QTest::newRow(name) << QByteArray(name);
    }
    void onlySoundsLikeIt()
    {
        QFETCH(QByteArray, name);
        const std::string_view text{name.constData(), static_cast<std::size_t>(name.size())};
        QVERIFY2(!communicationClassOf(text), qPrintable(classOf(name)));
        QVERIFY2(!isCommunication(classifyKernel(text)), qPrintable(classOf(name)));
    }

    void functions()
    {
        const auto is = [](std::string_view name, const char* function) {
            QCOMPARE(QString::fromStdString(functionOfKernel(name)), QString::fromLatin1(function));
        };
        is("void a::b<int, c<4> >(float*, void (*)(int))", "a::b");
        is("std::enable_if<true, void>::type a::b<1>(int)", "a::b");
        is("void (anonymous namespace)::b<4>(int)", "::b");
        is("a<int>::b<4>::c(x::y)", "a::b::c");
        is("triton_poi_fused_add_0", "triton_poi_fused_add_0");
        is("[sync=AllReduce_all_reduce_4_s0]", "[sync=AllReduce_all_reduce_4_s0]");
        is("", "");
        is("_ZN1a1bEv", "a::b");
        is("_Z3fooPi", "foo");
        is("_ZN999999999999999999999999a", "");
        is("void f(((((((((", "f");
    }
    /// Each rule says where its names come from, and none hides behind an earlier one.
    void theTable()
    {
        std::set<std::string_view> patterns;
        for (const CommunicationRule& rule : communicationRules()) {
            QVERIFY2(!rule.source.empty(), rule.pattern.data());
            QVERIFY2(patterns.insert(rule.pattern).second, rule.pattern.data());
            QCOMPARE(rule.verdict == CommunicationRule::Verdict::IsLocal, !isCommunication(rule.kernelClass));
        }
    }
    /// Names come from files: neither their length nor their brackets may cost more than a look.
    void hostileNames()
    {
        constexpr std::size_t length = 2'000'000;
        for (const char* piece : {"::", "<", "(", "a", "_Z1", "nccl<", "all_", "a::b<"}) {
            std::string name;
            while (name.size() < length)
                name += piece;
            QElapsedTimer timer;
            timer.start();
            classifyKernel(name);
            QVERIFY2(timer.elapsed() < 2000, piece);
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestCommunicationRules)
#include "tst_communication_rules.moc"
