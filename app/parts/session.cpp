// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/parts/session.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>
#include <limits>

namespace collscope {

namespace {

constexpr int formatVersion = 1;
constexpr qsizetype mostListed = 100'000; ///< entries per list; more can only be malicious
constexpr qsizetype longestText = 10'000;
constexpr std::size_t mostPins = 200;
constexpr std::int64_t latestClock = 4'000'000'000'000'000'000; ///< ns since the epoch: in 2096
const QString versionKey = QStringLiteral("collscope_session");

template<typename Enum>
using Names = std::initializer_list<std::pair<Enum, const char*>>;

const Names<TimeFormat> timeFormats{{TimeFormat::Relative, "relative"},
                                    {TimeFormat::WallClock, "wall_clock"},
                                    {TimeFormat::Nanoseconds, "ns"}};
const Names<ClockChoice> clockChoices{
    {ClockChoice::Auto, "auto"}, {ClockChoice::Aligned, "aligned"}, {ClockChoice::Raw, "raw"}};

template<typename Enum>
QString nameOf(const Names<Enum>& names, Enum value)
{
    const auto found
        = std::find_if(names.begin(), names.end(), [&](const auto& entry) { return entry.first == value; });
    return QString::fromLatin1(found->second);
}

template<typename Enum>
Enum valueOf(const Names<Enum>& names, const QJsonValue& name)
{
    const auto found = std::find_if(names.begin(), names.end(), [&](const auto& entry) {
        return name.toString() == QLatin1String(entry.second);
    });
    return found == names.end() ? names.begin()->first : found->first;
}

QJsonArray toArray(const std::set<std::int32_t>& ranks)
{
    QJsonArray array;
    for (const std::int32_t rank : ranks)
        array.append(rank);
    return array;
}

QJsonArray toArray(TimeRange range)
{
    return {QJsonValue(static_cast<qint64>(range.beginNs)), QJsonValue(static_cast<qint64>(range.endNs))};
}

/// Returns the entries of a list; empty if it has more entries than a user could have made.
QJsonArray listOf(const QJsonObject& object, const char* key)
{
    const QJsonArray all = object[QLatin1String(key)].toArray();
    return all.size() <= mostListed ? all : QJsonArray();
}

std::optional<std::int64_t> integerOf(const QJsonValue& value)
{
    // A double of 1e300 is a number, but not a time.
    constexpr double beyond = 9.2e18;
    if (!value.isDouble() || std::abs(value.toDouble()) > beyond)
        return std::nullopt;
    return value.toInteger();
}

std::optional<std::int32_t> rankOf(const QJsonValue& value)
{
    const auto number = integerOf(value);
    constexpr auto most = std::numeric_limits<std::int32_t>::max();
    return number && *number >= -1 && *number <= most ? std::optional(static_cast<std::int32_t>(*number))
                                                      : std::nullopt;
}

std::set<std::int32_t> ranksOf(const QJsonObject& object, const char* key)
{
    std::set<std::int32_t> ranks;
    for (const auto& value : listOf(object, key)) {
        if (const auto rank = rankOf(value))
            ranks.insert(*rank);
    }
    return ranks;
}

/// Whether a time is within the range of traces; times far beyond it would overflow in sums.
bool isPlausible(std::int64_t ns)
{
    constexpr std::int64_t years = 30LL * 366 * 24 * 3600 * 1'000'000'000;
    return ns > -years && ns < years;
}

std::optional<TimeRange> rangeOf(const QJsonObject& object, const char* key)
{
    const QJsonArray ends = object[QLatin1String(key)].toArray();
    const auto begin = integerOf(ends.at(0));
    const auto end = integerOf(ends.at(1));
    const bool isRange = begin && end && *begin < *end && isPlausible(*begin) && isPlausible(*end);
    return isRange ? std::optional(TimeRange{*begin, *end}) : std::nullopt;
}

QString textOf(const QJsonValue& value)
{
    return value.toString().left(longestText);
}

/// Sorts by time and keeps the first of several marks at the same time.
void sortMarks(std::vector<Mark>& marks)
{
    const auto earlier = [](const Mark& a, const Mark& b) { return a.timeNs < b.timeNs; };
    std::stable_sort(marks.begin(), marks.end(), earlier);
    const auto same = [](const Mark& a, const Mark& b) { return a.timeNs == b.timeNs; };
    marks.erase(std::unique(marks.begin(), marks.end(), same), marks.end());
}

Annotations annotationsOf(const QJsonObject& object)
{
    Annotations annotations;
    for (const auto& value : listOf(object, "marks")) {
        const auto time = integerOf(value[QLatin1String("ns")]);
        if (time && isPlausible(*time))
            annotations.marks.push_back({*time, textOf(value[QLatin1String("note")]).simplified()});
    }
    sortMarks(annotations.marks);
    for (const auto& value : listOf(object, "pins")) {
        const RowKey row{rankOf(value[QLatin1String("rank")]).value_or(-1),
                         textOf(value[QLatin1String("row")])};
        if (!row.name.isEmpty() && annotations.pins.size() < mostPins
            && std::find(annotations.pins.begin(), annotations.pins.end(), row) == annotations.pins.end())
            annotations.pins.push_back(row);
    }
    return annotations;
}

} // namespace

Session movedTo(std::optional<std::int64_t> wallClockZeroNs, Session session)
{
    const std::int64_t by
        = wallClockZeroNs && session.wallClockZeroNs ? *session.wallClockZeroNs - *wallClockZeroNs : 0;
    session.wallClockZeroNs = wallClockZeroNs;
    for (Mark& mark : session.annotations.marks)
        mark.timeNs += by;
    for (auto* range : {&session.visible, &session.selected}) {
        if (*range)
            *range = TimeRange{(*range)->beginNs + by, (*range)->endNs + by};
    }
    return session;
}

Session joined(Session kept, const Session& made)
{
    const Session moved = movedTo(kept.wallClockZeroNs, made);
    std::vector<Mark>& marks = kept.annotations.marks;
    marks.insert(marks.end(), moved.annotations.marks.begin(), moved.annotations.marks.end());
    sortMarks(marks);
    for (const RowKey& row : moved.annotations.pins) {
        if (std::find(kept.annotations.pins.begin(), kept.annotations.pins.end(), row)
            == kept.annotations.pins.end())
            kept.annotations.pins.push_back(row);
    }
    if (moved.visible)
        kept.visible = moved.visible;
    return kept;
}

QByteArray sessionJson(const Session& session)
{
    QJsonArray marks, pins, threads;
    for (const Mark& mark : session.annotations.marks)
        marks.append(QJsonObject{{QStringLiteral("ns"), static_cast<qint64>(mark.timeNs)},
                                 {QStringLiteral("note"), mark.note}});
    for (const RowKey& row : session.annotations.pins)
        pins.append(QJsonObject{{QStringLiteral("rank"), row.rank}, {QStringLiteral("row"), row.name}});
    for (const Session::OfRank& timeline : session.openThreads)
        threads.append(
            QJsonObject{{QStringLiteral("rank"), timeline.rank}, {QStringLiteral("nsys"), timeline.isNsys}});
    QJsonObject ranks;
    for (const auto& [file, rank] : session.ranks)
        ranks[QString::fromStdString(file)] = rank;
    QJsonObject object{
        {versionKey, formatVersion},
        {QStringLiteral("marks"), marks},
        {QStringLiteral("pins"), pins},
        {QStringLiteral("hidden_ranks"), toArray(session.hiddenRanks)},
        {QStringLiteral("collapsed_ranks"), toArray(session.collapsedRanks)},
        {QStringLiteral("open_threads"), threads},
        {QStringLiteral("row_scale"), session.rowScale},
        {QStringLiteral("row_filter"), session.rowFilter},
        {QStringLiteral("time_format"), nameOf(timeFormats, session.timeFormat)},
        {QStringLiteral("clocks"), nameOf(clockChoices, session.clocks)},
        {QStringLiteral("ranks_of_files"), ranks},
        {QStringLiteral("tab"), session.tab},
    };
    if (session.openGroups)
        object[QStringLiteral("open_groups")] = *session.openGroups;
    if (session.visible)
        object[QStringLiteral("visible_ns")] = toArray(*session.visible);
    if (session.selected)
        object[QStringLiteral("selected_ns")] = toArray(*session.selected);
    if (session.wallClockZeroNs)
        object[QStringLiteral("axis_zero_ns")] = static_cast<qint64>(*session.wallClockZeroNs);
    return QJsonDocument(object).toJson(QJsonDocument::Indented);
}

Result<Session> readSession(const QByteArray& json)
{
    const auto formatError = [](const QString& message) {
        return Error{Error::Kind::Format, message.toStdString()};
    };
    QJsonParseError problem;
    const QJsonObject object = QJsonDocument::fromJson(json, &problem).object();
    if (problem.error != QJsonParseError::NoError)
        return formatError(QCoreApplication::translate("Session", "%1 at byte %2")
                               .arg(problem.errorString())
                               .arg(problem.offset));
    if (!object.contains(versionKey))
        return formatError(QCoreApplication::translate("Session", "it is not a Collscope session"));
    if (object[versionKey].toInt() != formatVersion)
        return formatError(
            QCoreApplication::translate("Session", "it was written by a newer version of Collscope"));
    Session session;
    session.annotations = annotationsOf(object);
    session.hiddenRanks = ranksOf(object, "hidden_ranks");
    session.collapsedRanks = ranksOf(object, "collapsed_ranks");
    for (const auto& value : listOf(object, "open_threads")) {
        if (const auto rank = rankOf(value[QLatin1String("rank")]))
            session.openThreads.insert({*rank, value[QLatin1String("nsys")].toBool()});
    }
    if (const QJsonValue open = object[QLatin1String("open_groups")]; open.isBool())
        session.openGroups = open.toBool();
    session.rowScale = object[QLatin1String("row_scale")].toDouble(1);
    session.rowFilter = textOf(object[QLatin1String("row_filter")]);
    session.visible = rangeOf(object, "visible_ns");
    session.selected = rangeOf(object, "selected_ns");
    session.timeFormat = valueOf(timeFormats, object[QLatin1String("time_format")]);
    session.clocks = valueOf(clockChoices, object[QLatin1String("clocks")]);
    const QJsonObject ranks = object[QLatin1String("ranks_of_files")].toObject();
    for (auto file = ranks.begin(); file != ranks.end() && ranks.size() <= mostListed; ++file) {
        const auto rank = rankOf(file.value());
        if (rank && *rank >= 0 && !file.key().isEmpty())
            session.ranks[file.key().toStdString()] = *rank;
    }
    session.tab = textOf(object[QLatin1String("tab")]);
    const auto zero = integerOf(object[QLatin1String("axis_zero_ns")]);
    if (zero && *zero >= 0 && *zero < latestClock)
        session.wallClockZeroNs = zero;
    return session;
}

} // namespace collscope
