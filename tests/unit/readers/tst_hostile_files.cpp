// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Files that are no files, that change, fail or never end: a load ends, says so, and keeps what is sound.

#include "app/runtime/thread_pool.h"
#include "model/readers/run/load_trace.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_writer.h"

#include <QTemporaryDir>
#include <QTest>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

namespace collscope {

namespace {

namespace fs = std::filesystem;

std::string eventAt(int us)
{
    std::string text = "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":";
    return text.append(std::to_string(us)).append(",\"dur\":5}");
}

std::string soundTrace(int events = 2)
{
    std::string text = "{\"traceEvents\": [";
    for (int i = 0; i < events; ++i)
        text.append(i > 0 ? ",\n" : "").append(eventAt(10 * i));
    return text.append("]}");
}

/// head, then `unit` again and again until `bytes`, then tail, as gzip.
void writeBomb(const fs::path& path, const std::string& head, const std::string& unit, std::uint64_t bytes,
               const std::string& tail)
{
    std::ofstream file(path, std::ios::binary);
    isal_zstream stream;
    isal_deflate_init(&stream);
    stream.gzip_flag = IGZIP_GZIP;
    std::string buffer(std::size_t{1} << 20, '\0');
    const auto put = [&](std::string text, bool last) {
        stream.next_in = reinterpret_cast<std::uint8_t*>(text.data());
        stream.avail_in = static_cast<std::uint32_t>(text.size());
        stream.end_of_stream = last;
        do {
            stream.next_out = reinterpret_cast<std::uint8_t*>(buffer.data());
            stream.avail_out = static_cast<std::uint32_t>(buffer.size());
            isal_deflate(&stream);
            file.write(buffer.data(), static_cast<std::streamsize>(buffer.size() - stream.avail_out));
        } while (stream.avail_out == 0);
    };
    std::string block;
    while (block.size() < (std::size_t{1} << 20))
        block += unit;
    put(head, false);
    for (std::uint64_t done = 0; done < bytes; done += block.size())
        put(block, false);
    put(tail, true);
}

/// The text as gzip of the closest packing.
std::string gzipMember(const QByteArray& text)
{
    constexpr qsizetype front = 4 + 2; // Qt's length, zlib's header
    constexpr qsizetype back = 4; // zlib's checksum
    const QByteArray packed = qCompress(text, 9);
    const std::uint32_t ends[] = {crc32_gzip_refl(0, reinterpret_cast<const unsigned char*>(text.data()),
                                                  static_cast<std::uint64_t>(text.size())),
                                  static_cast<std::uint32_t>(text.size())};
    return std::string("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10)
        + packed.mid(front, packed.size() - front - back).toStdString()
        + std::string(reinterpret_cast<const char*>(ends), sizeof ends);
}

const Diagnostic* finding(const Diagnostics& problems, std::string_view code, std::string_view fileEnd = {})
{
    for (const Diagnostic& entry : problems.entries()) {
        if (entry.code == code && std::string_view(entry.file).ends_with(fileEnd))
            return &entry;
    }
    return nullptr;
}

std::uint64_t shownEvents(const TraceModel& model)
{
    std::uint64_t shown = 0;
    for (const SourceInfo& source : model.sources)
        shown += source.shown;
    return shown;
}

} // namespace

class TestHostileFiles : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;

