// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/building/kernel_rules.h"

#include "model/building/fragment.h"
#include "model/kernels/collective_traits.h"
#include "model/text/lower_case.h"

#include <optional>

namespace collscope {

namespace {

/// Caches the results of the rules for the names of one file.
class RuledNames
{
public:
    RuledNames(std::span<const KernelRule> rules, const StringTable& strings)
        : m_rules(rules)
        , m_strings(strings)
        , m_known(strings.size())
    { }

    std::optional<KernelClass> of(StringId name)
    {
        Answer& answer = m_known[name.value];
        if (!answer.isKnown) {
            const KernelRule* rule = kernelRuleOf(m_rules, m_strings.view(name));
            answer = {true, rule ? std::optional(rule->kernelClass) : std::nullopt};
        }
        return answer.kernelClass;
    }

private:
    struct Answer
    {
        bool isKnown = false;
        std::optional<KernelClass> kernelClass;
    };
    std::span<const KernelRule> m_rules;
    const StringTable& m_strings;
    std::vector<Answer> m_known; ///< by StringId
};

/// Rebuilds the calls of a timeline: the calls that its slices still have, and one for each kernel that a
/// rule classified as communication.
void renewCalls(std::vector<Track>& tracks, Timeline& timeline)
{
    std::vector<CollectiveCall> calls;
    for (const TrackId id : timeline.tracks) {
        SliceColumns& slices = tracks[id.value].slices;
        for (std::uint32_t row = 0; row < slices.size(); ++row) {
            const std::uint32_t old = slices.collective[row];
            const bool communicates = isCommunication(slices.kernelClass[row]);
            if (old == SliceColumns::noRow && !communicates)
                continue;
            CollectiveCall call;
            if (old != SliceColumns::noRow)
                call = timeline.collectives[old];
            if (communicates)
                call.kind = slices.kernelClass[row];
            call.slice = {id, row};
            slices.collective.set(row, static_cast<std::uint32_t>(calls.size()));
            calls.push_back(call);
        }
    }
    timeline.collectives = std::move(calls);
}

std::uint64_t ruleTrack(RuledNames& names, const Timeline& timeline, Track& track)
{
    SliceColumns& slices = track.slices;
    std::uint64_t changed = 0;
    std::uint64_t kernels = 0;
    std::uint64_t communicating = 0;
    for (std::size_t row = 0; row < slices.size(); ++row) {
        if (slices.category[row] != SliceCategory::Kernel)
            continue;
        const auto said = names.of(slices.name[row]);
        const std::uint32_t call = slices.collective[row];
        const bool isToldByProfiler = call != SliceColumns::noRow && timeline.collectives[call].name;
        if (said && *said != slices.kernelClass[row] && !isToldByProfiler) {
            slices.kernelClass.set(row, *said);
            if (!isCommunication(*said))
                slices.collective.set(row, SliceColumns::noRow);
            ++changed;
        }
        ++kernels;
        communicating += isCommunication(slices.kernelClass[row]) ? 1u : 0u;
    }
    if (changed > 0) {
        track.communication = communicating * 2 > kernels;
        slices.buildIndex();
    }
    return changed;
}

} // namespace

std::span<const KernelRuleWord> kernelRuleWords()
{
    static const std::vector<KernelRuleWord> words = [] {
        std::vector<KernelRuleWord> all;
        for (const CollectiveTraits& type : allCollectiveTraits())
            all.push_back({type.word, type.kernelClass});
        all.push_back({"compute", KernelClass::OtherCompute});
        return all;
    }();
    return words;
}

std::string kernelRuleText(const KernelRule& rule)
{
    std::string name;
    for (const char c : rule.name) {
        if (c == '\\' || c == '"')
            name += '\\';
        name += c;
    }
    std::string text = "\n[[communication]]\nname = \"" + name + "\"\nclass = \"";
    for (const auto& [word, kernelClass] : kernelRuleWords()) {
        if (kernelClass == rule.kernelClass)
            text += word;
    }
    return text + "\"\n";
}

bool appliesTo(const KernelRule& rule, std::string_view kernelName)
{
    // A hostile file may contain kernel names of any length.
    constexpr std::size_t longest = 4000;
    const std::string name = lowered(kernelName.substr(0, longest));
    const std::string text = lowered(rule.name);
    // Each part between stars must follow the previous one. Taking the first match of each part is
    // sufficient.
    std::size_t at = 0;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('*', begin), text.size());
        const std::size_t found = name.find(std::string_view(text).substr(begin, end - begin), at);
        if (found == std::string::npos)
            return false;
        at = found + end - begin;
        begin = end + 1;
    }
    return !text.empty();
}

const KernelRule* kernelRuleOf(std::span<const KernelRule> rules, std::string_view kernelName)
{
    for (std::size_t i = rules.size(); i-- > 0;) {
        if (appliesTo(rules[i], kernelName))
            return &rules[i];
    }
    return nullptr;
}

std::uint64_t applyKernelRules(std::span<const KernelRule> rules, TraceFragment& fragment)
{
    std::uint64_t changed = 0;
    if (rules.empty())
        return changed;
    RuledNames names(rules, fragment.strings);
    for (Timeline& timeline : fragment.timelines) {
        std::uint64_t here = 0;
        for (const TrackId id : timeline.tracks) {
            if (fragment.tracks[id.value].kind == TrackKind::GpuStream)
                here += ruleTrack(names, timeline, fragment.tracks[id.value]);
        }
        if (here > 0)
            renewCalls(fragment.tracks, timeline);
        changed += here;
    }
    return changed;
}

} // namespace collscope
