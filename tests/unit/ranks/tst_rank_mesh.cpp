// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Where each rank sits: by process groups, by card, and what is said where they contradict each other; and
// bubbles per step as the pipeline view shows them.

#include "metrics/analysis/pipeline_bubbles.h"
#include "metrics/matching/run_collectives.h"
#include "tests/support/runs/pipeline_run.h"
#include "tests/support/suite/suite.h"

#include <QTest>

namespace collscope {

namespace {

using Labels = std::vector<std::string>;

RankMesh meshOf(const TraceModel& model)
{
    const RunCollectivesPtr run = matchRun(model, {});
    return run ? run->mesh : RankMesh();
}

Labels labelsOf(const RankMesh& mesh)
{
    Labels labels;
    for (const RankPlace& place : mesh.ranks)
        labels.push_back(mesh.labelOf(place.rank));
    return labels;
}

/// Ranks in the order of PyTorch: TP fastest, then DP, then PP.
const Labels twoByTwoByTwo{"TP0 PP0 DP0", "TP1 PP0 DP0", "TP0 PP0 DP1", "TP1 PP0 DP1",
                           "TP0 PP1 DP0", "TP1 PP1 DP0", "TP0 PP1 DP1", "TP1 PP1 DP1"};

PipelineShape cube()
{
    PipelineShape shape;
    shape.replicas = shape.tensor = 2;
    shape.steps = 1;
    return shape;
}

/// A collective of one group on each of its ranks.
void addGroup(SmallRun& run, const std::vector<int>& ranks, const std::string& description, double begin)
{
    SmallCall call;
    call.group = "3";
    call.description = description;
    call.groupSize = static_cast<int>(ranks.size());
    for (const int rank : ranks)
        call.ranks += (call.ranks.empty() ? "[" : ", ") + std::to_string(rank);
    call.ranks += "]";
    call.inElements = call.outElements = 64;
    for (const int rank : ranks)
        run.call(rank, begin, 10, call);
}

} // namespace

class TestRankMesh : public QObject
{
    Q_OBJECT

private slots:
    void byProcessGroups()
    {
        PipelineShape shape = cube();
        shape.writesCard = false;
        const RankMesh mesh = meshOf(*pipelineRun(shape).load());
        QCOMPARE(labelsOf(mesh), twoByTwoByTwo);
        QCOMPARE(mesh.extent(MeshDimension::Tensor).source, std::string("process groups mesh_tp"));
        QCOMPARE(mesh.extent(MeshDimension::Pipeline).source, std::string("process groups mesh_pp"));
        QCOMPARE(mesh.extent(MeshDimension::Data).size, 2);
        QCOMPARE(mesh.extent(MeshDimension::Context).size, 1); // 2 x 2 x 2 is the whole world
        QCOMPARE(mesh.extent(MeshDimension::Expert).size, 0);
        QVERIFY(mesh.notes.empty());
        QCOMPARE(mesh.labelWithout(5, MeshDimension::Pipeline), std::string("TP1 DP0"));
    }
    void byCard()
    {
        PipelineShape shape = cube();
        shape.describesGroups = false;
        const RankMesh mesh = meshOf(*pipelineRun(shape).load());
        QCOMPARE(labelsOf(mesh), twoByTwoByTwo);
        for (const MeshDimension dimension :
             {MeshDimension::Tensor, MeshDimension::Data, MeshDimension::Pipeline})
            QCOMPARE(mesh.extent(dimension).source, std::string("workload_card.yaml"));
    }
    void groupsAndCardAgree()
    {
        const RankMesh mesh = meshOf(*pipelineRun(cube()).load());
        QCOMPARE(labelsOf(mesh), twoByTwoByTwo);
        QVERIFY(mesh.notes.empty());
    }
    void groupsWinOverTheCard()
    {
        SmallRun run(4);
        addGroup(run, {0, 1}, "mesh_tp", 10);
        addGroup(run, {2, 3}, "mesh_tp", 10);
        run.parallelism("tp: 4\n    dp_shard: 1");
        const RankMesh mesh = meshOf(*run.load());
        QCOMPARE(labelsOf(mesh), (Labels{"TP0", "TP1", "TP0", "TP1"}));
        QCOMPARE(mesh.notes.size(), std::size_t{1});
        QCOMPARE(
            mesh.notes.front(),
            std::string("workload_card.yaml states TP4, but the process groups mesh_tp show TP2: the process "
                        "groups take precedence."));
        QCOMPARE(mesh.extent(MeshDimension::Data).size, 0); // the card is not believed about the rest
    }
    void anotherOrderOfTheMesh()
    {
        // Tensor-parallel ranks far apart: sizes agree with the card, places do not.
        SmallRun run(4);
        addGroup(run, {0, 2}, "tp", 10);
        addGroup(run, {1, 3}, "tp", 10);
        addGroup(run, {0, 1}, "dp", 30);
        addGroup(run, {2, 3}, "dp", 30);
        run.parallelism("tp: 2\n    dp_shard: 2");
        const RankMesh mesh = meshOf(*run.load());
        QCOMPARE(labelsOf(mesh), (Labels{"TP0 DP0", "TP0 DP1", "TP1 DP0", "TP1 DP1"}));
        QCOMPARE(mesh.notes.size(), std::size_t{1});
        QVERIFY(mesh.notes.front().find("rank 1 would be") != std::string::npos);
    }
    void cardOfAnotherRun()
    {
        SmallRun run(2);
        addGroup(run, {0, 1}, "default_pg", 10);
        run.parallelism("tp: 2\n    dp_shard: 4");
        const RankMesh mesh = meshOf(*run.load());
        QCOMPARE(labelsOf(mesh), (Labels{"", ""}));
        QCOMPARE(mesh.notes.size(), std::size_t{1});
        QVERIFY(mesh.notes.front().find("imply 8 ranks, but the run has 2") != std::string::npos);
    }
    void missingRanks()
    {
        SmallRun run = pipelineRun(cube());
        run.leaveOut(0);
        run.leaveOut(6);
        const RankMesh mesh = meshOf(*run.load());
        QCOMPARE(mesh.ranks.size(), std::size_t{6});
        QCOMPARE(mesh.labelOf(1), twoByTwoByTwo[1]);
        QCOMPARE(mesh.labelOf(7), twoByTwoByTwo[7]);
        QVERIFY(!mesh.placeOf(0));
        QVERIFY(mesh.labelOf(0).empty());
    }
    void oneRank()
    {
        SmallRun run(1);
        run.kernel(0, 10, 5);
        const RankMesh mesh = meshOf(*run.load());
        QCOMPARE(mesh.ranks.size(), std::size_t{1});
        QVERIFY(mesh.labelOf(0).empty());
        QCOMPARE(mesh.extent(MeshDimension::Pipeline).size, 1);
        QCOMPARE(mesh.nodeCount(), std::size_t{0});
    }
    void nothingKnown()
    {
        SmallRun run(4);
        addGroup(run, {0, 1, 2, 3}, "default_pg", 10);
        const RankMesh mesh = meshOf(*run.load());
        QCOMPARE(labelsOf(mesh), (Labels{"", "", "", ""}));
        QCOMPARE(mesh.extent(MeshDimension::Pipeline).size, 0);
        QVERIFY(mesh.notes.empty());
    }
    void overlappingGroupsSayNothing()
    {
        // Neighbours of a pipeline as pairs: no rank has one place in them.
        SmallRun run(3);
        addGroup(run, {0, 1}, "pp", 10);
        addGroup(run, {1, 2}, "pp", 30);
        const RankMesh mesh = meshOf(*run.load());
        QCOMPARE(labelsOf(mesh), (Labels{"", "", ""}));
        QCOMPARE(mesh.notes.size(), std::size_t{1});
        QVERIFY(mesh.notes.front().find("process groups pp overlap") != std::string::npos);
    }
    void replicasAndShards()
    {
        // HSDP over 8 ranks: 2 replicas of 2 shards, context parallelism of 2 inside the shards' groups.
        SmallRun run(8);
        for (const int first : {0, 2, 4, 6})
            addGroup(run, {first, first + 1}, "mesh_cp", 10);
        for (const int first : {0, 4})
            addGroup(run, {first, first + 1, first + 2, first + 3}, "mesh_dp_shard_cp", 30);
        for (const int first : {0, 1, 2, 3})
            addGroup(run, {first, first + 4}, "mesh_dp_replicate", 50);
        const RankMesh mesh = meshOf(*run.load());
        QCOMPARE(
            labelsOf(mesh),
            (Labels{"CP0 DP0", "CP1 DP0", "CP0 DP1", "CP1 DP1", "CP0 DP2", "CP1 DP2", "CP0 DP3", "CP1 DP3"}));
        QCOMPARE(mesh.extent(MeshDimension::Data).size, 4);
        QCOMPARE(mesh.placeOf(6)->replicate, 1);
        QCOMPARE(mesh.placeOf(6)->shard, 1);
    }
    void namesInsteadOfDescriptions()
    {
        SmallRun run(4);
        SmallCall call;
        call.inElements = call.outElements = 64;
        call.groupSize = 2;
        for (int rank = 0; rank < 4; ++rank) {
            call.group = rank < 2 ? "tp0" : "tp1";
            call.ranks = rank < 2 ? "[0, 1]" : "[2, 3]";
            run.call(rank, 10, 5, call);
        }
        QCOMPARE(labelsOf(meshOf(*run.load())), (Labels{"TP0", "TP1", "TP0", "TP1"}));
    }
    void nodes()
    {
        PipelineShape shape = cube();
        shape.ranksPerNode = 4;
        const RankMesh mesh = meshOf(*pipelineRun(shape).load());
        QCOMPARE(mesh.nodeCount(), std::size_t{2});
        QCOMPARE(mesh.placeOf(3)->node, std::string("node 0"));
        QCOMPARE(mesh.placeOf(4)->node, std::string("node 1"));
        QCOMPARE(mesh.nodeSource, std::string("4 GPUs per node (workload card)"));
    }