    fs::path at(const std::string& name) const { return fs::path(m_folder->path().toStdString()) / name; }
    LoadPlan plan() const
    {
        auto planned = planLoad({m_folder->path().toStdString()}, {});
        return planned ? std::move(*planned) : LoadPlan();
    }
    Result<TraceModelPtr> load(const LoadContext& context = {}) const { return loadTrace(plan(), context); }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void specialFilesAreListed()
    {
        writeFile(at("rank0.json"), soundTrace());
        QCOMPARE(::mkfifo(at("rank1.json").c_str(), 0600), 0);
        const int server = ::socket(AF_UNIX, SOCK_STREAM, 0);
        sockaddr_un name{AF_UNIX, {}};
        const std::string socketPath = at("rank2.json").string();
        QVERIFY(socketPath.copy(name.sun_path, sizeof name.sun_path - 1) == socketPath.size());
        QCOMPARE(::bind(server, reinterpret_cast<const sockaddr*>(&name), sizeof name), 0);
        ::close(server);
        fs::create_symlink("/dev/zero", at("rank3.bin"));
        fs::create_symlink("nowhere", at("rank4.json"));
        fs::create_symlink("rank6.json", at("rank5.json"));
        fs::create_symlink("rank5.json", at("rank6.json"));
        fs::create_symlink(".", at("self"));
        fs::create_symlink("/proc/self/mem", at("rank7.json")); // a regular file whose first byte fails
        fs::create_directory(at("rank8.json"));
        const auto model = load();
        QVERIFY(model);
        QCOMPARE((*model)->timelines.size(), std::size_t{1});
        const Diagnostics& problems = (*model)->problems;
        const std::pair<const char*, const char*> special[]
            = {{"rank1.json", "a named pipe"}, {"rank2.json", "a socket"}, {"rank3.bin", "a device"}};
        for (const auto& [file, kind] : special) {
            const Diagnostic* entry = finding(problems, "special_file", file);
            QVERIFY2(entry && entry->explanation.find(kind) != std::string::npos, file);
        }
        for (const char* file : {"rank4.json", "rank5.json", "rank6.json", "rank7.json"})
            QVERIFY2(finding(problems, "unreadable", file), file);
        // Each of them alone, too.
        for (const char* file : {"rank1.json", "rank2.json", "rank3.bin", "rank7.json"}) {
            const auto alone = planLoad({at(file).string()}, {});
            QVERIFY2(alone && alone->files.empty() && !alone->problems.isEmpty(), file);
        }
    }

    void filesWithoutRightsAreListed()
    {
        for (const char* name : {"rank0.json", "rank1.json"})
            writeFile(at(name), soundTrace());
        fs::create_directory(at("closed"));
        fs::permissions(at("rank1.json"), fs::perms::none);
        fs::permissions(at("closed"), fs::perms::none);
        fs::permissions(at("."), fs::perms(0755));
        // Whoever may read everything becomes somebody else for a moment.
        constexpr uid_t nobody = 65534;
        const uid_t user = ::geteuid();
        if (user == 0 && ::seteuid(nobody) != 0)
            QSKIP("this user may read everything");
        const auto model = load();
        QCOMPARE(::seteuid(user), 0);
        fs::permissions(at("closed"), fs::perms::owner_all);
        QVERIFY(model && finding((*model)->problems, "unreadable", "rank1.json"));
        QVERIFY(finding((*model)->problems, "unreadable", "closed"));
    }

    void filesThatChangeAfterThePlan_data()
    {
        QTest::addColumn<QString>("change");
        for (const char* change : {"vanish", "folder", "pipe", "device", "loop"})
            QTest::newRow(change) << QString::fromLatin1(change);
    }
    void filesThatChangeAfterThePlan()
    {
        QFETCH(QString, change);
        const std::pair<std::string, const char*> files[]
            = {{"rank1.json", "{\"traceEvents\": []}"},
               {"b.bin", "NVF1 and so on, long enough"},
               {"c.sqlite", "SQLite format 3 CUPTI_ACTIVITY_KIND_"},
               {"train_config.toml", "[training]\n"},
               {"workload_card.yaml", "workload:\n  model:\n"},
               {"train.log", "step: 1  loss: 2.0\n"}};
        writeFile(at("rank0.json"), soundTrace());
        for (const auto& [name, text] : files)
            writeFile(at(name), text);
        const LoadPlan planned = plan();
        QCOMPARE(planned.files.size(), std::size_t{7});
        for (const auto& [name, text] : files) {
            fs::remove(at(name));
            if (change == QLatin1String("folder"))
                fs::create_directory(at(name));
            else if (change == QLatin1String("pipe"))
                QCOMPARE(::mkfifo(at(name).c_str(), 0600), 0);
            else if (change == QLatin1String("device"))
                fs::create_symlink("/dev/zero", at(name));
            else if (change == QLatin1String("loop"))
                fs::create_symlink(name, at(name));
        }
        const auto model = loadTrace(planned, LoadContext());
        QVERIFY(model);
        QCOMPARE((*model)->timelines.size(), std::size_t{1});
        for (const auto& [name, text] : files)
            QVERIFY2(finding((*model)->problems, "unreadable", name), name.c_str());
    }

