// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/common/format.h"

#include "metrics/core/duration_text.h"
#include "model/text/short_names.h"

#include <QLocale>
#include <QTextDocument>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace collscope {

namespace {

struct Unit
{
    double size;
    const char* name;
};
constexpr std::array<Unit, 4> timeUnits{{{1e9, "s"}, {1e6, "ms"}, {1e3, "\u00b5s"}, {1.0, "ns"}}};

const Unit& unitFor(double ns)
{
    for (const Unit& unit : timeUnits) {
        if (std::abs(ns) >= unit.size)
            return unit;
    }
    return timeUnits.back();
}

QString withUnit(const QString& number, const char* unit)
{
    return number + QChar(0x00a0) + QString::fromUtf8(unit);
}

/// Converts sizes and rates below a tenth of a unit to the next smaller unit: "0.00265 GiB" reads better as
/// "2.71 MiB".
double inSmallerUnit(double value, QString& unit)
{
    struct Step
    {
        QLatin1String from, to;
        double factor;
    };
    static constexpr std::array<Step, 6> steps{{{QLatin1String("GiB"), QLatin1String("MiB"), 1024},
                                                {QLatin1String("MiB"), QLatin1String("KiB"), 1024},
                                                {QLatin1String("GB"), QLatin1String("MB"), 1000},
                                                {QLatin1String("MB"), QLatin1String("kB"), 1000},
                                                {QLatin1String("GB/s"), QLatin1String("MB/s"), 1000},
                                                {QLatin1String("MB/s"), QLatin1String("kB/s"), 1000}}};
    for (const Step& step : steps) { // each family is ordered from large to small, so that one pass is enough
        if (unit == step.from && value != 0 && std::abs(value) < 0.1) {
            unit = step.to;
            value *= step.factor;
        }
    }
    return value;
}

} // namespace

QString formatThreeDigits(double value)
{
    const double size = std::abs(value);
    const int decimals = size >= 99.95 || size == 0 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
    return QLocale().toString(value, 'f', decimals);
}

QString formatDuration(std::int64_t ns)
{
    const Unit& unit = unitFor(static_cast<double>(ns));
    if (unit.size == 1.0)
        return withUnit(QString::number(ns), unit.name);
    return withUnit(formatThreeDigits(static_cast<double>(ns) / unit.size), unit.name);
}

QString withSign(double value, const QString& text)
{
    // A value displayed as 0 has no sign.
    if (std::none_of(text.begin(), text.end(), [](QChar c) { return c.digitValue() > 0; }))
        return text.startsWith(QLatin1Char('-')) || text.startsWith(QChar(0x2212)) ? text.mid(1) : text;
    if (value > 0)
        return QLatin1Char('+') + text;
    QString signedText = text;
    if (value < 0 && !signedText.isEmpty() && !signedText.front().isDigit())
        signedText.remove(0, 1);
    return value < 0 ? QChar(0x2212) + signedText : signedText;
}

QString formatChange(std::int64_t ns)
{
    return withSign(static_cast<double>(ns), formatDuration(ns));
}

QString formatDurationExact(std::int64_t ns)
{
    const Unit& unit = unitFor(static_cast<double>(ns));
    const auto size = static_cast<std::int64_t>(unit.size);
    QString text = QString::number(ns / size);
    if (ns < 0 && ns / size == 0)
        text.prepend(QLatin1Char('-'));
    QString rest = QString::number(std::abs(ns % size))
                       .rightJustified(static_cast<int>(std::log10(unit.size)), QLatin1Char('0'));
    while (rest.endsWith(QLatin1Char('0')))
        rest.chop(1);
    return withUnit(size == 1 || rest.isEmpty() ? text : text + QLatin1Char('.') + rest, unit.name);
}

ColumnUnit columnUnit(std::int64_t longestNs)
{
    // Collectives are usually measured in microseconds; a larger unit is used only where µs would need more
    // than five digits.
    if (std::abs(longestNs) < 100'000'000)
        return {1e3, QString::fromUtf8("\u00b5s"), 1};
    if (std::abs(longestNs) < 100'000'000'000)
        return {1e6, QStringLiteral("ms"), 3};
    return {1e9, QStringLiteral("s"), 3};
}

QString formatIn(const ColumnUnit& unit, double ns)
{
    QString text = QString::number(ns / unit.ns, 'f', unit.decimals);
    qsizetype at = text.indexOf(QLatin1Char('.'));
    const qsizetype first = text.startsWith(QLatin1Char('-')) ? 1 : 0;
    for (at = (at < 0 ? text.size() : at) - 3; at > first; at -= 3)
        text.insert(at, QChar(0x202f));
    return text.replace(QLatin1Char('.'), QLocale().decimalPoint());
}

QString startText(std::int64_t ns)
{
    return formatIn({1e6, {}, 3}, static_cast<double>(ns));
}

QString formatTime(std::int64_t ns, std::int64_t stepNs)
{
    const double step = static_cast<double>(std::max<std::int64_t>(stepNs, 1));
    // The unit depends on the position, the decimals on the step, so that neighbouring labels differ.
    const Unit& unit = unitFor(std::max(std::abs(static_cast<double>(ns)), step));
    const int decimals = std::max(0, static_cast<int>(std::ceil(std::log10(unit.size / step) - 1e-9)));
    return withUnit(QLocale().toString(static_cast<double>(ns) / unit.size, 'f', decimals), unit.name);
}

QString formatScaled(double value, const QString& unit)
{
    constexpr std::array<Unit, 5> prefixes{{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1.0, ""}, {1e-3, "m"}}};
    const double size = std::abs(value);
    for (const Unit& prefix : prefixes) {
        // A value that rounds to 1000 of a unit is shown as 1 of the next.
        if (size >= prefix.size * 0.9995 || (size > 0 && &prefix == &prefixes.back()))
            return withUnit(formatThreeDigits(value / prefix.size), prefix.name) + unit;
    }
    return withUnit(QStringLiteral("0"), "") + unit;
}

