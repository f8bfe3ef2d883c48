// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// NVF1 samples from bytes to intervals, and what the metrics make of them.

#include "metrics/counters/nvlink_intervals.h"
#include "metrics/counters/peak_kernels.h"
#include "model/kernels/kernel_names.h"
#include "model/readers/reader.h"
#include "tests/support/suite/suite.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <cstring>
#include <fstream>

namespace collscope {

extern const ReaderDescriptor nvf1Reader;
namespace {

constexpr std::int64_t epochUs = 1'700'000'000'000'000;
constexpr std::uint32_t tx = 138;
constexpr std::uint32_t rx = 139;

template<typename T>
void put(std::string& bytes, T value)
{
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes.append(raw, sizeof value);
}

std::string header(std::string_view magic = "NVF1", std::uint16_t fieldSize = 40, std::int32_t hostSize = 8)
{
    std::string bytes(magic);
    put(bytes, std::uint16_t{1});
    put(bytes, fieldSize);
    put(bytes, hostSize);
    return bytes;
}

/// One record of the default sizes; the value is written as it lies in the union.
template<typename T>
std::string record(std::int64_t timeUs, std::uint32_t field, std::uint32_t link, T value,
                   std::int32_t type = 3, std::int32_t status = 0)
{
    std::string bytes;
    put(bytes, std::uint64_t{0});
    put(bytes, field);
    put(bytes, link);
    put(bytes, timeUs == 0 ? timeUs : epochUs + timeUs);
    put(bytes, std::int64_t{5});
    put(bytes, type);
    put(bytes, status);
    put(bytes, value);
    bytes.resize(48);
    return bytes;
}

std::string kib(std::int64_t timeUs, std::uint32_t field, std::uint32_t link, std::uint64_t value)
{
    return record(timeUs, field, link, value);
}

const Value* detail(const MetricResult& result, std::string_view key)
{
    for (const auto& [name, value] : result.details) {
        if (name == key)
            return &value;
    }
    return nullptr;
}

std::int64_t integer(const MetricResult& result, std::string_view key)
{
    const Value* const value = detail(result, key);
    return value && value->as<std::int64_t>() ? *value->as<std::int64_t>() : -1;
}

double real(const MetricResult& result, std::string_view key)
{
    const Value* const value = detail(result, key);
    return value && value->as<double>() ? *value->as<double>() : -1;
}

LinkSeries seriesOf(std::uint32_t link, LinkDirection direction, const std::vector<std::uint64_t>& bytes)
{
    LinkSeries series;
    series.link = link;
    series.direction = direction;
    series.bytes = bytes;
    series.gap.assign(bytes.size(), false);
    series.medianPeriodNs = 1000;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        series.beginNs.push_back(static_cast<std::int64_t>(i) * 1000);
        series.endNs.push_back(static_cast<std::int64_t>(i + 1) * 1000);
    }
    return series;
}

/// A model with one NVLink file (two links, both directions) and one nsys timeline of GPU 0 with three
/// kernels.
TraceModel busyModel()
{
    TraceModel model;
    model.hasWallClock = true;
    model.axisZeroNs = epochUs * 1000;
    NvlinkDevice device;
    device.gpu = 0;
    device.series
        = {seriesOf(0, LinkDirection::Tx, {1000, 4000, 0}), seriesOf(0, LinkDirection::Rx, {0, 500, 500}),
           seriesOf(1, LinkDirection::Tx, {0, 2000, 4000})};
    model.nvlink.push_back(device);

    Track track;
    track.kind = TrackKind::GpuStream;
    track.timeline = TimelineId{0};
    track.device = 0;
    track.stream = 7;
    const auto kernel = [&](std::string_view name, std::int64_t start, std::int64_t duration) {
        SliceRow row;
        row.name = model.strings.intern(name);
        row.category = SliceCategory::Kernel;
        row.kernelClass = classifyKernel(name);
        row.startNs = start;
        row.durationNs = duration;
        track.slices.append(row);
    };
    kernel("ampere_gemm", 0, 1100);
    kernel("ncclDevKernel_AllGather_RING_LL", 1100, 700);
    kernel("vectorized_elementwise_kernel", 2000, 500);
    model.tracks.push_back(std::move(track));
    Timeline timeline;
    timeline.kind = SourceKind::Nsys;
    timeline.device = 0;
    timeline.hasWallClock = true;
    timeline.tracks = {TrackId{0}};
    timeline.range = {0, 2500};
    model.timelines.push_back(std::move(timeline));
    return model;
}

} // namespace

