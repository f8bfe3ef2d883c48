// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/text/list_pieces.h"
#include "model/readers/text/trace_document.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/json_text.h"

#include <nlohmann/json.hpp>

#include <string>

namespace collscope {

namespace {

struct Split
{
    std::vector<std::string> events;
    std::string envelope;
    bool complete = false;
    bool open = false;
    std::uint64_t others = 0;
};

/// Feeds the text in pieces, keeping the open element as the reader does.
Split split(std::string_view text, std::size_t pieceBytes)
{
    TraceDocument document;
    Split result;
    std::string buffer;
    const auto take = [&](bool isLast) {
        std::size_t at = 0;
        while (at < buffer.size()) {
            if (!document.isInList()) {
                at = document.scan(buffer, at, isLast);
                if (document.isWaiting())
                    return at;
                continue;
            }
            const ListPiece piece = nextPiece(buffer, at, isLast);
            if (piece.kind == ListPiece::Kind::Open)
                return at;
            if (piece.kind == ListPiece::Kind::Event)
                result.events.push_back(buffer.substr(piece.begin, piece.end - piece.begin));
            else if (piece.kind == ListPiece::Kind::Other)
                ++result.others;
            else if (piece.kind == ListPiece::Kind::ListEnd)
                document.endList();
            at = piece.next;
        }
        return at;
    };
    for (std::size_t at = 0; at < text.size(); at += pieceBytes) {
        buffer += text.substr(at, pieceBytes);
        buffer.erase(0, take(false));
    }
    buffer.erase(0, take(true));
    result.envelope = document.envelope();
    result.complete = document.isComplete();
    result.open = !buffer.empty();
    return result;
}

const std::string trickyEvent = "{\"ph\": \"X\", \"name\": \"a{b}[c]\\\"]\"}";
const std::string slashEvent = "{\"name\": \"back\\\\\"}";
const std::string document = "{\"schemaVersion\": 1, \"note\": \"a \\\"traceEvents\\\": [ in a string\", "
                             "\"deviceProperties\": [{\"id\": 0}],"
                             "\n \"traceEvents\": [ "
    + trickyEvent + ", {\"args\": {\"traceEvents\": [1, {\"x\": 2}]}},\n  " + slashEvent
    + " ], \"traceName\": \"t.json\"}";

} // namespace

class TestTraceDocument : public QObject
{
    Q_OBJECT

private slots:
    void everyPieceSizeGivesTheSame()
    {
        const Split whole = split(document, 1 << 20);
        QCOMPARE(whole.events.size(), std::size_t{3});
        QCOMPARE(whole.events[0], trickyEvent);
        QCOMPARE(whole.events[2], slashEvent);
        QVERIFY(whole.complete);
        for (std::size_t piece = 1; piece < 80; ++piece) {
            const Split pieces = split(document, piece);
            QVERIFY2(pieces.events == whole.events, std::to_string(piece).c_str());
            QCOMPARE(pieces.envelope, whole.envelope);
            QVERIFY(pieces.complete);
        }
    }
    void envelopeIsTheDocumentWithoutEvents()
    {
        const auto root = nlohmann::json::parse(split(document, 7).envelope);
        QCOMPARE(root["traceName"].get<std::string>(), std::string("t.json"));
        QVERIFY(root["traceEvents"].empty());
        QCOMPARE(root["deviceProperties"][0]["id"].get<int>(), 0);
    }
    void bareArray()
    {
        const Split result = split(json("[ {'a': 1}, {'b': [2]} ]"), 3);
        QCOMPARE(result.events.size(), std::size_t{2});
        QVERIFY(result.complete);
    }
    void cutInsideAnEvent()
    {
        const Split result = split(json("{'rank': 3, 'traceEvents': [{'a': 1}, {'b': 'x"), 5);
        QCOMPARE(result.events.size(), std::size_t{1});
        QVERIFY(!result.complete);
        QVERIFY(result.open);
        QCOMPARE(nlohmann::json::parse(result.envelope)["rank"].get<int>(), 3);
    }
    void cutBetweenEvents()
    {
        const Split result = split(json("{'traceEvents': [{'a': 1},"), 5);
        QCOMPARE(result.events.size(), std::size_t{1});
        QVERIFY(!result.complete);
        QVERIFY(!result.open);
    }
    void otherElementsAreCounted()
    {
        const Split result = split(json("[[1, 2], 3, 'x, {', {'a': 1}, null, [{}]]"), 2);
        QCOMPARE(result.events.size(), std::size_t{1});
        QCOMPARE(result.others, std::uint64_t{5});
    }
    void trailingCommaIsNoElement()
    {
        const Split result = split(json("[{'a': 1}, ]"), 64);
        QCOMPARE(result.events.size(), std::size_t{1});
        QCOMPARE(result.others, std::uint64_t{0});
    }
    void noEventsAtAll()
    {
        TraceDocument around;
        const std::string text = json("{'a': [1, 2]}");
        QCOMPARE(around.scan(text, 0, true), text.size());
        QVERIFY(!around.sawEvents());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestTraceDocument)
#include "tst_trace_document.moc"
