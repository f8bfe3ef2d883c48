// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Reads dumps of PyTorch's Flight Recorder: a pickle of {"entries", "pg_config", "pg_status", "version", ...}
// (written by torch/csrc/distributed/c10d/FlightRecorderDetail.hpp).

#include "model/hang/hang_evidence.h"
#include "model/readers/hang/flight_builder.h"
#include "model/readers/hang/flight_fields.h"
#include "model/readers/pickle/pickled_stacks.h"
#include "model/readers/text/measurement_text.h"

#include <filesystem>

namespace collscope {

namespace {

using Kind = PickleValue::Kind;

/// The dicts of calls, which become rows as soon as they are filled.
class FlightRecords : public PickledStacks
{
public:
    FlightRecords(StringTable& strings, FlightBuilder& builder)
        : PickledStacks(strings)
        , m_strings(strings)
        , m_builder(builder)
    {
        for (std::size_t i = 0; i < flightFieldNames.size(); ++i)
            m_keys.push_back(strings.intern(flightFieldNames[i]));
        for (const StringId key : m_keys)
            m_fieldOf.resize(std::max<std::size_t>(m_fieldOf.size(), key.value + 1), FlightField::None);
        for (std::size_t i = 0; i < m_keys.size(); ++i)
            m_fieldOf[m_keys[i].value] = static_cast<FlightField>(i);
    }

    /// Adds the calls in these items. A list that a pickle has in two places is added once.
    void addCalls(std::span<const PickleValue> items)
    {
        for (const PickleValue& item : items) {
            const PickleValue value = unpickler().resolved(item);
            const bool isCall = value.is(Kind::Record) && value.record == Own && !m_isAdded[value.index];
            if (!isCall) {
                m_builder.keepOut("An entry of the dump is not a call; it is left out.");
                continue;
            }
            m_isAdded[value.index] = true;
            m_builder.addCall(m_calls[value.index]);
        }
    }

private:
    FlightField fieldOf(const PickleValue& key) const
    {
        const StringId id = key.text();
        return id && id.value < m_fieldOf.size() ? m_fieldOf[id.value] : FlightField::None;
    }

    std::optional<std::uint32_t> ownDict(std::span<const PickleValue> items) override
    {
        for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
            if (fieldOf(items[i]) != FlightField::Name)
                continue;
            const auto row = static_cast<std::uint32_t>(m_calls.size());
            m_calls.emplace_back();
            m_isAdded.push_back(false);
            extendOwn(row, items);
            return row;
        }
        return std::nullopt;
    }

    void extendOwn(std::uint32_t row, std::span<const PickleValue> items) override
    {
        RawFlightCall& call = m_calls[row];
        for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
            const FlightField field = fieldOf(items[i]);
            const PickleValue& value = items[i + 1];
            switch (kindOf(field)) {
            case FlightFieldKind::Integer:
                if (value.is(Kind::Integer))
                    integerField(call, field) = value.integer;
                else if (value.is(Kind::Number))
                    integerField(call, field) = impossibleNumber;
                break;
            case FlightFieldKind::Text:
                if (value.is(Kind::Text))
                    textField(call, field) = value.text();
                break;
            case FlightFieldKind::Flag:
                if (value.is(Kind::Bool))
                    setFlag(call, field, value.integer != 0);
                break;
            case FlightFieldKind::Container:
                setContainer(call, field, value);
                break;
            case FlightFieldKind::None:
                break;
            }
        }
    }

    void setContainer(RawFlightCall& call, FlightField field, const PickleValue& value)
    {
        if (FlightSizes* const sizes = sizesField(call, field))
            *sizes = sizesOf(value);
        else if (StringId* const types = typesField(call, field))
            *types = typesOf(value);
        else if (field == FlightField::Frames)
            call.stack = stackOf(value);
        else if (const auto parts = unpickler().itemsOf(value); parts.size() == 2) {
            call.groupName = parts[0].text();
            call.groupDescription = parts[1].text();
        }
    }

