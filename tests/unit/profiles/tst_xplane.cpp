// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// XLA's own files (*.xplane.pb): the same run as the trace viewer's JSON of the same bytes, every event
// accounted for, damaged files.

#include "model/readers/reader.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/run_lanes.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/kineto_text.h"
#include "tests/support/texts/xspace_bytes.h"

#include <QFile>
#include <QTest>

#include <protozero/buffer_string.hpp>
#include <protozero/varint.hpp>

#include <set>

namespace collscope {

namespace {

constexpr std::int64_t psPerUs = 1'000'000;

XSpaceText::Event operation(const char* name, std::int64_t beginUs, std::int64_t us, const char* category,
                            std::vector<std::pair<std::string, std::int64_t>> numbers = {})
{
    return {name, beginUs * psPerUs, us * psPerUs, {{"hlo_category", category}}, std::move(numbers)};
}

XSpaceText::Event mark(const char* name, std::int64_t beginUs, std::int64_t us)
{
    return {name, beginUs * psPerUs, us * psPerUs, {}, {}};
}

/// Two devices of a TPU, which multiply for 30 us and then reduce for 20 and 15 us; the first with all lanes.
XSpaceText twoDevices()
{
    const auto product = [](std::int64_t at) {
        return operation("fusion.1", at, 30, "convolution fusion",
                         {{"model_flops", 1'000'000'000}, {"bytes_accessed", 1000}});
    };
    const auto reduction = [](std::int64_t at, std::int64_t us) {
        return operation("all-reduce.1", at, us, "all-reduce", {{"bytes_accessed", 4000}});
    };
    return {
        {{"/device:TPU:0",
          {{1, "Steps", 1000, {mark("5", 0, 100), mark("6", 100, 50)}},
           {2, "XLA Modules", 1000, {mark("jit_train(1)", 5, 90)}},
           {3,
            "XLA Ops",
            1000,
            {product(10), reduction(40, 20), operation("while.3", 10, 80, "while"),
             operation("copy-start.1", 60, 2, "copy-start"), operation("fusion.2", 62, 28, "loop fusion")}},
           {4, "Async XLA Ops", 1000, {operation("all-gather-start.2", 62, 18, "async-start")}}}},
         {"/device:TPU:1", {{3, "XLA Ops", 1000, {product(15), reduction(45, 15)}}}},
         {"/host:CPU", {{9, "python", 1000, {mark("f", 0, 9)}}}},
         {"Task Environment", {}, {{"profile_start_time", 1'700'000'000'000'000'000}}}},
        {"worker-0"}};
}

std::string contentOf(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("cannot read a file of the shared traces");
    return file.readAll().toStdString();
}

QStringList sharedProfiles()
{
    return {QStringLiteral("/xplane/jax_conv_minimal_08.xplane.pb"),
            QStringLiteral("/xplane/jax_conv_minimal_legacy.xplane.pb"),
            QStringLiteral("/kineto_tracelens/traces/mi300/jax_conv_minimal_08/tw003.xplane.pb")};
}

std::string lengthDelimited(std::uint32_t field, std::uint64_t claimed, const std::string& bytes)
{
    std::string text;
    protozero::add_varint_to_buffer(&text, field << 3 | 2u);
    protozero::add_varint_to_buffer(&text, claimed);
    return text + bytes;
}

} // namespace

class TestXplane : public QObject
{
    Q_OBJECT

private:
    RunFolder m_folder;

    /// Everything that the JSON of the same bytes tells, this run tells as well, except that it does not
    /// guess by names what grids and multiprocessors tell, which the JSON lacks. Returns how many values.
    int compareWithViewer(const std::string& bytes)
    {
        std::uint64_t events = 0;
        const TraceModelPtr viewer
            = m_folder.writeAndLoad("viewer/host.trace.json", traceViewerJson(bytes, events));
        const TraceModelPtr own = m_folder.writeAndLoad("own/host.xplane.pb", bytes);
        if (!viewer || !own)
            return -1;
        if (own->sources.front().eventsInFile != events || own->sources.front().shown != events)
            return -1;
        if (lanesOf(*own) != lanesOf(*viewer))
            return -1;
        int values = 0;
        for (const MetricDescriptor& metric : allMetrics()) {
            const std::string id(metric.id);
            const MetricResult expected = measure(*viewer, id);
            if (expected.state != MetricState::Value)
                continue;
            const MetricResult result = measure(*own, id);
            if (id == "memory_bound_fraction" || id == "compute_bound_fraction")
                continue;
            if (result.state != MetricState::Value || result.value != expected.value) {
                qWarning("%s: %s", id.c_str(), result.reason.c_str());
                return -1;
            }
            ++values;
        }
        return values;
    }

private slots:
    void saysWhatTheViewerSays() { QVERIFY(compareWithViewer(xspaceBytes(twoDevices())) > 5); }
    void lanesOfDevices()
    {
        const TraceModelPtr run = m_folder.writeAndLoad("one/host.xplane.pb", xspaceBytes(twoDevices()));
        QVERIFY(run);
        QCOMPARE(run->ranks(), (std::vector<std::int32_t>{0, 1}));
        const QStringList lanes = lanesOf(*run);
        QVERIFY2(lanes.contains(QStringLiteral("rank 1 XLA Ops [fusion.1=GEMM 15000+30000, "
                                               "all-reduce.1=AllReduce 45000+15000]")),
                 qPrintable(lanes.join(u'\n')));
        QVERIFY(lanes.contains(QStringLiteral("rank 0 Steps [5=CPU 0+100000, 6=CPU 100000+50000]")));
        QCOMPARE(run->sources.front().eventsInFile, std::uint64_t{12});
        QCOMPARE(run->sources.front().shown, std::uint64_t{12});
        QVERIFY(run->hasWallClock);
        QCOMPARE(run->axisZeroNs, 1'700'000'000'000'000'000 + 1000);
        QCOMPARE(qText(run->text(run->timelines.front().host)), QStringLiteral("worker-0"));
        QCOMPARE(measure(*run, "total_comm_time_s").value, std::optional(35e-6));
        QCOMPARE(measure(*run, "total_model_flops_from_args").value, std::optional(2e9));
        QVERIFY(run->timelines[0].stepSource == StepSource::XlaStep);
        QCOMPARE(run->timelines[0].steps.size(), std::size_t{2});
    }
    void picosecondsBecomeWholeNanoseconds()
    {
        // Each begins where the one before ends, at fractions of a nanosecond: no gap and no overlap.
        XSpaceText::Line line{3, "XLA Ops", 0, {}};
        for (int i = 0; i < 1000; ++i)
            line.events.push_back({"op", i * 1700, 1700, {{"hlo_category", "loop fusion"}}, {}});
        const TraceModelPtr run
            = m_folder.writeAndLoad("ps/a.xplane.pb", xspaceBytes({{{"/device:TPU:0", {line}}}}));
        QVERIFY(run);
        const Timeline& timeline = run->timelines.front();
        QCOMPARE(timeline.tracks.size(), std::size_t{1});
        const SliceColumns& slices = run->track(timeline.tracks.front()).slices;
        for (std::size_t row = 0; row + 1 < slices.size(); ++row)
            QCOMPARE(slices.endNs(row), slices.startNs[row + 1]);
        QCOMPARE(slices.endNs(999), std::int64_t{1700});
    }
    void namesToShowAreShown()
    {
        XSpaceText::Event long_ = operation("%fusion.1 = f32[8]{0} fusion(...)", 0, 3, "loop fusion");
        long_.displayName = "fusion.1";
        const TraceModelPtr run = m_folder.writeAndLoad(
            "names/a.xplane.pb", xspaceBytes({{{"/device:TPU:0", {{3, "XLA Ops", 0, {long_}}}}}}));
        QVERIFY(run);
        QCOMPARE(lanesOf(*run), QStringList{QStringLiteral("rank 0 XLA Ops [fusion.1=elementwise 0+3000]")});
    }
    void theFileBesideTheJsonIsRead()
    {
        std::uint64_t events = 0;
        const std::string bytes = xspaceBytes(twoDevices());
        m_folder.write("both/w.xplane.pb", bytes);
        m_folder.write("both/w.trace.json", traceViewerJson(bytes, events));
        m_folder.write("both/other.trace.json", traceViewerJson(bytes, events));
        const TraceModelPtr run = m_folder.load("both");
        QVERIFY(run);
        QCOMPARE(run->sources.size(), std::size_t{2}); // the file of another host is not a copy
        const Diagnostic* const problem = findProblem(run->problems, "same_recording");
        QVERIFY(problem && problem->file.ends_with("w.trace.json"));
    }
    void realFiles_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<int>("gpus");
        for (const QString& path : tracesFolder().isEmpty() ? QStringList() : sharedProfiles())
            QTest::newRow(qPrintable(path)) << tracesFolder() + path << (path.contains(u"legacy") ? 2 : 8);
    }
    void realFiles()
    {
        if (tracesFolder().isEmpty())
            QSKIP("needs the shared traces");
        QFETCH(QString, path);
        QVERIFY(compareWithViewer(contentOf(path)) > 5);
        const TraceModelPtr run = m_folder.load("own/host.xplane.pb");
        QFETCH(int, gpus);
        QCOMPARE(run->timelines.size(), static_cast<std::size_t>(gpus));
        QVERIFY(run->hasWallClock);
    }
    void copiesOfAmdGpusAreNoKernels()
    {
        const QString path = tracesFolder() + QStringLiteral("/xplane/jax_conv_minimal_legacy.xplane.pb");
        if (!QFile::exists(path))
            QSKIP("needs the shared traces");
        RunFolder folder;
        folder.write("host.xplane.pb", contentOf(path));
        const TraceModelPtr run = folder.load("");
        QVERIFY(run);
        // Counted in the file: 53 events CopyDeviceToDevice in the lines of the streams, and 25 kernels.
        int copies = 0, kernels = 0;
        for (const Track& track : run->tracks) {
            for (std::size_t row = 0; track.kind == TrackKind::GpuStream && row < track.slices.size();
                 ++row) {
                copies += track.slices.category[row] == SliceCategory::Memcpy ? 1 : 0;
                kernels += track.slices.category[row] == SliceCategory::Kernel ? 1 : 0;
            }
        }
        QCOMPARE(copies, 53);
        QCOMPARE(kernels, 25);
    }
    void gridsAreSharesOfTheMultiprocessors_data()
    {
        QTest::addColumn<QString>("details");
        QTest::addColumn<bool>("isTold");
        QTest::newRow("NVIDIA") << QStringLiteral("regs:32 static_shared:0 grid:26,2,1 block:512,1,1")
                                << true;
        QTest::newRow("AMD") << QStringLiteral(" grid:26,2,1 block:512,1,1 private_mem:0 group_mem:2112")
                             << true;
        QTest::newRow("AMD, registers and memory not set")
            << QStringLiteral("regs:2191500840 static_shared:32462 grid:26,2,1 block:512,1,1") << true;
        QTest::newRow("AMD, grid in work-items")
            << QStringLiteral("regs:0 static_shared:0 grid:26,2,1 block:512,1,1") << false;
    }
    void gridsAreSharesOfTheMultiprocessors()
    {
        QFETCH(QString, details);
        QFETCH(bool, isTold);
        const XSpaceText::Event kernel{
            "gemm_kernel", 0, 5 * psPerUs, {{"kernel_details", details.toStdString()}}, {}};
        const XSpaceText::Plane idle{"/device:GPU:1", {}, {{"core_count", 104}}};
        const TraceModelPtr run = m_folder.writeAndLoad(
            "sm/a.xplane.pb",
            xspaceBytes(
                {{{"/device:GPU:0", {{1, "Stream #1(Compute)", 1000, {kernel}}}, {{"core_count", 104}}},
                  idle}}));
        QVERIFY(run);
        const Timeline& gpu = run->timelines.front();
        QCOMPARE(gpu.multiprocessors, 104);
        QCOMPARE(measure(*run, "mean_sm_coverage").value, isTold ? std::optional(50.0) : std::nullopt);
        const KernelDetail& detail = gpu.kernelDetails.front();
        const bool isSet = details.startsWith(u"regs:32 ");
        QCOMPARE(detail.registersPerThread, isSet ? 32 : -1);
        QVERIFY(detail.sharedMemoryBytes != 32'462);
        const Diagnostic* const problem = findProblem(run->problems, "idle_devices");
        QVERIFY(problem && problem->explanation.find("2 GPUs, but 1 of them") != std::string::npos);
    }
    void everyCutIsSurvived()
    {
        const std::string bytes = xspaceBytes(twoDevices());
        std::set<std::size_t> ends; // a file that ends after a plane is whole
        XSpaceText part;
        for (const XSpaceText::Plane& plane : twoDevices().planes) {
            part.planes.push_back(plane);
            ends.insert(xspaceBytes(part).size());
        }
        const ReaderDescriptor& reader = readerOf(SourceKind::Xplane);
        for (std::size_t size = 0; size < bytes.size(); ++size) {
            SourceFile file;
            file.path = m_folder.write("cut.xplane.pb", bytes.substr(0, size));
            file.bytes = size;
            const auto fragment = reader.read(file, ReadContext());
            if (!fragment)
                continue;
            QCOMPARE(fragment->source.shown + fragment->source.excluded, fragment->source.eventsInFile);
            QVERIFY(findProblem(fragment->problems, "truncated") || ends.contains(size));
        }
    }
    void hostileFiles_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("problem"); // "" = nothing can be read
        const auto row = [](const char* name, const std::string& bytes, const char* problem) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString::fromUtf8(problem);
        };
        const std::string plane = lengthDelimited(2, 13, "/device:GPU:0");
        const auto withEvent = [&](const std::string& event, const std::string& line = {}) {
            const std::string lines = lengthDelimited(3, line.size() + event.size() + 2,
                                                      line + lengthDelimited(4, event.size(), event));
            return lengthDelimited(1, plane.size() + lines.size(), plane + lines);
        };
        const std::string noEvents = lengthDelimited(1, plane.size(), plane);
        row("no events", noEvents, "");
        row("a plane that claims a gigabyte", noEvents + lengthDelimited(1, 1u << 30, plane), "");
        row("an event that claims a gigabyte",
            withEvent("\x10\x01")
                + lengthDelimited(1, plane.size() + 8,
                                  plane + lengthDelimited(3, 6, lengthDelimited(4, 1u << 30, ""))),
            "damaged_plane");
        row("a length of 2^64 - 1", lengthDelimited(1, ~std::uint64_t{0}, plane), "");
        row("a varint without an end", withEvent("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"),
            "damaged_event");
        row("a group, which is not used", withEvent("\x0b"), "damaged_event");
        row("field 0", withEvent(std::string(1, '\0')), "damaged_event");
        row("an event that is only counted", withEvent("\x08\x01\x28\x07"), "aggregated_events");
        row("a negative duration", withEvent("\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
            "negative_duration");
        row("a time of a century", withEvent("\x10\xff\xff\xff\xff\xff\xff\xff\xff\x7f"), "absurd_time");
        row("a line that begins in a century",
            withEvent("\x10\x01", "\x18\xff\xff\xff\xff\xff\xff\xff\xff\x7f"), "absurd_time");
        row("an event without a name", withEvent("\x08\x07\x10\x01\x18\x05"), "missing_name");
        std::string many;
        for (int i = 0; i < 5000; ++i)
            many += noEvents;
        row("five thousand planes", many + withEvent("\x10\x01"), "too_many_planes");
        row("a name with line ends and zeros",
            lengthDelimited(1, 9, lengthDelimited(2, 7, std::string("/host:\n", 7)))
                + withEvent(std::string("\x10\x01", 2)),
            "missing_name");
    }
    void hostileFiles()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, problem);
        SourceFile file;
        file.path = m_folder.write("hostile.xplane.pb", bytes.toStdString());
        file.bytes = static_cast<std::uint64_t>(bytes.size());
        const auto fragment = readerOf(SourceKind::Xplane).read(file, ReadContext());
        QCOMPARE(static_cast<bool>(fragment), !problem.isEmpty());
        if (!fragment)
            return;
        QCOMPARE(fragment->source.shown + fragment->source.excluded, fragment->source.eventsInFile);
        QVERIFY2(findProblem(fragment->problems, problem.toStdString()),
                 fragment->problems.isEmpty() ? "none" : fragment->problems.entries().front().code.c_str());
    }
    void timesOfALineMayFollowItsEvents()
    {
        std::string event("\x08\x01\x10\x00\x18\xe8\x07", 7);
        std::string line = lengthDelimited(4, event.size(), event);
        line += std::string("\x18\xe8\x07", 3); // begins at 1000 ns
        std::string plane = lengthDelimited(2, 9, "/host:CPU") + lengthDelimited(3, line.size(), line);
        SourceFile file;
        file.path = m_folder.write("late.xplane.pb", lengthDelimited(1, plane.size(), plane));
        const auto fragment = readerOf(SourceKind::Xplane).read(file, ReadContext());
        QVERIFY(fragment);
        QCOMPARE(fragment->tracks.front().slices.startNs.front(), std::int64_t{1000});
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestXplane)
#include "tst_xplane.moc"