    void changesWhileReadingAreFound_data()
    {
        QTest::addColumn<int>("bytes");
        QTest::newRow("grows") << 1;
        QTest::newRow("shrinks") << -1;
        QTest::newRow("is removed") << 0;
    }
    void changesWhileReadingAreFound()
    {
        QFETCH(int, bytes);
        writeFile(at("rank0.json"), soundTrace(20'000));
        LoadContext context;
        bool changed = false;
        context.progress = [&](std::size_t, std::uint64_t) {
            if (std::exchange(changed, true))
                return;
            const fs::path file = at("rank0.json");
            if (bytes == 0)
                fs::remove(file);
            else
                fs::resize_file(file, fs::file_size(file) / 2 * (bytes < 0 ? 1 : 3));
        };
        const auto model = load(context);
        QVERIFY(model);
        QVERIFY(finding((*model)->problems, "changed_while_read"));
        QCOMPARE(finding((*model)->problems, "truncated") != nullptr, bytes < 0);
        const SourceInfo& source = (*model)->sources.front();
        QCOMPARE(source.eventsInFile, source.shown + source.excluded);
        writeFile(at("rank0.json"), soundTrace(20'000));
        QVERIFY(!finding((*load())->problems, "changed_while_read"));
    }

    void bombsEnd_data()
    {
        QTest::addColumn<QByteArray>("head");
        QTest::addColumn<QByteArray>("unit");
        QTest::addColumn<QByteArray>("tail");
        const QByteArray events = "{\"traceEvents\": [" + QByteArray::fromStdString(eventAt(0)) + ","
            + QByteArray::fromStdString(eventAt(10));
        const auto row = [](const char* name, const QByteArray& head, const char* unit, const char* tail) {
            QTest::newRow(name) << head << QByteArray(unit) << QByteArray(tail);
        };
        row("a string", events + ",{\"ph\":\"X\",\"name\":\"", "a", "\"}]}");
        if (isSanitized)
            return; // a quarter of a gigabyte each
        row("lists in lists in args", events + ",{\"ph\":\"X\",\"args\":", "[", "");
        row("blanks", events, " ", "]}");
        row("numbers", events, ",1", "]}");
        row("a string behind the list", events + "],\"x\":\"", "a", "\"}");
        row("lists behind the list", events + "],\"deviceProperties\":", "[", "");
    }
    void bombsEnd()
    {
        QFETCH(QByteArray, head);
        QFETCH(QByteArray, unit);
        QFETCH(QByteArray, tail);
        writeBomb(at("rank0.json.gz"), head.toStdString(), unit.toStdString(), std::uint64_t{290} << 20,
                  tail.toStdString());
        for (const int threads : {3, 1}) {
            if (isSanitized && threads == 1)
                break;
            LoadContext context;
            context.parallel = threadPool(threads);
            const auto model = load(context);
            QVERIFY(model);
            const Diagnostic* const end = finding((*model)->problems, "no_events");
            QVERIFY(end && end->firstOffset < std::uint64_t{300} << 20);
            QCOMPARE(shownEvents(**model), std::uint64_t{2});
        }
    }
    void bombsBeforeTheListCanBeCancelled()
    {
        writeBomb(at("rank0.json.gz"), "{\"traceEvents\":", " ", std::uint64_t{290} << 20, "[]}");
        for (const int threads : {1, 3}) {
            LoadContext context;
            context.parallel = threadPool(threads);
            std::stop_source user;
            context.stop = user.get_token();
            int polls = 0;
            context.memory.bytes = std::numeric_limits<std::uint64_t>::max();
            context.memory.inUseLately = [&] {
                if (++polls > 20)
                    user.request_stop();
                return std::uint64_t{0};
            };
            const auto model = load(context);
            QVERIFY(!model && model.error().kind == Error::Kind::Cancelled);
            QVERIFY(polls < 100);
        }
        QVERIFY(isSanitized || !load()); // and it ends by itself
    }
    void inflationWithoutEndIsFound()
    {
        // zlib at its best, a member of 64 MiB again and again.
        std::string members = gzipMember("step: 1  loss: 2.0\n");
        const std::string member = gzipMember(QByteArray(64 << 20, 'x'));
        QVERIFY(member.size() * 500 < (std::size_t{64} << 20));
        for (int i = 0; i < 20; ++i)
            members += member;
        writeFile(at("train.log"), members + gzipMember("\nstep: 2  loss: 1.0\n"));
        writeFile(at("rank0.json"), soundTrace());
        const auto model = load();
        QVERIFY(model);
        QVERIFY(finding((*model)->problems, "inflation_limit", "train.log"));
        QCOMPARE((*model)->measurements.trainingLogs.front().steps.size(), std::size_t{1});
    }
    void planningLooksAtHeadsOnly()
    {
        // Members without content: many MiB on the disk, not one byte inflated.
        const std::string member("\x1f\x8b\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0", 20);
        std::string members;
        while (members.size() < (std::size_t{8} << 20))
            members += member;
        writeFile(at("rank0.json.gz"), members);
        writeFile(at("rank1.json"), "{\"traceEvents\": [");
        fs::resize_file(at("rank1.json"), std::uintmax_t{1} << 40); // 1 TiB of nothing
        QCOMPARE(plan().files.size(), std::size_t{1});
        const auto model = load();
        QVERIFY(model && finding((*model)->problems, "no_events", "rank1.json"));
    }

    void deepTextsAreRefused_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("code");
        constexpr int deep = 1'000'000;
        const QByteArray lists = QByteArray(deep, '[') + QByteArray(deep, ']');
        const auto row = [](const char* name, const QByteArray& text, const char* code) {
            QTest::newRow(name) << QString::fromLatin1(name) << text << QByteArray(code);
        };
        row("gate.json", "{\"expert_loads\": [[1]], \"x\": " + lists + "}", "unreadable");
        row("wide.json", "{\"expert_loads\": [[1]" + QByteArray(",[]").repeated(10'000'000) + "]}",
            "unreadable");
        row("envelope.json",
            "{\"traceEvents\": [], \"deviceProperties\": [{\"id\": 1, \"name\": " + lists
                + "}, {\"id\": 2, \"name\": 1}]}",
            "bad_metadata");
        row("workload_card.yaml", "workload:\n  model: " + lists, "yaml_repaired");
        row("train_config.toml", "[training]\nx = " + lists, "unreadable");
        row("dots/train_config.toml", "[training]\n" + QByteArray("a.").repeated(deep) + "a = 1",
            "unreadable");
    }
    void deepTextsAreRefused()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, code);
        writeFile(at("rank0.json"), soundTrace());
        fs::create_directories(at(name.toStdString()).parent_path());
        writeFile(at(name.toStdString()), text.toStdString());
        const auto model = load();
        QVERIFY(model);
        QVERIFY(finding((*model)->problems, code.toStdString(), name.toStdString()));
    }
    void samplesOfEndlessLinksEnd()
    {
        const auto word
            = [](auto value) { return std::string(reinterpret_cast<const char*>(&value), sizeof value); };
        std::string samples
            = "NVF1" + word(std::uint16_t{1}) + word(std::uint16_t{40}) + word(std::int32_t{8});
        const auto add = [&](std::uint32_t link, std::int64_t timeUs) {
            samples += word(timeUs) + word(std::uint32_t{138}) + word(link) + word(timeUs) + word(timeUs)
                + word(std::uint32_t{2}) + word(std::uint32_t{0}) + word(std::uint64_t{7});
        };
        for (std::uint32_t i = 0; i < 300'000; ++i)
            add(i, 1'000'000 + i / 2);
        add(0, 2'000'000);
        writeFile(at("gpu0.bin"), samples);
        const auto model = load();
        QVERIFY(model);
        const Diagnostic* const left = finding((*model)->problems, "unknown_link");
        QVERIFY(left);
        QCOMPARE(left->excludedEvents, std::uint64_t{300'000 - 256});
        QCOMPARE((*model)->sources.front().shown, std::uint64_t{2});
    }
    void wideTextsEnd()
    {
        writeFile(at("rank0.json"), soundTrace());
        std::string laughs = "workload:\n  a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
        for (int i = 1; i < 30; ++i) {
            const std::string name = std::to_string(i);
            laughs.append("  a").append(name).append(": &a").append(name).append(" [");
            for (int k = 0; k < 10; ++k)
                laughs.append(k > 0 ? ",*a" : "*a").append(std::to_string(i - 1));
            laughs.append("]\n");
        }
        writeFile(at("workload_card.yaml"), laughs + "  data:\n    batch_size: *a29\n");
        writeFile(at("train_config.toml"), "[training]\n" + std::string(std::size_t{100} << 20, '#'));
        writeFile(at("train.log"), "step: 1  loss: 2\n" + std::string(std::size_t{100} << 20, 'x'));
        const auto model = load();
        QVERIFY(model);
        QVERIFY((*model)->card);
        QVERIFY(finding((*model)->problems, "unreadable", "train_config.toml"));
        QCOMPARE((*model)->measurements.trainingLogs.size(), std::size_t{1});
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestHostileFiles)
#include "tst_hostile_files.moc"