    /// An empty list becomes an empty stack, since both look alike.
    std::span<const PickleValue> listItems(const PickleValue& value) const
    {
        return unpickler().resolved(value).is(Kind::List) ? unpickler().itemsOf(value)
                                                          : std::span<const PickleValue>();
    }

    FlightSizes sizesOf(const PickleValue& value)
    {
        FlightSizesText text;
        for (const PickleValue& tensor : listItems(value)) {
            text.beginTensor();
            for (const PickleValue& size : listItems(tensor))
                text.addSize(size.is(Kind::Integer) ? size.integer : -1);
            text.endTensor();
        }
        return text.finish(m_strings);
    }

    StringId typesOf(const PickleValue& value)
    {
        const auto items = listItems(value);
        if (items.size() == 1 && items[0].text())
            return items[0].text();
        std::string all;
        for (const PickleValue& item : items) {
            if (item.text() && all.size() < FlightBuilder::longestText)
                all.append(all.empty() ? "" : ", ").append(m_strings.view(item.text()));
        }
        return m_strings.intern(all);
    }

    StringTable& m_strings;
    FlightBuilder& m_builder;
    std::vector<StringId> m_keys;
    std::vector<FlightField> m_fieldOf; ///< by the id of its name
    std::vector<RawFlightCall> m_calls;
    std::vector<bool> m_isAdded;
};

class FlightPickle
{
public:
    FlightPickle(const SourceFile& file, const ReadContext& context, ByteSource& source)
        : m_file(file)
        , m_context(context)
        , m_source(source)
        , m_fragment(fragmentOf(file, SourceKind::FlightRecorder))
        , m_builder(file.path, m_fragment.strings, m_fragment.problems)
        , m_records(m_fragment.strings, m_builder)
        , m_pickle(source, m_fragment.strings, m_records, [this] { return mustStop(); })
    {
        m_records.resolveWith(m_pickle);
    }

    Result<TraceFragment> read()
    {
        const Unpickler::End end = m_pickle.read();
        if (end == Unpickler::End::Cancelled)
            return Error{Error::Kind::Cancelled, "Loading was cancelled.", m_file.path, 0};
        const PickleValue root = m_pickle.root();
        const bool isDump = m_pickle.member(root, "pg_config") || m_pickle.member(root, "entries")
            || m_pickle.member(root, "pg_status");
        if (!isDump)
            return Error{Error::Kind::Format,
                         end == Unpickler::End::Refused
                             ? "This dump cannot be read. " + m_pickle.refusal()
                             : "This pickle is not a dump of the Flight Recorder: it has none of "
                               "\"pg_config\", \"pg_status\" and \"entries\".",
                         m_file.path, m_pickle.offset()};
        noteEnd(end);
        readHeader(root);
        if (const auto entries = m_pickle.member(root, "entries")) {
            m_builder.beginCalls();
            m_records.addCalls(m_pickle.itemsOf(*entries));
        }
        m_builder.setStacks(m_records.takeStacks());
        return flightFragment(std::move(m_fragment), m_builder, m_file);
    }

private:
    bool mustStop()
    {
        m_context.progress(m_source.diskBytesRead());
        return m_context.mustStop();
    }

    void noteEnd(Unpickler::End end)
    {
        noteDamage(m_source, m_file.path, m_pickle.bytesRead(), m_fragment.problems);
        if (end == Unpickler::End::Stop)
            return;
        m_builder.setCutOff();
        const bool isCut = end == Unpickler::End::CutOff;
        m_fragment.problems.add(
            Severity::DataLoss, isCut ? "truncated" : "damaged_pickle", m_file.path,
            isCut ? m_pickle.bytesRead() : m_pickle.offset(),
            (isCut ? std::string("The dump is cut off.")
                   : "The dump can be read only up to this position. " + m_pickle.refusal())
                + " What precedes it is used; the newest calls of this rank are not known.");
    }

    std::int64_t integerIn(PickleValue dict, std::string_view key) const
    {
        const auto value = m_pickle.member(dict, key);
        return value && value->is(Kind::Integer) ? value->integer : -1;
    }

