// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Input of existing tools: which files they find, which they can parse, and which events they count.

#include "metrics/definitions/reference.h"
#include "model/interval_set.h"
#include "model/text/lower_case.h"

#include <functional>
#include <initializer_list>

namespace collscope {

/// Name of the file a timeline comes from, without its folder.
std::string_view fileName(const TraceModel& model, const Timeline& timeline);
/// Whether the file ends early. The tools parse a JSON document as a whole, so they read nothing of such a
/// file.
bool endsEarly(const TraceModel& model, const Timeline& timeline);

/// Returns the timeline of the first parsable Kineto file with this name; nullptr if there is none.
const Timeline* findFile(Analysis& analysis, std::string_view name);

/// Returns the timeline of the lowest rank's first parsable Kineto file; nullptr if there is none. Tools that
/// read a single file take "the first".
const Timeline* firstKineto(Analysis& analysis);
/// All parsable Kineto timelines, by rank; empty if the options select nsys exports only.
std::vector<const Timeline*> kinetoFiles(Analysis& analysis);

/// Calls f for each slice of a timeline: kernels, CPU operators, annotations and their copies on the GPU.
/// Returns false if the user cancelled.
bool forEachEvent(Analysis& analysis, const Timeline& timeline,
                  const std::function<void(const Track& track, std::size_t row)>& f);
/// Like forEachEvent(), but for kernels only.
bool forEachKernel(Analysis& analysis, const Timeline& timeline,
                   const std::function<void(const Track& track, std::size_t row)>& f);

/// A predicate on names, evaluated once per name.
class NameTest
{
public:
    NameTest(const TraceModel& model, std::function<bool(std::string_view lowerCaseName)> test);
    bool operator()(StringId name);

private:
    const TraceModel& m_model;
    std::function<bool(std::string_view)> m_test;
    std::vector<signed char> m_answer; ///< by StringId; -1 = not evaluated yet
};

/// Sum of the durations; overlapping parts count twice.
std::int64_t sumNs(const std::vector<TimeRange>& ranges);

/// Rounds to this number of decimals, as the tools print it.
double rounded(double value, int digits);

} // namespace collscope
