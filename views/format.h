// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Numbers for people, in one place: durations, times, rates, sizes. Exports never use these.

#include <QString>

#include <cstdint>
#include <string_view>

namespace collscope {

/// Three significant digits without an exponent: "12.3".
QString formatThreeDigits(double value);
/// Three significant digits with an SI unit: "1.23 ms", "400 µs", "85 ns".
QString formatDuration(std::int64_t ns);
/// A difference: "+1.23 ms", "−400 µs", "0 ns".
QString formatChange(std::int64_t ns);
/// A number with its sign, and a minus as wide as the plus.
QString withSign(double value, const QString& text);
/// Every digit: "400.125 µs".
QString formatDurationExact(std::int64_t ns);
/// One unit for a whole column of durations, so that its numbers can be compared: chosen by the longest.
struct ColumnUnit
{
    double ns = 1e3; ///< of one unit
    QString name;
    int decimals = 1;
};
ColumnUnit columnUnit(std::int64_t longestNs);
/// A duration in the unit of its column, without the unit: "1 380.0".
QString formatIn(const ColumnUnit& unit, double ns);
/// A moment on the axis in ms, for a column: every table has the same.
QString startText(std::int64_t ns);
/// A point on the axis, as precise as a step of stepNs needs: "24.600 ms".
QString formatTime(std::int64_t ns, std::int64_t stepNs);
/// Three significant digits with an SI prefix: "80.6 Hz", "275 k/s".
QString formatScaled(double value, const QString& unit);
/// "82.9 %".
QString formatPercent(double percent);
/// Decimal GB/s.
QString formatRate(double gigabytesPerSecond);
/// Decimal: "4.19 MB".
QString formatBytes(double bytes);
/// With thin spaces between thousands: "3 412".
QString formatCount(std::uint64_t count);
/// The telling part of a kernel's name: without return type, namespaces, template and call arguments, NCCL
/// prefixes.
QString shortName(std::string_view name);
/// Whether a name, elided to the room that it has, is worth writing: all of a name is, however short ("mm"),
/// one or two letters of a longer one are not.
bool tellsAName(const QString& elided);
/// "NVIDIA A100-SXM4-80GB" -> "A100-SXM4-80GB": the maker is no news in a narrow column.
QString shortDevice(const QString& name);
/// UTF-8 of the model as QString.
QString toText(std::string_view utf8);
/// A text that comes from a file, for a tool tip: Qt would take <img src=...> in a name for its own language,
/// and read that file.
QString plainToolTip(const QString& text);
/// A metric's value in its unit, chosen to be read: seconds become ms, bytes become GB. `unit` is changed to
/// match.
QString formatMetric(double value, QString& unit);

} // namespace collscope
