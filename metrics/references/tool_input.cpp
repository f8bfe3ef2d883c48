// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/references/tool_input.h"

#include "model/text/lower_case.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

bool forEachSlice(Analysis& analysis, const Timeline& timeline, bool kernelsOnly,
                  const std::function<void(const Track&, std::size_t)>& f)
{
    const TraceModel& model = analysis.model();
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        if (kernelsOnly && track.kind != TrackKind::GpuStream)
            continue;
        for (std::size_t row = 0; row < track.slices.size(); ++row) {
            if ((row & 0xFFFFu) == 0 && analysis.options().cancelled())
                return false;
            if (!kernelsOnly || track.slices.category[row] == SliceCategory::Kernel)
                f(track, row);
        }
    }
    return true;
}

} // namespace

std::string_view fileName(const TraceModel& model, const Timeline& timeline)
{
    const std::string_view path = model.sources[timeline.source.value].path;
    return path.substr(path.find_last_of('/') + 1); // npos + 1 = 0
}

bool endsEarly(const TraceModel& model, const Timeline& timeline)
{
    const std::string& path = model.sources[timeline.source.value].path;
    const std::vector<Diagnostic>& problems = model.problems.entries();
    return std::any_of(problems.begin(), problems.end(), [&](const Diagnostic& problem) {
        return problem.code == "truncated" && problem.file == path;
    });
}

std::vector<const Timeline*> kinetoFiles(Analysis& analysis)
{
    const TraceModel& model = analysis.model();
    std::vector<const Timeline*> files;
    if (analysis.options().profileMode == ProfileMode::Nsys)
        return files;
    for (const Timeline& timeline : model.timelines) {
        if (timeline.kind == SourceKind::Kineto && !endsEarly(model, timeline))
            files.push_back(&timeline);
    }
    return files;
}

const Timeline* findFile(Analysis& analysis, std::string_view name)
{
    for (const Timeline* timeline : kinetoFiles(analysis)) {
        if (fileName(analysis.model(), *timeline) == name)
            return timeline;
    }
    return nullptr;
}

const Timeline* firstKineto(Analysis& analysis)
{
    const std::vector<const Timeline*> files = kinetoFiles(analysis);
    return files.empty() ? nullptr : files.front();
}

bool forEachEvent(Analysis& analysis, const Timeline& timeline,
                  const std::function<void(const Track& track, std::size_t row)>& f)
{
    return forEachSlice(analysis, timeline, false, f);
}

bool forEachKernel(Analysis& analysis, const Timeline& timeline,
                   const std::function<void(const Track& track, std::size_t row)>& f)
{
    return forEachSlice(analysis, timeline, true, f);
}

NameTest::NameTest(const TraceModel& model, std::function<bool(std::string_view lowerCaseName)> test)
    : m_model(model)
    , m_test(std::move(test))
    , m_answer(model.strings.size(), -1)
{ }

bool NameTest::operator()(StringId name)
{
    signed char& answer = m_answer[name.value];
    if (answer < 0) {
        answer = m_test(lowered(m_model.text(name))) ? 1 : 0;
    }
    return answer == 1;
}

std::int64_t sumNs(const std::vector<TimeRange>& ranges)
{
    std::int64_t sum = 0;
    for (const TimeRange& range : ranges)
        sum += range.lengthNs();
    return sum;
}

double rounded(double value, int digits)
{
    const double scale = std::pow(10.0, digits);
    return std::round(value * scale) / scale;
}

} // namespace collscope
