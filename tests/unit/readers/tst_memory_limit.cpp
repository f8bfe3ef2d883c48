// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A load under a limit of memory: what fits is loaded, what does not is refused with a sentence.

#include "app/runtime/memory_policy.h"
#include "model/readers/run/examine.h"
#include "model/readers/run/file_reading.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_writer.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <new>
#include <numeric>

namespace collscope {

namespace {

namespace fs = std::filesystem;

const Diagnostic* refusalOf(const TraceModel& model, std::string_view fileEnd = {})
{
    for (const Diagnostic& entry : model.problems.entries()) {
        if (entry.code == "memory_limit" && std::string_view(entry.file).ends_with(fileEnd))
            return &entry;
    }
    return nullptr;
}

} // namespace

class TestMemoryLimit : public QObject
{
    Q_OBJECT

private:
    static constexpr std::size_t ranks = 6;
    QTemporaryDir m_folder;
    LoadPlan m_plan;
    std::uint64_t m_each = 0; ///< bytes of a file
    std::vector<std::uint64_t> m_taken; ///< memory of each file, as it is played here

    std::string at(const std::string& name) const { return m_folder.path().toStdString() + '/' + name; }
    /// A process that takes as much memory as it has read of the files, and some.
    LoadContext context(std::uint64_t limit)
    {
        m_taken.assign(ranks, 0);
        LoadContext context;
        context.memory.bytes = limit;
        context.memory.inUse
            = [this] { return std::accumulate(m_taken.begin(), m_taken.end(), std::uint64_t{1000}); };
        context.progress = [this](std::size_t file, std::uint64_t done) { m_taken[file] = done; };
        return context;
    }

private slots:
    void initTestCase()
    {
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            std::string text = "{\"traceEvents\": [";
            for (int i = 0; i < 5'000; ++i)
                text += std::string(i > 0 ? "," : "")
                    + "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":"
                    + std::to_string(i * 10 + 1'000'000) + ",\"dur\":5}";
            writeFile(at("rank" + std::to_string(rank) + ".json"), text + "]}");
        }
        auto plan = planLoad({m_folder.path().toStdString()}, {});
        QVERIFY(plan && plan->files.size() == ranks);
        m_plan = std::move(*plan);
        m_each = m_plan.files.front().file.bytes;
    }

    void whatFitsIsLoaded()
    {
        const auto all = loadTrace(m_plan, context(1000 + ranks * m_each + m_each * 7 / 10));
        QVERIFY(all && (*all)->timelines.size() == ranks && !refusalOf(**all));
        const auto noLimit = loadTrace(m_plan, context(0));
        QVERIFY(noLimit && (*noLimit)->timelines.size() == ranks);
        const auto some = loadTrace(m_plan, context(1000 + 3 * m_each + m_each * 8 / 10));
        QVERIFY(some);
        QCOMPARE((*some)->timelines.size(), std::size_t{3});
        const Diagnostic* const refused = refusalOf(**some, "rank5.json");
        QVERIFY(refused && refused->severity == Severity::Error);
        for (const char* word : {"GiB are allowed", "--max-memory", "--max-ranks", "--iteration"})
            QVERIFY2(refused->explanation.find(word) != std::string::npos, refused->explanation.c_str());
    }
    void nothingFits()
    {
        const auto none = loadTrace(m_plan, context(1000 + m_each / 2));
        QVERIFY(!none && none.error().kind == Error::Kind::NotFound);
        QVERIFY2(none.error().message.find("--max-memory") != std::string::npos,
                 none.error().message.c_str());
    }
    void whatIsRefusedBesideOthersIsTriedAlone()
    {
        // The first file takes too much, is refused and gives it back; when the others are done, it fits.
        LoadContext crowded = context(1000 + 2 * ranks * m_each);
        bool first = true;
        const auto progress = crowded.progress;
        const auto inUse = crowded.memory.inUse;
        crowded.progress = [&](std::size_t file, std::uint64_t done) {
            progress(file, file == 0 && std::exchange(first, false) ? 100 * m_each : done);
        };
        crowded.memory.inUse = [&] {
            const std::uint64_t bytes = inUse();
            if (bytes > crowded.memory.bytes)
                m_taken[0] = 0;
            return bytes;
        };
        const auto model = loadTrace(m_plan, crowded);
        QVERIFY(model);
        QCOMPARE((*model)->timelines.size(), ranks);
        QVERIFY(!refusalOf(**model));
    }
    void memoryThatTheSystemRefuses()
    {
        LoadContext exhausted;
        exhausted.progress = [](std::size_t file, std::uint64_t) {
            if (file == 1)
                throw std::bad_alloc();
        };
        const auto model = loadTrace(m_plan, exhausted);
        QVERIFY(model && refusalOf(**model, "rank1.json"));
        QCOMPARE((*model)->timelines.size(), ranks - 1);
    }