MetricResult resultOf(std::string_view id, const TraceModel& model, const MetricOptions& options)
{
    return evaluate(model, *findMetric(id), options);
}

class TestNvlink : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void rejectsWhatIsNoSampleFile_data();
    void rejectsWhatIsNoSampleFile();
    void foldsEmptyIntervals();
    void countsResetsAndGaps();
    void decodesEveryValueType();
    void leavesOutWhatNvmlCouldNotRead();
    void takesTheGpuFromTheName_data();
    void takesTheGpuFromTheName();
    void picksTheHighestIntervalsInOrder();
    void addsUpTheLinks();
    void findsPeaksByProminence();
    void computesTheThroughputMetrics();
    void reportsOneDirectionWithoutHalving();
    void choosesTheFileOfTheGpu();
    void ranksKernelsOfThePeak();
    void saysWhyThereAreNoPeakKernels();

private:
    Result<TraceFragment> read(const std::string& bytes, const char* name = "nvlink_gpu0.bin")
    {
        SourceFile file;
        file.path = m_folder->filePath(QString::fromUtf8(name)).toStdString();
        file.bytes = bytes.size();
        std::ofstream(file.path, std::ios::binary) << bytes;
        return nvf1Reader.read(file, ReadContext());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestNvlink::rejectsWhatIsNoSampleFile_data()
{
    QTest::addColumn<QByteArray>("bytes");
    const auto row = [](const char* name, const std::string& bytes) {
        QTest::newRow(name) << QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size()));
    };
    row("empty", "");
    row("short header", "NVF1\x01");
    row("magic", header("NVX9") + kib(1, tx, 0, 1));
    row("field size", header("NVF1", 32));
    row("host time size", header("NVF1", 40, 4));
    row("no records", header());
    row("one sample only", header() + kib(1, tx, 0, 1));
}

void TestNvlink::rejectsWhatIsNoSampleFile()
{
    QFETCH(QByteArray, bytes);
    const auto result = read(bytes.toStdString());
    QVERIFY(!result);
    QCOMPARE(result.error().kind, Error::Kind::Format);
    QVERIFY(result.error().message.ends_with('.'));
}

void TestNvlink::foldsEmptyIntervals()
{
    // Two readings at 1000 us: the second's bytes go to the next interval; the one at the very end to the
    // last.
    const auto result = read(header() + kib(0 + 1, tx, 0, 0) + kib(1000, tx, 0, 10) + kib(1000, tx, 0, 15)
                             + kib(2000, tx, 0, 20) + kib(2000, tx, 0, 27) + "tail");
    QVERIFY(result);
    const LinkSeries& series = result->nvlink.at(0).series.at(0);
    QCOMPARE(series.bytes, (std::vector<std::uint64_t>{10 * 1024, 17 * 1024}));
    QCOMPARE(series.beginNs.front(), (epochUs + 1) * 1000);
    QCOMPARE(series.endNs.back(), (epochUs + 2000) * 1000);
    QCOMPARE(result->source.eventsInFile, std::uint64_t{5});
    QCOMPARE(result->source.shown + result->source.excluded, std::uint64_t{5});
    QCOMPARE(result->problems.entries().at(0).code, std::string("short_tail"));
}

void TestNvlink::countsResetsAndGaps()
{
    std::string bytes = header();
    for (int i = 0; i < 8; ++i)
        bytes += kib(1 + i * 1000, tx, 0, static_cast<std::uint64_t>(100 * i));
    bytes += kib(100'000, tx, 0, 5) + kib(101'000, tx, 0, 6);
    const auto result = read(bytes);
    QVERIFY(result);
    const LinkSeries& series = result->nvlink.at(0).series.at(0);
    QCOMPARE(series.resets, std::uint64_t{1});
    QCOMPARE(series.bytes.at(7), std::uint64_t{0});
    QVERIFY(series.gap.at(7));
    QVERIFY(!series.gap.at(6));
    QCOMPARE(series.medianPeriodNs, std::int64_t{1'000'000});
}

