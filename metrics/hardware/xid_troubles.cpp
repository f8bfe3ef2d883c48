// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/hardware/xid_troubles.h"

#include "metrics/core/duration_text.h"
#include "metrics/core/value.h"
#include "metrics/hardware/xid_meanings.h"
#include "model/text/printable_text.h"
#include "model/text/wall_clock_text.h"

#include <algorithm>

namespace collscope {

XidTroubles::XidTroubles(const HardwareView& view, const HardwareRecord& record, const TroubleScope& scope)
    : m_scope(scope)
{
    for (const XidEvent& xid : record.xids) {
        const RecordTime own = recordTimeOf(view.traces, xid, view.toUtcNs);
        if (!isWanted(xid, own)) {
            m_elsewhere += own.kind == RecordTime::Kind::Elsewhere ? 1 : 0;
            continue;
        }
        const HardwareUnit* const unit = view.unitOf(xid);
        const std::string host = xid.host.empty() && view.ranks ? view.ranks->hostOf(xid) : xid.host;
        ByCode& codes = unit ? m_byUnit[unit] : m_others[{host, xid.pci}];
        codes[xid.code].all.push_back({&xid, own});
    }
    for (auto& [unit, codes] : m_byUnit)
        countAll(codes);
    for (auto& [place, codes] : m_others)
        countAll(codes);
}

void XidTroubles::countAll(ByCode& codes)
{
    for (auto& [code, same] : codes)
        same.countOnce();
}

/// dmesg and the journal tell of the same error with stamps of their own precision. The next error of a file
/// that another file told of within that precision is the same. O(n log n + n files).
void XidTroubles::Same::countOnce()
{
    // Times of different kinds cannot be compared.
    const auto kindOf
        = [](const One& one) { return one.time.isPlaced() ? 0 : 1 + static_cast<int>(one.xid->stamps); };
    const auto nsOf = [](const One& one) { return one.xid->timeNs + one.time.toUtcNs; };
    std::stable_sort(all.begin(), all.end(), [&](const One& a, const One& b) {
        return std::pair(kindOf(a), nsOf(a)) < std::pair(kindOf(b), nsOf(b));
    });
    std::vector<const One*> counted;
    std::map<SourceId, std::size_t> next; // of `counted`, that a file may tell of again
    for (const One& one : all) {
        std::size_t& at = next[one.xid->source];
        const auto isOther = [&](const One& known) {
            return known.xid->source == one.xid->source || kindOf(known) != kindOf(one)
                || nsOf(one) - nsOf(known) > std::max(one.xid->resolutionNs, known.xid->resolutionNs);
        };
        while (at < counted.size() && isOther(*counted[at]))
            ++at;
        if (at == counted.size() || one.xid->stamps == StampKind::None)
            counted.push_back(&one);
        ++at;
    }
    first = all.front();
    count = static_cast<std::int64_t>(counted.size());
}

bool XidTroubles::isWanted(const XidEvent& xid, const RecordTime& time) const
{
    if (time.kind == RecordTime::Kind::Elsewhere || (m_scope.isStrict && !time.isPlaced()))
        return false;
    if (!m_scope.isStrict)
        return true;
    const std::int64_t ns = xid.timeNs + time.toUtcNs;
    return ns + xid.resolutionNs >= m_scope.time.beginNs && ns - xid.resolutionNs < m_scope.time.endNs;
}

std::string XidTroubles::whenText(const XidEvent& xid, const RecordTime& time) const
{
    if (!time.isPlaced())
        return "; whether during " + m_scope.during + " cannot be told, because " + std::string(time.why);
    const std::int64_t ns = xid.timeNs + time.toUtcNs;
    const std::string guess = time.kind == RecordTime::Kind::Guessed
        ? ", if the times of the log have the zone of the samples"
        : std::string();
    const std::string at = " at " + wallClockText(ns);
    if (m_scope.isStrict && m_scope.time.lengthNs() < fewestSamples * xid.resolutionNs)
        return at + ", within " + aboutText(xid.resolutionNs) + " of " + m_scope.during
            + ", which is as precisely as the log tells" + guess;
    if (ns < m_scope.time.beginNs - xid.resolutionNs)
        return at + ", " + aboutText(m_scope.time.beginNs - ns) + " before " + m_scope.during + " begin"
            + guess;
    if (ns > m_scope.time.endNs + xid.resolutionNs)
        return at + ", " + aboutText(ns - m_scope.time.endNs) + " after " + m_scope.during + " end" + guess;
    return at + ", during " + m_scope.during + guess;
}

std::string XidTroubles::partOf(std::int32_t code, const Same& same) const
{
    const std::string_view meaning = xidMeaning(code);
    std::string text = "reported Xid " + std::to_string(code);
    if (!meaning.empty())
        text += " (" + std::string(meaning)
            + (isOfProgram(code) ? ", most often a mistake of the program" : "") + ")";
    if (same.count > 1)
        text += " " + groupedText(static_cast<double>(same.count)) + " times, first";
    return text + whenText(*same.first.xid, same.first.time);
}

void XidTroubles::addOf(const HardwareUnit& unit, TroubleParts& parts)
{
    const auto own = m_byUnit.find(&unit);
    if (own == m_byUnit.end())
        return;
    for (const auto& [code, same] : own->second) {
        parts.add(partOf(code, same), same.count, isOfProgram(code) ? "program" : "");
        parts.isGuessed |= same.first.time.kind == RecordTime::Kind::Guessed;
    }
}

void XidTroubles::addRest(HardwareTroubles& troubles) const
{
    for (const auto& [place, codes] : m_others) {
        HardwareTrouble& trouble = troubles.all.emplace_back();
        const auto& [host, pci] = place;
        trouble.text = "The GPU at " + printableLine(shortened(pci));
        if (!host.empty() && host != "?")
            trouble.text += " of " + printableLine(shortened(host));
        trouble.text += " (the files do not tell of which rank)";
        std::size_t i = 0;
        const auto isOwn = [](const auto& code) { return isOfProgram(code.first); };
        if (std::all_of(codes.begin(), codes.end(), isOwn))
            trouble.cause = "program";
        for (const auto& [code, same] : codes) {
            trouble.isGuessed |= same.first.time.kind == RecordTime::Kind::Guessed;
            trouble.text += (i == 0 ? " " : i + 1 == codes.size() ? ", and " : ", ") + partOf(code, same);
            trouble.count += same.count;
            ++i;
        }
        trouble.text += ".";
    }
    if (m_elsewhere > 0 && !m_scope.isStrict)
        troubles.warnings.push_back(countText(m_elsewhere, "XID error")
                                    + (m_elsewhere == 1 ? " was" : " were")
                                    + " logged more than an hour before or after the traces.");
}

} // namespace collscope
