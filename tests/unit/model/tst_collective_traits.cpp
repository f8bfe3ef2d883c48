// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The table of collective types holds what NCCL and nccl-tests document, and everything that lists or
// classifies types asks it. tests/NewCollectiveType.cmake adds a type.

#include "metrics/core/event_filter.h"
#include "model/building/kernel_rules.h"
#include "model/kernels/collective_traits.h"
#include "model/kernels/kernel_names.h"
#include "tests/support/suite/suite.h"

#include <algorithm>

namespace collscope {

class TestCollectiveTraits : public QObject
{
    Q_OBJECT

private slots:
    /// nccl-tests, doc/PERFORMANCE.md: bus bandwidth / algorithm bandwidth on 8 ranks.
    void busFactorsAreThoseOfNcclTests_data()
    {
        QTest::addColumn<int>("kernelClass");
        QTest::addColumn<double>("factor");
        const auto add = [](KernelClass c, double factor) {
            QTest::newRow(std::string(kernelClassName(c)).c_str()) << static_cast<int>(c) << factor;
        };
        add(KernelClass::AllReduce, 2.0 * 7 / 8);
        add(KernelClass::AllGather, 7.0 / 8);
        add(KernelClass::ReduceScatter, 7.0 / 8);
        add(KernelClass::AllToAll, 7.0 / 8);
        add(KernelClass::SendRecv, 1);
        add(KernelClass::Broadcast, 1);
        add(KernelClass::Reduce, 1);
    }
    void busFactorsAreThoseOfNcclTests()
    {
        QFETCH(const int, kernelClass);
        QFETCH(const double, factor);
        QCOMPARE(busFactor(static_cast<KernelClass>(kernelClass), 8).value(), factor);
        QVERIFY(!busFactor(static_cast<KernelClass>(kernelClass), 1));
    }

    void rootedTypesDoNotSynchronise()
    {
        for (const CollectiveTraits& type : allCollectiveTraits()) {
            const bool hasRoot
                = type.waitRule == WaitRule::AllForRoot || type.waitRule == WaitRule::RootForAll;
            QVERIFY2(!hasRoot || !type.synchronises, type.name.data());
            QVERIFY2(!type.synchronises || type.waitRule == WaitRule::AllForAll, type.name.data());
        }
        QVERIFY(synchronises(KernelClass::AllToAll) && !isSizedAlike(KernelClass::AllToAll)); // splits
        QVERIFY(!synchronises(KernelClass::SendRecv) && !synchronises(KernelClass::Gemm));
        QVERIFY(passesOneSize(KernelClass::AllReduce) && !passesOneSize(KernelClass::AllGather));
    }

    /// Names, filters, rules and colours know each type.
    void everythingAsksTheTable()
    {
        for (const CollectiveTraits& type : allCollectiveTraits()) {
            QVERIFY(isCommunication(type.kernelClass));
            QCOMPARE(kernelClassName(type.kernelClass), type.name);
            QVERIFY2(type.lightColor != 0 && type.darkColor != 0, type.name.data());
            const auto rules = kernelRuleWords();
            QVERIFY2(std::any_of(rules.begin(), rules.end(),
                                 [&](const KernelRuleWord& rule) {
                                     return rule.first == type.word && rule.second == type.kernelClass;
                                 }),
                     type.name.data());
            if (type.kernelClass == KernelClass::OtherCommunication)
                continue;
            QCOMPARE(classifyCollective(type.word), type.kernelClass);
            QCOMPARE(classifyKernel("ncclDevKernel_" + std::string(type.nameParts.front()) + "_Sum"),
                     type.kernelClass);
            const auto classes = eventClasses();
            QVERIFY2(std::any_of(classes.begin(), classes.end(),
                                 [&](const EventClass& c) { return c.word == type.word; }),
                     type.name.data());
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestCollectiveTraits)
#include "tst_collective_traits.moc"
