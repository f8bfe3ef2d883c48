// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Fragments as bytes: damaged ones are refused, or others can rely on them.

#include "model/building/fragment.h"
#include "model/partial/fragment_archive.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"

namespace collscope {

class TestFragmentArchive : public QObject
{
    Q_OBJECT

private slots:
    void damagedFragmentsAreRefusedOrSound()
    {
        auto fragment = readKineto(R"({"traceEvents": [
            {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":5,"args":{"stream":7,"correlation":3}},
            {"ph":"X","cat":"cuda_runtime","name":"launch","pid":1,"tid":1,"ts":0,"dur":1,"args":{"correlation":3}}]})");
        QVERIFY(fragment);
        const std::string sound = packFragment(*fragment).bytes;
        QVERIFY(unpackFragment(sound));
        for (std::size_t at = 0; at < sound.size(); ++at) {
            QVERIFY(!unpackFragment(sound.substr(0, at)));
            for (int bit = 0; bit < 8; ++bit) {
                std::string bytes = sound;
                bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
                auto damaged = unpackFragment(bytes);
                if (!damaged)
                    continue;
                std::vector<TraceFragment> fragments;
                fragments.push_back(std::move(*damaged));
                QVERIFY(assemble(std::move(fragments), {}, {}) != nullptr);
            }
        }
    }
    /// No reader makes them, and who joins execution traces would follow them.
    void callsWithoutTheirSliceAreRefused()
    {
        const auto read = [] {
            auto fragment = readKineto(R"({"traceEvents": [
                {"ph":"X","cat":"kernel","name":"ncclDevKernel_AllReduce","pid":0,"tid":7,"ts":1,"dur":5,"args":{"stream":7}},
                {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":9,"dur":5,"args":{"stream":7}}]})");
            return std::move(*fragment);
        };
        TraceFragment sound = read();
        QCOMPARE(sound.timelines.front().collectives.size(), std::size_t{1});
        QVERIFY(unpackFragment(packFragment(sound).bytes));
        TraceFragment without = read();
        without.timelines.front().collectives.front().slice = {};
        QVERIFY(!unpackFragment(packFragment(without).bytes));
        TraceFragment ofAnother = read();
        ++ofAnother.timelines.front().collectives.front().slice.row;
        QVERIFY(!unpackFragment(packFragment(ofAnother).bytes));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestFragmentArchive)
#include "tst_fragment_archive.moc"
