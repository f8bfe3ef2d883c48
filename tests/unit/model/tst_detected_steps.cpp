// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Steps without marks: sequences of kernels whose repetitions are known, sequences that must be refused, and
// real traces, where the marks tell the truth.

#include "metrics/findings/finding.h"
#include "model/building/detected_steps.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/texts/kineto_text.h"

#include <QFileInfo>

#include <algorithm>

namespace collscope {

namespace {

/// Letters are kernels of 10 ns, capitals of 100. O and P belong to the optimizer.
std::vector<SequenceKernel> sequenceOf(const std::string& letters)
{
    std::vector<SequenceKernel> sequence;
    for (const char letter : letters)
        sequence.push_back({static_cast<std::uint32_t>(letter), letter == 'O' || letter == 'P',
                            letter >= 'A' && letter <= 'Z' ? 100 : 10});
    return sequence;
}

std::string times(int count, const std::string& text)
{
    std::string all;
    for (int i = 0; i < count; ++i)
        all += text;
    return all;
}

/// `isAnnotated`: annotations tell the optimizer.
std::vector<std::size_t> begins(const std::string& letters, bool isAnnotated = false)
{
    StreamSequence sequence;
    sequence.kernels = sequenceOf(letters);
    sequence.isOptimizerAnnotated = isAnnotated;
    return findRepetitions(sequence);
}

/// begins[i] = i x length.
std::vector<std::size_t> every(std::size_t length, std::size_t count)
{
    std::vector<std::size_t> begins;
    for (std::size_t i = 0; i < count; ++i)
        begins.push_back(i * length);
    return begins;
}

/// What the tests with real traces need.
const std::vector<QString> markedTraces // NOLINT(cert-err58-cpp)
    = {QStringLiteral("kineto/hta/df_index_resolver/df_index_resolver.json.gz"),
       QStringLiteral("kineto/hta/ns_resolution_trace/rank-0.Apr_03_18_51_38.1102.pt.trace.json.gz"),
       QStringLiteral("kineto/hta/trace_diff/control/control.json.gz"),
       QStringLiteral("kineto/kineto/resnet50_num_workers_0/worker0.1623143566756.pt.trace.json.gz")};

/// A loop of three layers on one GPU, with or without marks.
KinetoText loopOf(int steps, bool isMarked, int rank = 0, double from = 0)
{
    KinetoText trace(rank, 2);
    double at = from;
    for (int step = 0; step < steps; ++step) {
        if (isMarked)
            trace.annotation("ProfilerStep#" + std::to_string(step), 1, at, 400);
        trace.kernel("embedding", 7, at, 10, 0);
        for (int layer = 0; layer < 3; ++layer) {
            for (const char* name : {"norm", "gemm", "softmax"}) {
                trace.kernel(name, 7,
                             at + 20 + 100 * layer
                                 + (name[0] == 'g'       ? 20
                                        : name[0] == 's' ? 60
                                                         : 0),
                             name[0] == 'g' ? 40 : 20, 0);
            }
        }
        trace.kernel("adam", 7, at + 330, 50, 0);
        at += 400;
    }
    return trace;
}

} // namespace

class TestDetectedSteps : public QObject
{
    Q_OBJECT

private slots:
    void repeats()
    {
        QCOMPARE(begins(times(5, "abcdefghIO")), every(10, 5));
        QVERIFY(begins(times(3, "abcdefghIO")).empty()); // too few
        QVERIFY(begins(times(20, "abc")).empty()); // too short
        QVERIFY(begins("").empty());
        QVERIFY(begins(times(40, "a")).empty());
    }
    /// A step begins like its layers, or has micro-batches: the whole step repeats best.
    void theWholeStep()
    {
        const std::string layers = "e" + times(6, "abGcdHxyz") + "O";
        QCOMPARE(begins(times(4, layers)), every(layers.size(), 4));
        const std::string accumulated = times(4, "abcdefGHijkl") + "OP";
        QCOMPARE(begins(times(4, accumulated)), every(accumulated.size(), 4));
    }
    /// Without an optimizer: passes over layers, and micro-batches before what ends a step by 14 % of the
    /// time.
    void theWholeStepWithoutAnOptimizer()
    {
        const std::string layers = "e" + times(6, "abGcdHxyz") + "S";
        QCOMPARE(begins(times(4, layers)), every(layers.size(), 4));
        const std::string accumulated = times(4, "abcdefGHijkl") + "ST";
        QCOMPARE(begins(times(4, accumulated)), every(accumulated.size(), 4));
        // What ends the step has names that the micro-batches contain, too.
        const std::string sameNames = times(4, "abcdefGHijkl") + "GH";
        QCOMPARE(begins(times(4, sameNames)), every(sameNames.size(), 4));
    }
    /// Three steps of four micro-batches are too few; the twelve micro-batches are not steps.
    void refusesMicroBatches()
    {
        QVERIFY(begins(times(3, times(4, "abcdefGHijkl") + "OP")).empty());
        QVERIFY(begins(times(3, times(4, "abcdefGHijkl") + "ST")).empty());
        const std::string layered = "e" + times(4, "abGcdHxyz") + "h";
        QVERIFY(begins(times(3, times(6, layered) + "O")).empty());
        QVERIFY(begins(times(3, times(6, layered) + "S")).empty());
        // The optimizer of the embedding (P) runs in each micro-batch, that of the rest after six of them.
        const std::string updates = "e" + times(4, "abGcdHxyz") + "hP";
        QVERIFY(begins(times(3, times(6, updates) + "O")).empty());
        QCOMPARE(begins(times(4, times(6, updates) + "O")), every(6 * updates.size() + 1, 4));
    }
    /// What ends a step may come after unequal numbers of micro-batches, and once in a short window.
    void refusesUnequalAccumulation()
    {
        const std::string batch = "e" + times(4, "abGcdHxyz") + "h";
        for (const char* end : {"O", "s"}) {
            QVERIFY(begins(times(3, batch) + end + times(4, batch) + end + times(3, batch) + end).empty());
            QVERIFY(begins(times(4, batch) + end + times(2, batch)).empty());
            const std::string embedded = batch + "P";
            QVERIFY(begins(times(3, embedded) + end + times(4, embedded) + end + times(3, embedded) + end)
                        .empty());
        }
    }
    /// A short kernel in every second step: two steps are not one, but what is not known for an optimizer may
    /// be one.
    void loggingIsNotAStep()
    {
        const std::string step = "e" + times(6, "abGcdHxyz") + "O";
        std::vector<std::size_t> expected;
        for (std::size_t i = 0; i < 20; ++i)
            expected.push_back(i * step.size() + i / 2);
        QCOMPARE(begins(times(10, step + step + "l"), true), expected);
        QVERIFY(begins(times(10, step + step + "l")).empty()); // O may add up gradients
        const std::string pass = "e" + times(6, "abGcdHxyz") + "S";
        QVERIFY(begins(times(10, pass + pass + "l")).empty());
    }
    /// Equal layers may be one pass or several; transfers between stages show that they are not passes.
    void refusesLayers()
    {
        QVERIFY(begins(times(12, "abGcdHxyzw")).empty());
        QVERIFY(begins(times(12, "abGcdH") + times(12, "abGcdH")).empty());
        const std::string pass = "e" + times(6, "abGcdHxyz") + "S";
        const auto withTransfers = [&](std::size_t apart) {
            StreamSequence passes;
            passes.kernels = sequenceOf(times(8, pass));
            for (std::size_t i = 0; i < 8; i += apart)
                passes.sideCalls.push_back({'r', i * pass.size()});
            return findRepetitions(passes);
        };
        QCOMPARE(withTransfers(1), every(pass.size(), 8));
        QVERIFY(withTransfers(2).empty());
    }
    /// The annotation of PyTorch tells the optimizer from other kernels of its name: those here clip
    /// gradients of each micro-batch.
    void theAnnotationTellsTheOptimizer()
    {
        const auto stepsOf = [](int steps) {
            KinetoText trace;
            double at = 0;
            for (int step = 0; step < steps; ++step) {
                for (int batch = 0; batch < 5; ++batch) {
                    for (const char* name : {"embedding", "norm", "gemm", "softmax", "loss", "b_softmax",
                                             "b_gemm", "b_norm", "multi_tensor_apply_kernel"}) {
                        trace.kernel(name, 7, at, 9, trace.launch(1, at - 1));
                        at += 10;
                    }
                }
                trace.annotation("Optimizer.step#SGD.step", 1, at - 2, 10);
                trace.kernel("elementwise_kernel", 7, at, 9, trace.launch(1, at - 1));
                at += 10;
            }
            return trace.load();
        };
        const TraceModelPtr enough = stepsOf(4);
        QVERIFY(enough && enough->timelines.front().stepSource == StepSource::Detected);
        QCOMPARE(enough->timelines.front().steps.size(), std::size_t{4});
        QCOMPARE(enough->timelines.front().steps[1].range.lengthNs(), 460'000);
        const TraceModelPtr few = stepsOf(3);
        QVERIFY(few && few->timelines.front().stepSource == StepSource::WholeTrace);
    }
    /// Steps that differ by a few short kernels.
    void almostRepeats()
    {
        const std::string a = "abcdEFGHijklmnoO";
        const std::string b = "abcdEFGHixjklmnoO";
        QCOMPARE(begins(a + b + a + b + a, true), (std::vector<std::size_t>{0, 16, 33, 49, 66}));
    }
    /// What must be refused: layers of one step, loops with something before or after them, and what differs
    /// too much.
    void refuses()
    {
        QVERIFY(begins("e" + times(12, "abGcdHxyz") + "hS").empty());
        QVERIFY(begins(times(12, "abGcdHxyz") + "hSTUVW").empty());
        QVERIFY(begins("zzz" + times(6, "abGcdHxyw")).empty());
        QVERIFY(begins(times(6, "abGcdHxywKlmnop") + "abGcdHxywKlmno").empty()); // cut off
        QVERIFY(begins("abcdEFGHij" + times(1, "abcdKLMNij") + "abcdOPQRij" + "abcdSTUVij").empty());
    }
    void becomeSteps()
    {
        const TraceModelPtr model = loopOf(6, false).load();
        QVERIFY(model);
        const Timeline& timeline = model->timelines.front();
        QVERIFY(timeline.stepSource == StepSource::Detected);
        QCOMPARE(timeline.steps.size(), std::size_t{6});
        QCOMPARE(timeline.steps[2].range.lengthNs(), 400'000);
        QCOMPARE(timeline.steps[2].number, 2);
        Analysis analysis(*model, {});
        const auto findings = findCosts(analysis);
        QVERIFY(findings);
        QCOMPARE(findings->window, std::string("detected inner steps"));
        QCOMPARE(findings->stepNs, 400'000);
        QVERIFY(
            std::any_of(findings->warnings.begin(), findings->warnings.end(), [](const std::string& text) {
                return text.find("The steps were detected") != std::string::npos;
            }));
    }
    void marksAreNotReplaced()
    {
        const TraceModelPtr model = loopOf(6, true).load();
        QVERIFY(model && model->timelines.front().stepSource == StepSource::ProfilerStep);
    }
    /// Ranks that do not show the same steps have none.
    void ranksMustAgree()
    {
        const auto load = [](int steps, double from) {
            KinetoText first = loopOf(6, false, 0);
            first.also(loopOf(steps, false, 1, from));
            return first.load();
        };
        const TraceModelPtr same = load(6, 30);
        QVERIFY(same && same->timelines.back().stepSource == StepSource::Detected);
        const TraceModelPtr differ = load(5, 0);
        QVERIFY(differ && differ->timelines.front().stepSource == StepSource::WholeTrace);
    }
    void realTraces()
    {
        for (const QString& name : markedTraces) {
            const QString path = tracesFolder() + QLatin1Char('/') + name;
            if (!QFileInfo::exists(path))
                QSKIP("no real traces: set COLLSCOPE_TRACES");
            const auto model = loadPath(path.toStdString());
            QVERIFY(model);
            const Timeline& timeline = (*model)->timelines.front();
            const StreamSequence sequence = busiestSequence(**model, timeline);
            std::vector<std::size_t> expected; // the first kernel that each marked step launches
            for (const Step& step : timeline.steps) {
                const auto first
                    = std::find_if(sequence.slices.begin(), sequence.slices.end(), [&](SliceRef kernel) {
                          const SliceRef launch = timeline.launchOf(
                              (*model)->track(kernel.track).slices.correlation[kernel.row]);
                          return launch && (*model)->rangeOf(launch).beginNs >= step.range.beginNs;
                      });
                expected.push_back(static_cast<std::size_t>(first - sequence.slices.begin()));
            }
            QVERIFY(expected.size() >= 4);
            QCOMPARE(findRepetitions(sequence), expected);
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestDetectedSteps)
#include "tst_detected_steps.moc"
