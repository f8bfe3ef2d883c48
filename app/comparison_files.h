// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The files of a run's reports and of comparisons (resources/help/comparison.md lists them), made the same
// way for the window and for --batch. Where they go, and what is said about it, is the sink's business.

#include "app/command_line.h"
#include "metrics/reports/run_report.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

/// Takes a whole file; the path is relative to the folder of the output. False stops the writing.
using FileSink = std::function<bool(const std::string& path, std::string_view bytes)>;

/// nullopt: all was written. Else why not, as a sentence; the message is empty where the sink said stop,
/// which knows why.
using WritingError = std::optional<Error>;

/// What runs are named after, and told apart by: their paths without links, as far as they are there.
std::string fullPath(const std::string& path);
/// What is to be said of a comparison first: the labels of the runs, and comparisonHeadline().
std::string headlineOf(const RunSheets& base, const RunSheets& test, const CompareOptions& options);
/// What the choices mean for the sheets of a run.
RunReportOptions runReportOptions(const ReportChoices& choices);
/// Folder of a run's own reports, below its label: where scripts look for it.
inline constexpr const char* reportsFolder = "tracelens_analysis";
// Paths of workbooks in it.
std::string gpuTimelineBook(RankMean mean);
std::string collectiveBook();

/// What notes of reports call a run with these paths: where they are, as a line that can be printed.
std::string sourceOfRun(const std::vector<std::string>& paths);

/// Makes the sheets of a run, which `sheets` then holds, and writes its individual reports, collective report
/// and GPU times; the times by kernel name, which no comparison needs, alone if nothing else is chosen.
/// `sheets` is of use only if there was no error. Error::Kind::Cancelled when the analysis was cancelled;
/// Kind::NotFound where the run has nothing to report.
WritingError writeRunReports(Analysis& analysis, const std::string& label, const ReportChoices& choices,
                             const RunReportOptions& options, RunSheets& sheets, const FileSink& sink);

/// Writes the workbooks that compare the first run with the others, then the pictures and the page of them.
/// An error if pictures are wanted and no font is there to paint them with: all else is written then.
/// Precondition: at least two runs. Large sheets are not copied if the runs are given away.
WritingError writeComparisonFiles(std::vector<RunSheets> runs, const ReportChoices& choices,
                                  const FileSink& sink);

} // namespace collscope
