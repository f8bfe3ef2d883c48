// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What the model does not keep of an event is read from its file again: the right event, or a reason.

#include "model/readers/kineto/kineto_event_args.h"
#include "model/readers/run/load_trace.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/stop_requests.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_writer.h"

#include <QFileInfo>
#include <QTemporaryDir>

#include <algorithm>

namespace collscope {

namespace {

TraceModelPtr loaded(const std::string& path)
{
    const auto plan = planLoad({path}, {});
    if (!plan)
        return nullptr;
    auto model = loadTrace(*plan, {});
    return model ? *model : nullptr;
}

std::string valueOf(const EventArgs& args, std::string_view name)
{
    const auto found
        = std::find_if(args.begin(), args.end(), [&](const auto& arg) { return arg.first == name; });
    return found == args.end() ? "none" : found->second;
}

/// Three slices; the second one's name must be unescaped, the third one's repaired.
const char* const text
    = "{\"traceEvents\": [\n"
      "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"first\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,"
      "\"args\":{\"Ev Idx\":7,\"Input Dims\":[[1,2],[]],\"note\":\"a \\\"b\\\"\"}},\n"
      "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"se\\\"c\\\"ond\",\"pid\":1,\"tid\":1,\"ts\":3,"
      "\"dur\":1},\n"
      "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"third\x01\",\"pid\":1,\"tid\":1,\"ts\":5,\"dur\":1,"
      "\"args\":{\"Ev Idx\":9, \"x\": NaN}}\n]}";

std::string launch(int i)
{
    const std::string n = std::to_string(i);
    return "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"launch " + n + "\",\"pid\":1,\"tid\":1,\"ts\":"
        + n + ",\"dur\":0.5,\"args\":{\"correlation\":" + std::to_string(i + 1) + ",\"cbid\":211}}";
}

} // namespace

class TestEventArgs : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    /// Args of each slice of a file, in order of time.
    static void readAll(const std::string& path, std::vector<EventArgs>& all)
    {
        const TraceModelPtr model = loaded(path);
        QVERIFY(model);
        for (const Track& track : model->tracks) {
            for (std::size_t row = 0; row < track.slices.size(); ++row) {
                const auto args
                    = readEventArgs(path, track.slices.fileOffset[row], model->text(track.slices.name[row]));
                QVERIFY2(args.has_value(), args.has_value() ? "" : args.error().message.c_str());
                all.push_back(args.value());
                if (const std::string value = valueOf(args.value(), "correlation"); value != "none")
                    QCOMPARE(value, std::to_string(track.slices.correlation[row]));
            }
        }
    }

private slots:
    void argsAreThoseOfTheSlice_data()
    {
        QTest::addColumn<bool>("gzip");
        QTest::newRow("plain") << false;
        QTest::newRow("gzip") << true;
    }
    void argsAreThoseOfTheSlice()
    {
        QFETCH(const bool, gzip);
        const std::string path = m_folder.filePath(QStringLiteral("rank0_trace.json")).toStdString();
        writeFile(path, gzip ? gzipped(text) : std::string(text));
        std::vector<EventArgs> all;
        CHECKED(readAll(path, all));
        QCOMPARE(all.size(), std::size_t{3});
        QVERIFY(all[0] == (EventArgs{{"Ev Idx", "7"}, {"Input Dims", "[[1,2],[]]"}, {"note", "a \"b\""}}));
        QVERIFY(all[1].empty());
        QCOMPARE(valueOf(all[2], "Ev Idx"), std::string("9"));
    }
    void eachSliceOfALargerFile()
    {
        std::string many = "[";
        for (int i = 0; i < 3'000; ++i)
            many += (i > 0 ? ",\n " : "") + launch(i);
        const std::string path = m_folder.filePath(QStringLiteral("many.json")).toStdString();
        writeFile(path, many + "]");
        std::vector<EventArgs> all;
        CHECKED(readAll(path, all));
        QCOMPARE(all.size(), std::size_t{3'000});
    }
    void slicesOfARun_data()
    {
        QTest::addColumn<QString>("path");
        const QString real = tracesFolder() + QStringLiteral("/multirank/param_dlrm_8rank");
        QTest::newRow("generated") << generatedRun() + QStringLiteral("/rank0_trace.json.gz");
        if (!tracesFolder().isEmpty() && QFileInfo(real).isDir())
            QTest::newRow("param_dlrm_8rank") << real;
    }
    void slicesOfARun()
    {
        QFETCH(QString, path);
        const TraceModelPtr model = loaded(path.toStdString());
        QVERIFY(model);
        QVERIFY(!model->tracks.empty());
        for (const Track& track : model->tracks) {
            const Timeline& timeline = model->timeline(track.timeline);
            for (std::size_t row = 0; row < track.slices.size(); row += 1 + track.slices.size() / 3) {
                const auto args
                    = readEventArgs(model->sources[timeline.source.value].path, track.slices.fileOffset[row],
                                    model->text(track.slices.name[row]));
                QVERIFY2(args.has_value(), args.has_value() ? "" : args.error().message.c_str());
            }
        }
    }
    void whateverTheLoaderTakesIsReadAgain()
    {
        const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
        const std::string path = m_folder.filePath(QStringLiteral("odd.json")).toStdString();
        writeFile(path,
                  "[{\"ph\":\"X\",\"name\":123,\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"args\":{\"deep\":"
                      + deep
                      + "}},{\"ph\":\"X\",\"name\":\"odd\",\"pid\":1,\"tid\":1,\"ts\":3,\"dur\":1,"
                        "\"args\":{\"huge\":1e999,\"path\":\"a\\udc80\",\"last\":true}},"
                        "{\"ph\":\"X\",\"name\": [ "
                        "\"aten::mm\"],\"pid\":1,\"tid\":1,\"ts\":5,\"dur\":1,\"args\":{\"a\":1}},"
                        "{\"ph\":\"X\",\"name\":{\"a\":1},\"pid\":1,\"tid\":1,\"ts\":7,\"dur\":1,\"args\":{"
                        "\"a\":2}}]");
        std::vector<EventArgs> all;
        CHECKED(readAll(path, all));
        QCOMPARE(all.size(), std::size_t{4});
        QCOMPARE(valueOf(all[2], "a"), std::string("1"));
        QCOMPARE(valueOf(all[3], "a"), std::string("2"));
        QCOMPARE(valueOf(all[0], "deep").size(), deep.size());
        QCOMPARE(valueOf(all[1], "huge"), std::string("1e999"));
        QCOMPARE(valueOf(all[1], "last"), std::string("true"));
    }
    void beyondFourGigabytes()
    {
        // A hole takes no room on the disk.
        constexpr std::uint64_t offset = std::uint64_t{5} << 30;
        OffsetColumn column;
        column.push_back(offset);
        QCOMPARE(column[0], offset);
        QFile file(m_folder.filePath(QStringLiteral("sparse.json")));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.seek(static_cast<qint64>(offset)));
        file.write("{\"name\":\"far\",\"args\":{\"a\":1}}]");
        file.close();
        const auto args = readEventArgs(file.fileName().toStdString(), column[0], "far");
        QVERIFY(args.has_value());
        QVERIFY(args.value() == (EventArgs{{"a", "1"}}));
    }
    void aChangedFileIsToldFromTheOneThatWasRead()
    {
        const std::string path = m_folder.filePath(QStringLiteral("changed.json")).toStdString();
        writeFile(path, text);
        const std::uint64_t offset = std::string_view(text).find("{\"ph\"");
        QVERIFY(readEventArgs(path, offset, "first").has_value());
        QVERIFY(readEventArgs(path, offset, "another").error().kind == Error::Kind::Format);
        QVERIFY(readEventArgs(path, offset + 1, "first").error().kind == Error::Kind::Format);
        QVERIFY(readEventArgs(path, 1 << 20, "first").error().kind == Error::Kind::Format);
        QVERIFY(readEventArgs(path, offset, "first", stopRequested()).error().kind == Error::Kind::Cancelled);
        QVERIFY(QFile::remove(QString::fromStdString(path)));
        QVERIFY(readEventArgs(path, offset, "first").error().kind == Error::Kind::NotFound);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestEventArgs)
#include "tst_event_args.moc"
