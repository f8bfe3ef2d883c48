// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/collective.h"
#include "model/kernels/kernel_class.h"
#include "model/kernels/kernel_names.h"
#include "tests/support/suite/suite.h"

namespace collscope {

class TestKernelClass : public QObject
{
    Q_OBJECT

private slots:
    void kernels_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<int>("expected");
        const auto row = [](const char* name, KernelClass expected) {
            QTest::newRow(name) << QByteArray(name) << static_cast<int>(expected);
        };
        row("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
            KernelClass::AllReduce);
        row("ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)",
            KernelClass::AllReduce); // before NCCL 2.19
        row("ncclDevKernel_AllGather_RING_LL", KernelClass::AllGather);
        row("ncclDevKernel_ReduceScatter_Sum_f32_RING_LL", KernelClass::ReduceScatter);
        row("ncclDevKernel_SendRecv", KernelClass::SendRecv);
        row("ncclKernel_Broadcast_RING_LL_Sum_int8_t", KernelClass::Broadcast);
        row("ncclDevKernel_Generic", KernelClass::OtherCommunication);
        row("void vllm::cross_device_reduce_1stage<half, 2>", KernelClass::AllReduce);
        row("all_reduce_one_shot_kernel", KernelClass::AllReduce);
        row("nvshmem_alltoall_kernel", KernelClass::AllToAll);
        row("deep_ep::internode::dispatch", KernelClass::AllToAll);
        row("ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_tn", KernelClass::Gemm);
        row("sm90_xmma_gemm_bf16bf16_bf16f32", KernelClass::Gemm);
        row("nvjet_tst_128x256", KernelClass::Gemm);
        row("void pytorch_flash::flash_fwd_kernel<>", KernelClass::Attention);
        row("fmha_cutlassF_bf16_aligned_64x128", KernelClass::Attention);
        row("void at::native::vectorized_elementwise_kernel<4>", KernelClass::Elementwise);
        row("void at::native::vectorized_layer_norm_kernel<float>", KernelClass::Norm);
        row("cunn_SoftMaxForward", KernelClass::Norm);
        row("multi_tensor_apply_kernel<FusedAdamMathFunctor>", KernelClass::Optimizer);
        // Compute kernels whose names hold a word of communication: not communication.
        row("void at::native::reduce_kernel<512, 1, MeanOps>", KernelClass::OtherCompute);
        row("topk_gating_kernel", KernelClass::OtherCompute);
        row("broadcast_add_kernel", KernelClass::OtherCompute);
        // Of a library whose name says GEMM; its GEMMs are some.
        row("void fbgemm_gpu::permute_2D_data_kernel<false, int, float>", KernelClass::OtherCompute);
        row("void fbgemm_gpu::f8f8bf16_rowwise_gemm_kernel", KernelClass::Gemm);
        row("FBGEMM", KernelClass::OtherCompute);
    }
    void kernels()
    {
        QFETCH(QByteArray, name);
        QFETCH(int, expected);
        const KernelClass got = classifyKernel({name.constData(), static_cast<std::size_t>(name.size())});
        QCOMPARE(QString::fromUtf8(kernelClassName(got).data()),
                 QString::fromUtf8(kernelClassName(static_cast<KernelClass>(expected)).data()));
    }
    void collectives()
    {
        QVERIFY(classifyCollective("allreduce") == KernelClass::AllReduce);
        QVERIFY(classifyCollective("allreduce_coalesced") == KernelClass::AllReduce);
        QVERIFY(classifyCollective("_allgather_base") == KernelClass::AllGather);
        QVERIFY(classifyCollective("all_gather_into_tensor_coalesced") == KernelClass::AllGather);
        QVERIFY(classifyCollective("_reduce_scatter_base") == KernelClass::ReduceScatter);
        QVERIFY(classifyCollective("all_to_allv") == KernelClass::AllToAll);
        QVERIFY(classifyCollective("broadcast") == KernelClass::Broadcast);
        QVERIFY(classifyCollective("reduce") == KernelClass::Reduce);
        QVERIFY(classifyCollective("send") == KernelClass::SendRecv);
        QVERIFY(classifyCollective("recv") == KernelClass::SendRecv);
        for (const char* silent : {"", "wait", "init", "startcoalescing", "endcoalescing"})
            QVERIFY2(classifyCollective(silent) == KernelClass::None, silent);
    }
    void elementSizes()
    {
        QCOMPARE(elementSizeBytes("BFloat16").value_or(0), 2);
        QCOMPARE(elementSizeBytes("c10::Half").value_or(0), 2);
        QCOMPARE(elementSizeBytes("ncclFloat32").value_or(0), 4);
        QCOMPARE(elementSizeBytes("torch.float64").value_or(0), 8);
        QCOMPARE(elementSizeBytes("Float8_e4m3fn").value_or(0), 1);
        QCOMPARE(elementSizeBytes("ComplexDouble").value_or(0), 16);
        QCOMPARE(elementSizeBytes("Byte").value_or(0), 1);
        QVERIFY(!elementSizeBytes("Posit32"));
    }
    void messageSizeIsTheGatheredOne()
    {
        CollectiveCall call;
        call.kind = KernelClass::AllGather;
        call.inElements = 10;
        call.outElements = 40;
        QCOMPARE(messageBytes(call, "BFloat16").value_or(0), std::uint64_t{80});
        call.kind = KernelClass::ReduceScatter;
        QCOMPARE(messageBytes(call, "Float").value_or(0), std::uint64_t{40});
        call.inElements.reset();
        QCOMPARE(messageBytes(call, "Float").value_or(0), std::uint64_t{160});
        QVERIFY(!messageBytes(call, "Posit32"));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestKernelClass)
#include "tst_kernel_class.moc"