void TestNvlink::decodesEveryValueType()
{
    std::string bytes = header();
    const auto twice = [&](std::uint32_t link, auto value, std::int32_t type) {
        bytes += record(1, tx, link, std::uint64_t{0}, 3) + record(1001, tx, link, value, type);
    };
    twice(0, 2.5, 0);
    twice(1, std::uint32_t{7}, 1);
    twice(2, std::uint64_t{8}, 2);
    twice(3, std::int64_t{9}, 4);
    twice(4, std::int32_t{10}, 5);
    twice(5, std::uint16_t{11}, 6);
    // Neither a negative counter nor an unknown type is a value.
    bytes += record(2001, tx, 0, std::int64_t{-1}, 4) + record(2001, tx, 0, std::uint64_t{1}, 9);
    const auto result = read(bytes);
    QVERIFY(result);
    const auto& series = result->nvlink.at(0).series;
    QCOMPARE(series.size(), std::size_t{6});
    const std::uint64_t expected[] = {2560, 7 * 1024, 8 * 1024, 9 * 1024, 10 * 1024, 11 * 1024};
    for (std::size_t i = 0; i < series.size(); ++i)
        QCOMPARE(series[i].bytes, std::vector<std::uint64_t>{expected[i]});
    QCOMPARE(result->source.excluded, std::uint64_t{2});
}

void TestNvlink::leavesOutWhatNvmlCouldNotRead()
{
    const auto result = read(header() + kib(1, tx, 0, 0) + record(500, tx, 0, std::uint64_t{0}, 3, 999)
                             + kib(1001, tx, 0, 4) + kib(1, 140, 0, 0) + kib(1001, 140, 0, 9)
                             + kib(1, rx, LinkSeries::allLinks, 0) + kib(1001, rx, LinkSeries::allLinks, 8)
                             + kib(1, 200, 0, 1) + record(0, tx, 0, std::uint64_t{1}));
    QVERIFY(result);
    const NvlinkDevice& device = result->nvlink.at(0);
    QCOMPARE(device.series.size(), std::size_t{3});
    QVERIFY(device.series[1].raw);
    QCOMPARE(device.series[2].link, LinkSeries::allLinks);
    QCOMPARE(selectSeries(device, std::nullopt, std::nullopt).size(), std::size_t{1});
    QCOMPARE(result->source.excluded, std::uint64_t{3});
    QCOMPARE(result->source.shown, std::uint64_t{6});
    QCOMPARE(result->problems.excludedEvents(), std::uint64_t{3});
    QVERIFY(result->hasWallClock);
}

void TestNvlink::takesTheGpuFromTheName_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<int>("gpu");
    QTest::newRow("gpu0") << QByteArray("nvlink_gpu0.bin") << 0;
    QTest::newRow("GPU-12") << QByteArray("GPU-12_samples.bin") << 12;
    QTest::newRow("trailing") << QByteArray("nvlink_3.bin") << 3;
    QTest::newRow("gpu before a count") << QByteArray("gpu2_run_7.bin") << 2;
    QTest::newRow("no number") << QByteArray("nvlink_trace.bin") << -1;
    QTest::newRow("a date") << QByteArray("nvlink_20240131.bin") << -1;
}

void TestNvlink::takesTheGpuFromTheName()
{
    QFETCH(QByteArray, name);
    QFETCH(int, gpu);
    const auto result = read(header() + kib(1, tx, 0, 0) + kib(1001, tx, 0, 4), name.constData());
    QVERIFY(result);
    QCOMPARE(result->nvlink.at(0).gpu.value_or(-1), gpu);
}

void TestNvlink::picksTheHighestIntervalsInOrder()
{
    const LinkSeries first = seriesOf(0, LinkDirection::Tx, {5, 9, 9});
    const LinkSeries second = seriesOf(1, LinkDirection::Tx, {9, 1, 10});
    const auto top = topIntervals({&first, &second}, 4);
    QCOMPARE(top.size(), std::size_t{4});
    QCOMPARE(top[0].series, &second);
    QCOMPARE(top[0].index, std::size_t{2});
    // Ties: series order, then time.
    QCOMPARE(top[1].series, &first);
    QCOMPARE(top[1].index, std::size_t{1});
    QCOMPARE(top[2].index, std::size_t{2});
    QCOMPARE(top[3].series, &second);
    QVERIFY(topIntervals({&first}, 0).empty());
    QCOMPARE(topIntervals({&first}, 99).size(), std::size_t{3});
}

void TestNvlink::addsUpTheLinks()
{
    NvlinkDevice device;
    device.series
        = {seriesOf(0, LinkDirection::Tx, {1000, 1000, 3000}), seriesOf(1, LinkDirection::Tx, {2000, 2000})};
    device.series.push_back(seriesOf(LinkSeries::allLinks, LinkDirection::Tx, {9000}));
    const StepFunction sum = aggregateThroughput(device, LinkDirection::Tx);
    QCOMPARE(sum.timeNs, (std::vector<std::int64_t>{0, 3000}));
    QCOMPARE(sum.value.front(), 3.0);
    QVERIFY2(std::isnan(sum.value.back()), "after the last sample nothing is known");
    QVERIFY(aggregateThroughput(device, LinkDirection::Rx).value.empty());
}

