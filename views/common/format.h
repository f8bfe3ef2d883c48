// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Number formats of the user interface: durations, times, rates, sizes. Exports never use them.

#include <QString>

#include <cstdint>
#include <string_view>

namespace collscope {

/// Three significant digits without an exponent: "12.3".
QString formatThreeDigits(double value);
/// Three significant digits with an SI unit: "1.23 ms", "400 µs", "85 ns".
QString formatDuration(std::int64_t ns);
/// A signed difference: "+1.23 ms", "−400 µs", "0 ns".
QString formatChange(std::int64_t ns);
/// Prefixes a formatted number with its sign; the minus is as wide as the plus.
QString withSign(double value, const QString& text);
/// All digits: "400.125 µs".
QString formatDurationExact(std::int64_t ns);
/// The common unit of a column of durations, chosen by the longest one, so that values are comparable.
struct ColumnUnit
{
    double ns = 1e3; ///< length of the unit
    QString name;
    int decimals = 1;
};
ColumnUnit columnUnit(std::int64_t longestNs);
/// A duration in the unit of its column, without the unit: "1 380.0".
QString formatIn(const ColumnUnit& unit, double ns);
/// A time on the axis in ms, in the format of all table columns.
QString startText(std::int64_t ns);
/// A time on the axis, with the precision required by a step of stepNs: "24.600 ms".
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
/// The distinctive part of a kernel name, without return type, namespaces, template and call arguments and
/// NCCL prefixes; what a wrapper such as cutlass::device_kernel<...> runs, and the graph that torch.compile
/// calls.
QString shortName(std::string_view name);
/// Whether an elided name is still worth drawing: a complete name is, however short ("mm"); one or two
/// letters of a longer name are not.
bool tellsAName(const QString& elided);
/// "NVIDIA A100-SXM4-80GB" -> "A100-SXM4-80GB": the vendor is redundant in a narrow column.
QString shortDevice(const QString& name);
/// Converts UTF-8 text of the model to QString.
QString toText(std::string_view utf8);
/// A sentence of findings or causes for people: names in typographic quotation marks, which the text output
/// writes between back-ticks.
QString sentenceText(std::string_view utf8);
/// Escapes text from a file for use in a tool tip. Otherwise Qt would interpret <img src=...> in a name as
/// rich text and read that file.
QString plainToolTip(const QString& text);
/// Formats a metric's value in a readable unit (seconds as ms, bytes as GB) and updates `unit`.
QString formatMetric(double value, QString& unit);

} // namespace collscope