    std::string_view textIn(PickleValue dict, std::string_view key) const
    {
        const auto value = m_pickle.member(dict, key);
        return value && value->text() ? m_fragment.strings.view(value->text()) : std::string_view();
    }

    void readHeader(PickleValue root)
    {
        m_builder.setVersion(textIn(root, "version"));
        const std::string_view library = textIn(root, "comm_lib_version");
        m_builder.setLibrary(library.empty() ? textIn(root, "nccl_version") : library);
        if (const auto groups = m_pickle.member(root, "pg_config")) {
            m_builder.beginGroups();
            const auto items = m_pickle.itemsOf(*groups);
            for (std::size_t i = 0; i + 1 < items.size(); i += 2)
                addGroup(items[i], items[i + 1]);
        }
        const auto statuses = m_pickle.itemsOf(m_pickle.member(root, "pg_status").value_or(PickleValue()));
        for (std::size_t i = 0; i + 1 < statuses.size(); i += 2) {
            const auto pgId = numberOf(statuses[i]);
            // Those of a dump that ends here are not known.
            if (pgId && m_pickle.member(statuses[i + 1], "last_enqueued_collective")
                && m_pickle.member(statuses[i + 1], "last_completed_collective"))
                m_builder.addStatus({*pgId, integerIn(statuses[i + 1], "last_enqueued_collective"),
                                     integerIn(statuses[i + 1], "last_started_collective"),
                                     integerIn(statuses[i + 1], "last_completed_collective")});
        }
    }

    /// A key that is a number, or the text of one.
    std::optional<std::int64_t> numberOf(const PickleValue& key) const
    {
        if (key.is(Kind::Integer))
            return key.integer;
        return key.text() ? integerInText(m_fragment.strings.view(key.text())) : std::nullopt;
    }

    /// Version 2: name -> {"name", "desc", "ranks": "[0, 1]"}. Version 1.4: number -> [0, 1].
    void addGroup(const PickleValue& key, const PickleValue& value)
    {
        if (value.is(Kind::Dict)) {
            const auto ranks = ranksInList(textIn(value, "ranks"));
            if (!ranks)
                return m_builder.missGroup();
            return m_builder.addGroup(-1, textIn(value, "name"), textIn(value, "desc"), *ranks);
        }
        const auto pgId = numberOf(key);
        std::vector<std::int32_t> ranks;
        for (const PickleValue& rank : m_pickle.itemsOf(value)) {
            if (!rank.is(Kind::Integer) || rank.integer < 0 || rank.integer > FlightBuilder::mostRanks)
                return m_builder.missGroup();
            ranks.push_back(static_cast<std::int32_t>(rank.integer));
        }
        if (!pgId || !m_pickle.resolved(value).is(Kind::List))
            return m_builder.missGroup();
        m_builder.addGroup(*pgId, {}, {}, std::move(ranks));
    }

    const SourceFile& m_file;
    const ReadContext& m_context;
    ByteSource& m_source;
    TraceFragment m_fragment;
    FlightBuilder m_builder;
    FlightRecords m_records;
    Unpickler m_pickle;
};

Sniff sniffFlightPickle(std::string_view, std::string_view head)
{
    constexpr char protocol = '\x80';
    if (head.size() < 3 || head[0] != protocol || head[1] < 2 || head[1] > 5)
        return Sniff::No;
    for (const std::string_view key : {"pg_config", "pg_status", "record_id", "entries"}) {
        if (head.find(key) != std::string_view::npos)
            return Sniff::Yes;
    }
    return Sniff::No;
}

Result<TraceFragment> readFlightPickle(const SourceFile& file, const ReadContext& context)
{
    auto source = ByteSource::open(file.path);
    if (!source)
        return source.error();
    return FlightPickle(file, context, **source).read();
}

} // namespace

extern const ReaderDescriptor flightRecorderReader;
const ReaderDescriptor flightRecorderReader{"flight_recorder", "PyTorch Flight Recorder dump (pickle)",
                                            SourceKind::FlightRecorder, sniffFlightPickle, readFlightPickle};

} // namespace collscope