QString formatPercent(double percent)
{
    return withUnit(QLocale().toString(percent, 'f', 1), "%");
}

QString formatRate(double gigabytesPerSecond)
{
    return withUnit(formatThreeDigits(gigabytesPerSecond), "GB/s");
}

QString formatBytes(double bytes)
{
    constexpr std::array<Unit, 5> units{{{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1.0, "B"}}};
    for (const Unit& unit : units) {
        if (std::abs(bytes) >= unit.size)
            return withUnit(unit.size == 1.0 ? QString::number(bytes) : formatThreeDigits(bytes / unit.size),
                            unit.name);
    }
    return withUnit(QString::number(bytes), "B");
}

QString formatCount(std::uint64_t count)
{
    QString text = QString::number(count);
    for (qsizetype at = text.size() - 3; at > 0; at -= 3)
        text.insert(at, QChar(0x202f));
    return text;
}

QString shortDevice(const QString& name)
{
    return name.startsWith(QLatin1String("NVIDIA "))      ? name.mid(7)
        : name.startsWith(QLatin1String("AMD Instinct ")) ? name.mid(13)
                                                          : name;
}

QString toText(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

QString sentenceText(std::string_view utf8)
{
    QString text;
    for (const SentencePiece& piece : sentencePieces(utf8))
        text += piece.isName ? QChar(0x201C) + toText(piece.text) + QChar(0x201D) : toText(piece.text);
    return text;
}

QString plainToolTip(const QString& text)
{
    return Qt::mightBeRichText(text)
        ? QStringLiteral("<p style='white-space:pre-wrap'>%1</p>").arg(text.toHtmlEscaped())
        : text;
}

bool tellsAName(const QString& elided)
{
    constexpr qsizetype twoLettersAndDots = 3;
    const bool isCut = elided.endsWith(QChar(0x2026));
    return !elided.isEmpty() && (!isCut || elided.size() > twoLettersAndDots);
}

QString shortName(std::string_view name)
{
    return toText(shortNameOf(name));
}

QString formatMetric(double value, QString& unit)
{
    if (unit == QLatin1String("s")) {
        const Unit& chosen = unitFor(value * 1e9);
        unit = QString::fromUtf8(chosen.name);
        return QLocale().toString(value * 1e9 / chosen.size, 'f', 3);
    }
    if (unit == QLatin1String("ms") && std::abs(value) >= 1000) {
        unit = QStringLiteral("s");
        return QLocale().toString(value / 1000, 'f', 3);
    }
    if (unit == QLatin1String("ratio")) {
        // Beside shares in percent. A slowdown of 1.25 is not one of 125 %.
        const bool isShare = std::abs(value) < 1;
        unit = isShare ? QStringLiteral("%") : QString(QChar(0x00d7));
        value *= isShare ? 100 : 1;
    }
    if (unit == QLatin1String("bytes")) {
        const QStringList parts = formatBytes(value).split(QChar(0x00a0));
        unit = parts.last();
        return parts.first();
    }
    if (unit == QLatin1String("B/s")) {
        unit = QStringLiteral("GB/s");
        value /= 1e9;
    }
    value = inSmallerUnit(value, unit);
    if (unit == QLatin1String("%") && value > 0 && value < 1e-3)
        return QStringLiteral("< ") + QLocale().toString(0.001, 'f', 3);
    if (unit.startsWith(QLatin1String("FLOP")) && std::abs(value) >= 1e12) {
        unit.prepend(u'T');
        value /= 1e12;
    }
    const double size = std::abs(value);
    const QString sign = value < 0 ? QStringLiteral("-") : QString();
    if ((std::trunc(value) == value || size >= 1000) && size < 1e9)
        return sign + formatCount(static_cast<std::uint64_t>(std::llround(size)));
    if (size >= 1e9 || size < 1e-3)
        return QLocale().toString(value, 'g', 3);
    // Three significant digits, and two decimals if the integer part is not 0.
    return QLocale().toString(value, 'f', size >= 100 ? 1 : size >= 1 ? 2 : size >= 0.1 ? 3 : 4);
}

} // namespace collscope