void TestNvlink::findsPeaksByProminence()
{
    TraceModel model;
    NvlinkDevice device;
    // A high plateau with ripple, a lower peak far away, and noise that is worth no marker.
    device.series = {seriesOf(0, LinkDirection::Tx, {0, 98, 100, 97, 0, 1, 0, 60, 0})};
    model.nvlink.push_back(device);
    const auto peaks = findPeaks(model, 10);
    QCOMPARE(peaks.size(), std::size_t{2});
    QCOMPARE(peaks[0].range, (TimeRange{1000, 4000}));
    QCOMPARE(peaks[0].gigabytesPerSecond, 0.1);
    QCOMPARE(peaks[1].range, (TimeRange{7000, 8000}));
    QCOMPARE(findPeaks(model, 1).size(), std::size_t{1});
    QVERIFY(findPeaks(TraceModel(), 5).empty());
}

void TestNvlink::computesTheThroughputMetrics()
{
    const TraceModel model = busyModel();
    MetricOptions options;
    const MetricResult highest = resultOf("max_throughput", model, options);
    QCOMPARE(*highest.value, 4.0);
    QCOMPARE(integer(highest, "link_id"), std::int64_t{0});
    QCOMPARE(integer(highest, "timestamp_us"), epochUs + 1);
    QCOMPARE(integer(highest, "interval_bytes"), std::int64_t{4000});
    QCOMPARE(highest.inputs.at(0),
             std::string("The file is that of rank 0, guessed by GPU number 0: nothing says that "
                         "there is a second node."));
    QCOMPARE(real(highest, "max_aggregate_tx"), 6.0);
    QCOMPARE(real(highest, "max_aggregate_rx"), 0.5);
    QCOMPARE(highest.inputs.at(3),
             std::string("All links together, as in the NVLink chart: at most 6 GB/s tx; the "
                         "value is that of one link."));
    QCOMPARE(highest.evidenceRanges, (std::vector<TimeRange>{{1000, 2000}}));

    const MetricResult average = resultOf("avg_throughput", model, options);
    QCOMPARE(*average.value, 12000.0 / 9000.0);
    QCOMPARE(integer(average, "num_intervals"), std::int64_t{9});
    QCOMPARE(integer(average, "num_active_intervals"), std::int64_t{6});
    QCOMPARE(real(average, "aggregate_avg_tx"), 11000.0 / 3000.0);

    QCOMPARE(*resultOf("total_communication", model, options).value, 6000.0);
    QCOMPARE(*resultOf("nvlink_all", model, options).value, 4.0);
    QVERIFY(detail(resultOf("nvlink_all", model, options), "avg_throughput")->as<Value::Object>());

    options.link = 1;
    options.direction = LinkDirection::Tx;
    QCOMPARE(*resultOf("total_communication", model, options).value, 6000.0);
    QVERIFY(!detail(resultOf("avg_throughput", model, options), "aggregate_avg_tx"));
    options.direction = LinkDirection::Rx;
    const MetricResult none = resultOf("max_throughput", model, options);
    QCOMPARE(none.state, MetricState::NotApplicable);
    QVERIFY(none.reason.find("rx samples of link 1") != std::string::npos);
}

void TestNvlink::reportsOneDirectionWithoutHalving()
{
    TraceModel model = busyModel();
    std::erase_if(model.nvlink.front().series,
                  [](const LinkSeries& s) { return s.direction == LinkDirection::Rx; });
    const MetricResult result = resultOf("total_communication", model, MetricOptions());
    QCOMPARE(*result.value, 11000.0);
    QCOMPARE(result.warnings.size(), std::size_t{1});
    QVERIFY(detail(result, "rx_bytes")->as<std::nullptr_t>());
    QVERIFY(!detail(resultOf("avg_throughput", model, MetricOptions()), "aggregate_avg_rx"));
}