    void theDoctorHasALimitToo()
    {
        const LoadContext none = context(1000 + m_each / 2);
        const auto examination = examine(m_plan, none);
        QVERIFY(examination && examination->isConserved());
        for (const ExaminedFile& file : examination->files) {
            QVERIFY(!file.isRead && file.eventsInFile == 0 && file.findings.size() == 1);
            QCOMPARE(file.findings[0].code, std::string("memory_limit"));
            QVERIFY(file.findings[0].explanation.find("--max-memory") != std::string::npos);
        }
        LoadContext exhausted;
        exhausted.progress = [](std::size_t file, std::uint64_t) {
            if (file == 1)
                throw std::bad_alloc();
        };
        const auto most = examine(m_plan, exhausted);
        QVERIFY(most);
        for (std::size_t i = 0; i < ranks; ++i)
            QCOMPARE(most->files[i].isRead, i != 1);
        QCOMPARE(most->files[1].findings.at(0).code, std::string("memory_limit"));
    }
    void theDoctorKeepsNoEvent()
    {
        ReadContext reading;
        reading.isThorough = true;
        const auto kept = readPlanned(m_plan.files[0], reading);
        reading.keepsEvents = false;
        const auto counted = readPlanned(m_plan.files[0], reading);
        QVERIFY(kept && counted);
        QCOMPARE(counted->source.shown, kept->source.shown);
        std::size_t slices = 0;
        for (const Track& track : counted->tracks)
            slices += track.slices.size();
        QCOMPARE(slices, std::size_t{0});
    }
    void cleanCopiesHaveALimitToo()
    {
        std::string text;
        const auto write = [&](std::string_view piece) {
            text += piece;
            return true;
        };
        MemoryLimit limit;
        limit.bytes = 1000;
        limit.inUse = [] { return std::uint64_t{1001}; };
        const auto refused = writeCleanCopy(m_plan.files[0].file, {}, limit, write);
        QVERIFY(!refused && refused.error().message.find("--max-memory") != std::string::npos);
        ReadContext exhausted;
        exhausted.progress = [](std::uint64_t) { throw std::bad_alloc(); };
        QVERIFY(!writeCleanCopy(m_plan.files[0].file, exhausted, {}, write));
        text.clear();
        const auto written = writeCleanCopy(m_plan.files[0].file, {}, {}, write);
        QVERIFY(written && written->events == 5'000 && written->leftOut == 0);
    }

    void sizes()
    {
        const auto size = [](std::uint64_t bytes) { return std::optional<std::uint64_t>(bytes); };
        QCOMPARE(sizeFromText("8G"), size(std::uint64_t{8} << 30));
        QCOMPARE(sizeFromText("512 MiB"), size(std::uint64_t{512} << 20));
        QCOMPARE(sizeFromText("1.5kb"), size(1536));
        QCOMPARE(sizeFromText("2t"), size(std::uint64_t{2} << 40));
        QCOMPARE(sizeFromText("800000"), size(800000));
        for (const char* wrong : {"", "G", "-1G", "0", "1X", "1GG", "1e30", "nan", "inf", "8G "})
            QVERIFY2(!sizeFromText(wrong), wrong);
    }
    void whatIsAvailable()
    {
        QVERIFY(memoryInUse() > (1u << 20));
        QVERIFY(memoryAvailable() > 0);
        QVERIFY(memoryLimit({}).bytes > memoryInUse());
        QCOMPARE(memoryLimit(7).bytes, std::uint64_t{7});
        const std::string root = at("root");
        const auto put = [&](const std::string& name, const char* text) {
            fs::create_directories(fs::path(root + name).parent_path());
            writeFile(root + name, text);
        };
        QCOMPARE(memoryAvailable(root), std::uint64_t{0});
        put("/proc/meminfo", "MemTotal:  100 kB\nMemFree: 5 kB\nMemAvailable:   50 kB\n");
        QCOMPARE(memoryAvailable(root), std::uint64_t{50} * 1024);
        put("/proc/self/cgroup", "0::/job/step\n");
        put("/sys/fs/cgroup/job/step/memory.max", "max\n");
        put("/sys/fs/cgroup/job/memory.max", "30000\n");
        put("/sys/fs/cgroup/job/memory.current", "20000\n");
        QCOMPARE(memoryAvailable(root), std::uint64_t{10000});
        put("/sys/fs/cgroup/job/memory.stat", "anon 1\ninactive_file 5000\n");
        QCOMPARE(memoryAvailable(root), std::uint64_t{15000});
        put("/sys/fs/cgroup/job/memory.current", "90000\n");
        QCOMPARE(memoryAvailable(root), std::uint64_t{0});
        put("/proc/self/cgroup", "12:cpu:/x\n4:memory:/old\n");
        put("/sys/fs/cgroup/memory/old/memory.limit_in_bytes", "7000\n");
        put("/sys/fs/cgroup/memory/old/memory.usage_in_bytes", "6000\n");
        QCOMPARE(memoryAvailable(root), std::uint64_t{1000});
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestMemoryLimit)
#include "tst_memory_limit.moc"