    void bubblesOfAllSteps()
    {
        PipelineShape shape;
        shape.stages = 4;
        shape.slowStageUs = 30;
        const TraceModelPtr model = pipelineRun(shape).load();
        const auto table = measureAllSteps(*model, {});
        QVERIFY(!table->failure);
        QCOMPARE(table->ranks.size(), std::size_t{4});
        QCOMPARE(table->ranks.front().steps.size(), std::size_t{4});
        QVERIFY(!table->ranks.front().steps.front().counts); // the metric leaves the outer steps out, too
        const MetricResult metric = measured(*model, "bubble_size_pipeline");
        QCOMPARE(table->all.share().value_or(-1), metric.value.value_or(-2));
        for (const MetricRow& row : metric.rows) {
            const RankBubble& rank = table->ranks[static_cast<std::size_t>(row.rank.value_or(0))];
            const auto share = [&] {
                for (const StepBubble& step : rank.steps) {
                    if (row.step && step.number == *row.step)
                        return step.bubble.share();
                }
                return rank.total.share();
            };
            QCOMPARE(share().value_or(-1), row.value);
        }
        // The last stage is the slowest: it waits least.
        QVERIFY(table->ranks.back().total.ns() < table->ranks.front().total.ns());
        const Bubble& bubble = table->ranks.front().total;
        QVERIFY(bubble.waitingNs > 0 && bubble.waitingNs < bubble.ns());
        QVERIFY(bubble.computeNs > 0 && bubble.computeNs <= bubble.busyNs());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestRankMesh)
#include "tst_rank_mesh.moc"
