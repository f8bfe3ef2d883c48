// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Pickles: plain values are read, everything that Python would do is refused, nothing takes the machine down.

#include "model/readers/pickle/pickle.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/pickle_text.h"

#include <QTest>

#include <algorithm>
#include <cstring>

namespace collscope {

namespace {

using namespace py;
using Kind = PickleValue::Kind;

/// Bytes in memory, a few at a time.
class Bytes : public ByteSource
{
public:
    explicit Bytes(std::string bytes, std::size_t chunk = SIZE_MAX)
        : m_bytes(std::move(bytes))
        , m_chunk(chunk)
    { }
    std::size_t read(std::span<char> buffer) override
    {
        const std::size_t count = std::min({buffer.size(), m_chunk, m_bytes.size() - m_at});
        std::memcpy(buffer.data(), m_bytes.data() + m_at, count);
        m_at += count;
        return count;
    }
    std::uint64_t diskBytesRead() const override { return m_at; }
    std::optional<StreamDamage> damage() const override { return std::nullopt; }

private:
    std::string m_bytes;
    std::size_t m_chunk;
    std::size_t m_at = 0;
};

/// Keeps every container.
struct NoRecords : PickleRecords
{
    std::optional<PickleValue> dictFilled(std::span<const PickleValue>) override { return std::nullopt; }
    std::optional<PickleValue> listFilled(std::span<const PickleValue>) override { return std::nullopt; }
    PickleValue extended(PickleValue record, std::span<const PickleValue>) override { return record; }
};

struct Read
{
    explicit Read(std::string bytes, std::size_t chunk = SIZE_MAX)
        : source(std::move(bytes), chunk)
        , unpickler(source, strings, records, [] { return false; })
    {
        end = unpickler.read();
    }
    /// As Python would print it, but for shared values.
    std::string text() const { return text(unpickler.root(), 20); }
    std::string text(PickleValue value, int depth) const
    {
        if (depth == 0)
            return "...";
        switch (value.kind) {
        case Kind::None:
            return "None";
        case Kind::Bool:
            return value.integer != 0 ? "True" : "False";
        case Kind::Integer:
            return std::to_string(value.integer);
        case Kind::Number:
            return QByteArray::number(value.number).toStdString();
        case Kind::Text:
            return "'" + std::string(strings.view(value.text())) + "'";
        case Kind::Bytes:
            return "bytes";
        case Kind::List:
        case Kind::Dict: {
            std::string all;
            const auto items = unpickler.itemsOf(value);
            for (std::size_t i = 0; i < items.size(); ++i)
                all += (i == 0                                   ? ""
                            : value.is(Kind::Dict) && i % 2 == 1 ? ": "
                                                                 : ", ")
                    + text(items[i], depth - 1);
            return value.is(Kind::Dict) ? "{" + all + "}" : "[" + all + "]";
        }
        case Kind::Record:
            break;
        }
        return "record";
    }

