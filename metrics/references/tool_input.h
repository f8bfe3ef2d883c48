// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What existing tools read of a run: which files they find, which they can parse, which events they count.

#include "metrics/reference.h"
#include "model/interval_set.h"
#include "model/lower_case.h"

#include <functional>
#include <initializer_list>

namespace collscope {

/// Name of the file a timeline comes from, without its folder.
std::string_view fileName(const TraceModel& model, const Timeline& timeline);
/// True if the file ends early. The tools parse a JSON document as a whole, so they read nothing of it.
bool endsEarly(const TraceModel& model, const Timeline& timeline);

/// The timeline of the first Kineto file with this name that can be parsed; nullptr if there is none.
const Timeline* findFile(Analysis& analysis, std::string_view name);

/// The timeline of the lowest rank's first Kineto file that can be parsed; nullptr if there is none. Tools
/// that look at one file only take "the first".
const Timeline* firstKineto(Analysis& analysis);
/// All Kineto timelines that can be parsed, by rank; none where the options want nsys exports only.
std::vector<const Timeline*> kinetoFiles(Analysis& analysis);

/// Calls f for each slice of a timeline: kernels, CPU operators, annotations and their copies on the GPU.
/// False if the user cancelled.
bool forEachEvent(Analysis& analysis, const Timeline& timeline,
                  const std::function<void(const Track& track, std::size_t row)>& f);
/// The same for the kernels alone.
bool forEachKernel(Analysis& analysis, const Timeline& timeline,
                   const std::function<void(const Track& track, std::size_t row)>& f);

/// A question about names, asked once per name.
class NameTest
{
public:
    NameTest(const TraceModel& model, std::function<bool(std::string_view lowerCaseName)> test);
    bool operator()(StringId name);

private:
    const TraceModel& m_model;
    std::function<bool(std::string_view)> m_test;
    std::vector<signed char> m_answer; ///< by StringId; -1 = not asked yet
};

/// Durations added up: what overlaps counts twice.
std::int64_t sumNs(const std::vector<TimeRange>& ranges);

/// To so many decimals, as the tools print it.
double rounded(double value, int digits);

} // namespace collscope
