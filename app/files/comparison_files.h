// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Writes the files of run reports and of comparisons (listed in resources/help/comparison.md) for both the
// window and --batch. The sink decides where they go and what is reported about them.

#include "metrics/comparison/comparison.h"
#include "metrics/export/workbook.h"
#include "metrics/reports/run_report.h"
#include "model/result.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

/// Which workbooks of runs and of their comparison are written.
struct ReportChoices
{
    bool individual = false; ///< one per rank
    bool collective = false; ///< one for the collectives of all ranks
    bool kernels = false; ///< time by kernel name
    bool gpuTimelineBooks = false, collectiveBooks = false; ///< combined and compared
    bool finalReport = false;
    bool allRuns = false; ///< one baseline and several tests
    bool plots = false; ///< plots and a page that contains them
    bool reuse = false; ///< read reports that already exist
    bool geometricMean = false, gibCompat = false, isFull = false;
    bool scenarios = false; ///< the sheet what_if
    double thresholdPercent = 1.0; ///< smaller changes count as similar
    bool asXlsx = true; ///< one workbook file
    bool asCsv = false; ///< a folder with one file per sheet
    bool asJson = false; ///< a single file
};

/// Receives a complete file; the path is relative to the output folder. An error stops the writing.
using FileSink = std::function<Status(const std::string& path, const TextPieces& content)>;
/// Content that is known as a whole; the bytes must outlive it.
TextPieces onePiece(std::string_view bytes);
/// Draws the plots of a comparison and the page that contains them. `finals`: finalReport() of the first run
/// with each of the others. Only programs with Qt can (app/pictures/comparison_pictures.h).
using ComparisonDrawer
    = std::function<Status(const std::vector<RunSheets>& runs, const std::vector<ComparisonReport>& finals,
                           const ReportChoices& choices, const FileSink& sink)>;

/// Returns the path that names and identifies a run, with links resolved as far as the path exists.
std::string fullPath(const std::string& path);
/// Returns the headline of a comparison: the labels of the runs and comparisonHeadline().
std::string headlineOf(const RunSheets& base, const RunSheets& test, const CompareOptions& options);
/// Converts the choices into options for the sheets of a run.
RunReportOptions runReportOptions(const ReportChoices& choices);
/// Folder of a run's individual reports, below its label. Scripts look for this name.
inline constexpr const char* reportsFolder = "tracelens_analysis";
// Paths of workbooks in the reports folder.
std::string gpuTimelineBook(RankMean mean);
std::string collectiveBook();

/// Returns the name of a run in report notes: its paths, as one printable line.
std::string sourceOfRun(const std::vector<std::string>& paths);

/// Adds the notes about the origin of the sheets of a run. `withCollectives`: these were asked for.
void noteRun(RunSheets& sheets, const std::vector<std::string>& paths, bool withCollectives);

/// Creates the sheets of a run and writes its individual reports, collective report and GPU times. The times
/// by kernel name, which comparisons do not need, are written alone if nothing else is chosen. Error
/// Cancelled if the analysis was cancelled, NotFound if the run has nothing to report, or the error of the
/// sink.
Result<RunSheets> writeRunReports(Analysis& analysis, const std::string& label, const ReportChoices& choices,
                                  const RunReportOptions& options, const FileSink& sink);

/// Writes the workbooks that compare the first run with the others, then the plots and their page. Returns an
/// error if plots are requested but no font is installed; everything else is written in that case.
/// Precondition: at least two runs. Moving the runs in avoids copying large sheets.
Status writeComparisonFiles(std::vector<RunSheets> runs, const ReportChoices& choices, const FileSink& sink,
                            const ComparisonDrawer& draw);

} // namespace collscope