    StringTable strings;
    NoRecords records;
    Bytes source;
    Unpickler unpickler;
    Unpickler::End end;
};

} // namespace

class TestPickle : public QObject
{
    Q_OBJECT

private slots:
    void values_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const std::string& value, const char* expected) {
            QTest::newRow(name) << QByteArray::fromStdString(pickle(value)) << QString::fromUtf8(expected);
        };
        row("None", "N", "None");
        row("True", "\x88", "True");
        row("one byte", "K\xff", "255");
        row("two bytes", "M\xff\xff", "65535");
        row("four bytes, negative", "J\xfe\xff\xff\xff", "-2");
        row("long, nothing", std::string("\x8a\x00", 2), "0");
        row("long, negative", "\x8a\x01\xff", "-1");
        row("long, an address", integer(0x7f0000000000), "139637976727552");
        row("long, nine bytes", std::string("\x8a\x09\xff\xff\xff\xff\xff\xff\xff\x7f\x00", 11),
            "9223372036854775807");
        row("long4", std::string("\x8b\x02\x00\x00\x00\x00\x01", 7), "256");
        row("float", std::string("G\x3f\xf8\x00\x00\x00\x00\x00\x00", 9), "1.5");
        row("short text", "\x8c\x02hi", "'hi'");
        row("long text", std::string("\x8d\x02\x00\x00\x00\x00\x00\x00\x00hi", 11), "'hi'");
        row("bytes", "C\x02hi", "bytes");
        row("list", list({integer(1), text("a")}), "[1, 'a']");
        row("list, item by item",
            "]K\x01"
            "aK\x02"
            "a",
            "[1, 2]");
        row("dict", dict({{"a", integer(1)}, {"b", list({})}}), "{'a': 1, 'b': []}");
        row("dict, item by item", "}" + text("a") + integer(1) + "s", "{'a': 1}");
        row("made of what lies on the stack", "(" + integer(1) + integer(2) + "l", "[1, 2]");
        row("dict of what lies on the stack", "(" + text("k") + integer(2) + "d", "{'k': 2}");
        row("tuples", tuple({integer(1), ")", "K\x05\x85", "K\x01K\x02\x86", "K\x01K\x02K\x03\x87"}),
            "[1, [], [5], [1, 2], [1, 2, 3]]");
        row("remembered", "](" + text("x") + "\x94h" + std::string(1, '\0') + "e", "['x', 'x']");
        row("remembered, old",
            "](" + text("x") + "q" + std::string(1, '\0') + "h" + std::string(1, '\0') + "e", "['x', 'x']");
        row("frames of bytes", std::string("\x95\x02\x00\x00\x00\x00\x00\x00\x00K\x07", 11), "7");
        row("lists in two batches",
            "](K\x01"
            "e(K\x02"
            "e",
            "[1, 2]");
    }
    void values()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, expected);
        for (const std::size_t chunk : {SIZE_MAX, std::size_t{1}, std::size_t{3}}) {
            const Read read(bytes.toStdString(), chunk);
            QVERIFY2(read.end == Unpickler::End::Stop, read.unpickler.refusal().c_str());
            QCOMPARE(QString::fromStdString(read.text()), expected);
        }
    }
    void dangerousOnesAreRefused_data()
    {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<int>("offset");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const std::string& value, int offset, const char* says) {
            QTest::newRow(name) << QByteArray::fromStdString(value) << offset << QString::fromUtf8(says);
        };
        const std::string system = text("os") + text("system");
        row("GLOBAL", "cos\nsystem\n(" + text("id") + "tR", 0, "os.system");
        row("GLOBAL cut off", "cos", 0, "GLOBAL");
        row("GLOBAL with control characters", "c\x1b[2J\nsystem\n", 0, "\\x1b[2J.system");
        row("STACK_GLOBAL", system + "\x93", 18, "os.system");
        row("REDUCE", "NNR", 2, "REDUCE");
        row("BUILD", "}}b", 2, "BUILD");
        row("INST", "(ios\nsystem\n", 1, "os.system");
        row("OBJ", "(No", 2, "OBJ");
        row("NEWOBJ", "NN\x81", 2, "NEWOBJ");
        row("NEWOBJ_EX", "NNN\x92", 3, "NEWOBJ_EX");
        row("PERSID", "Px\n", 0, "PERSID");
        row("BINPERSID", "NQ", 1, "BINPERSID");
        row("EXT1", "\x82\x01", 0, "EXT1");
        row("EXT2", "\x83\x01\x01", 0, "EXT2");
        row("EXT4", "\x84\x01\x01\x01\x01", 0, "EXT4");
        row("deep in a list", "(((" + list({integer(1), "cos\nsystem\n"}), 7, "os.system");
        row("as a key", "}(cos\nsystem\nK\x01u", 2, "os.system");
    }
    void dangerousOnesAreRefused()
    {
        QFETCH(QByteArray, value);
        QFETCH(int, offset);
        QFETCH(QString, says);
        const Read read(pickle(value.toStdString()));
        QVERIFY(read.end == Unpickler::End::Refused);
        QCOMPARE(read.unpickler.offset(), static_cast<std::uint64_t>(2 + offset)); // behind the protocol
        const QString refusal = QString::fromStdString(read.unpickler.refusal());
        QVERIFY2(refusal.contains(says) && refusal.contains(QStringLiteral("never executes code")),
                 qPrintable(refusal));
    }
    void everyOtherOpcodeIsRefused()
    {
        const std::string known("(.N\x88\x89JKM\x8a\x8bGX\x8c\x8d"
                                "BC\x8e}])dlt\x85\x86\x87suaeqrhj\x94\x80\x95");
        for (int opcode = 0; opcode < 256; ++opcode) {
            if (known.find(static_cast<char>(opcode)) != std::string::npos)
                continue;
            const Read read(
                pickle("NNNN" + std::string(1, static_cast<char>(opcode)) + std::string(20, '\n')));
            QVERIFY2(read.end == Unpickler::End::Refused, QByteArray::number(opcode).constData());
            QCOMPARE(read.unpickler.offset(), std::uint64_t{6});
        }
    }
    void bombsAreRefused_data()
    {
        QTest::addColumn<QByteArray>("value");
        const auto row = [](const char* name, const std::string& value) {
            QTest::newRow(name) << QByteArray::fromStdString(value);
        };
        row("a number of 255 bytes", "\x8a\xff" + std::string(255, '\x01'));
        row("a number of 2 GiB", "\x8b" + bytesOf(0x7fffffff, 4) + "abc");
        row("a text of an exbibyte", "\x8d" + bytesOf(std::uint64_t{1} << 60, 8) + "abc");
        row("bytes of an exbibyte", "\x8e" + bytesOf(std::uint64_t{1} << 60, 8) + "abc");
        row("a text of 4 GiB", "X" + bytesOf(0xffffffff, 4) + "abc");
        row("remembered far out", "Nr" + bytesOf(0xffffffff, 4));
        row("remembered without a value", "q" + std::string(1, '\0'));
        row("not remembered", "j" + bytesOf(0xffffffff, 4));
        row("deep nesting", std::string(100'000, '('));
        row("more taken than there is", "]a");
        row("a dict of three", "}(NNNu");
        row("closed and not opened", "]e");
        row("added to a number",
            "K\x01K\x02"
            "a");
        row("over the mark", "](K\x01(a");
        row("two values", "NN");
        row("an open mark", "N(");
        row("nothing", "");
    }
    void bombsAreRefused()
    {
        QFETCH(QByteArray, value);
        const Read read(pickle(value.toStdString()));
        QVERIFY(read.end == Unpickler::End::Refused || read.end == Unpickler::End::CutOff);
        if (read.end == Unpickler::End::Refused)
            QVERIFY(QByteArray::fromStdString(read.unpickler.refusal()).endsWith('.'));
    }
    /// Lists in lists cost nothing but themselves, and one that holds itself can be looked at.
    void cyclesAndDepthCostNothing()
    {
        const Read cycle(pickle("]\x94h" + std::string(1, '\0') + "a"));
        QVERIFY(cycle.end == Unpickler::End::Stop);
        QVERIFY(cycle.text().starts_with("[[[["));
        std::string deep = "]";
        for (int i = 0; i < 200'000; ++i)
            deep += "]"; // each goes into the one before it
        deep += std::string(200'000, 'a');
        QVERIFY(Read(pickle(deep)).end == Unpickler::End::Stop);
    }
    /// Cut at every byte: what was complete is there, in the place where it belongs.
    void aCutKeepsWhatIsComplete()
    {
        const std::string whole
            = pickle(dict({{"a", list({dict({{"x", integer(1)}}), dict({{"x", integer(2)}})})},
                           {"b", "](" + list({integer(1), integer(2), integer(3)}) + "e"}, // [[1, 2, 3]]
                           {"c", text("end")}}));
        std::size_t longest = 0;
        for (std::size_t cut = 3; cut < whole.size(); ++cut) {
            const Read read(whole.substr(0, cut));
            QVERIFY(read.end == Unpickler::End::CutOff);
            const std::string text = read.text();
            QVERIFY2(text.size() >= longest || text.find("[]") != std::string::npos, text.c_str());
            longest = std::max(longest, text.size());
        }
        const Read most(whole.substr(0, whole.find("end") - 5));
        QCOMPARE(QByteArray::fromStdString(most.text()),
                 QByteArray("{'a': [{'x': 1}, {'x': 2}], 'b': [[1, 2, 3]]}"));
        // Within the list in a list, which Python fills before it puts it into the outer one.
        const std::string single = pickle(dict({{"b", "]](" + integer(1) + integer(2)}}));
        const Read inner(single.substr(0, single.size() - 2));
        QCOMPARE(inner.text(), std::string("{'b': [[1, 2]]}"));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestPickle)
#include "tst_pickle.moc"