void TestNvlink::choosesTheFileOfTheGpu()
{
    TraceModel model;
    QVERIFY(!chooseNvlink(model, 0).missing.empty());
    QCOMPARE(resultOf("max_throughput", model, MetricOptions()).state, MetricState::MissingInput);

    model.nvlink.resize(1);
    model.nvlink[0].gpu = 0;
    QVERIFY(chooseNvlink(model, 0).warning.empty());
    QVERIFY(chooseNvlink(model, std::nullopt).warning.empty());
    QVERIFY(chooseNvlink(model, 1).device);
    QVERIFY(chooseNvlink(model, 1).warning.find("GPU 0") != std::string::npos);
    model.nvlink[0].gpu.reset();
    QVERIFY(!chooseNvlink(model, 0).warning.empty());

    model.nvlink.resize(2);
    model.nvlink[1].gpu = 5;
    QCOMPARE(chooseNvlink(model, 5).device, &model.nvlink[1]);
    QVERIFY(!chooseNvlink(model, 1).device);
    QVERIFY(!chooseNvlink(model, std::nullopt).warning.empty());
}

void TestNvlink::ranksKernelsOfThePeak()
{
    const TraceModel model = busyModel();
    MetricOptions options;
    options.wantEvidence = true;
    const MetricResult result = resultOf("peak_kernels", model, options);
    QCOMPARE(result.state, MetricState::Value);
    QCOMPARE(*result.value, 2.0);
    QCOMPARE(integer(result, "num_nccl_kernels"), std::int64_t{1});
    QCOMPARE(integer(result, "uncertainty_us"), std::int64_t{1});
    QCOMPARE(result.source, std::string("nvf1+nsys"));
    const auto kernels = *detail(result, "kernels")->as<Value::Array>();
    const auto& first = *kernels.at(0).as<Value::Object>();
    QCOMPARE(*first.at(0).second.as<std::string>(), std::string("ncclDevKernel_AllGather_RING_LL"));
    QCOMPARE(*first.at(7).second.as<double>(), 70.0);
    const auto& interval = *detail(result, "peak_interval")->as<Value::Object>();
    QCOMPARE(*interval.back().second.as<std::string>(), std::string("2023-11-14T22:13:20.000Z"));
    QCOMPARE(result.evidence, (std::vector<SliceRef>{{TrackId{0}, 0}, {TrackId{0}, 1}}));

    // Loaded with all its iterations, a rank has several timelines; the peak may be in any of them.
    TraceModel twice = busyModel();
    twice.timelines.insert(twice.timelines.begin(), twice.timelines.front());
    twice.timelines.front().tracks.clear();
    twice.timelines.front().range = {-2'000'000, -1'000'000};
    QCOMPARE(resultOf("peak_kernels", twice, MetricOptions()).value, result.value);

    options.ncclOnly = true;
    QCOMPARE(*resultOf("peak_kernels", model, options).value, 1.0);
    options.ncclOnly = false;
    options.top = 3;
    const MetricResult several = resultOf("peak_kernels", model, options);
    QCOMPARE(*several.value, 2.0);
    QCOMPARE(integer(several, "num_peaks"), std::int64_t{3});
    QVERIFY(!detail(several, "kernels"));
    // A kernel that only touches the interval's end is not in it.
    QCOMPARE(
        kernelsDuring(model, std::vector{std::as_const(model).timelines.data()}, {1000, 1100}, false).size(),
        std::size_t{1});
}

void TestNvlink::saysWhyThereAreNoPeakKernels()
{
    MetricOptions options;
    TraceModel model = busyModel();
    model.timelines[0].hasWallClock = false;
    MetricResult result = resultOf("peak_kernels", model, options);
    QCOMPARE(result.state, MetricState::NotApplicable);
    QVERIFY(result.reason.find("wall clock") != std::string::npos);

    options.rank = 3;
    QVERIFY(resultOf("peak_kernels", model, options).reason.find("GPU 3") != std::string::npos);
    options.rank.reset();

    model.timelines[0].hasWallClock = true;
    options.profileMode = ProfileMode::Torch;
    QCOMPARE(resultOf("peak_kernels", model, options).state, MetricState::MissingInput);
    options.profileMode = ProfileMode::Auto;

    model.timelines[0].range = {1'000'000, 2'000'000};
    QVERIFY(resultOf("peak_kernels", model, options).reason.find("overlap in time") != std::string::npos);
    model.timelines.clear();
    QCOMPARE(resultOf("peak_kernels", model, options).state, MetricState::MissingInput);
    model.nvlink.clear();
    QCOMPARE(resultOf("peak_kernels", model, options).state, MetricState::MissingInput);
}

COLLSCOPE_TEST(TestNvlink)

} // namespace collscope

#include "tst_nvlink.moc"
