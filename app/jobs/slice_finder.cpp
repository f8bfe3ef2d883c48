// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/jobs/slice_finder.h"

#include "app/runtime/byte_progress.h"
#include "app/runtime/stop_request.h"
#include "app/runtime/thread_pool.h"
#include "views/common/format.h"

#include <utility>

namespace collscope {

namespace {

constexpr int findSettleMs = 120;

ArgQuestion argQuestion(const SliceQuestion& question)
{
    return {question.nameTest(), question.argTest()};
}

void readFiles(QPromise<ArgSearchAnswerPtr>& promise, const TraceModel& model, const ArgQuestion& question,
               const std::stop_token& stop)
{
    promise.setProgressRange(0, 100);
    std::vector<std::uint64_t> bytes(model.sources.size(), 0);
    for (const std::size_t source : sourcesWithArgs(model))
        bytes[source] = model.sources[source].bytes;
    ByteProgress progress(
        bytes, [&](const ByteProgress::State& state) { promise.setProgressValue(state.percent()); });
    ArgSearchContext context;
    context.parallel = threadPool(0);
    context.stop = stop;
    context.progress = [&](std::size_t source, std::uint64_t done) { progress.set(source, done); };
    if (ArgSearchAnswerPtr answer = slicesWithArgInFiles(model, question, context))
        promise.addResult(std::move(answer));
}

} // namespace

SliceFinder::SliceFinder(ViewState* state, QObject* parent)
    : QObject(parent)
    , m_state(state)
{
    m_rangeSettled.setSingleShot(true);
    m_rangeSettled.setInterval(findSettleMs);
    connect(&m_rangeSettled, &QTimer::timeout, this, &SliceFinder::followRange);
    const auto rangeMoved = [this] {
        if (m_question.during)
            m_rangeSettled.start();
    };
    connect(&state->selection(), &ViewSelection::rangeChanged, this, rangeMoved);
    connect(&state->preferences(), &ViewPreferences::hiddenRanksChanged, this, rangeMoved);
    connect(&state->run(), &RunContext::clocksChanged, this, rangeMoved);
    connect(&state->run(), &RunContext::modelChanged, this, &SliceFinder::onModelChanged);
}

void SliceFinder::ask(const SliceQuestion& question)
{
    m_job.cancel();
    m_reading.cancel();
    m_rangeSettled.stop();
    m_listing.reset();
    m_filesToRead = 0;
    m_model = m_state->run().model();
    m_question = m_model ? question : SliceQuestion();
    m_isFinding = !m_question.isEmpty();
    emit progressChanged({}, false);
    emit begun(m_question);
    if (!m_isFinding)
        return;
    m_find = finder();
    start();
    if (m_question.asksForArgs())
        startReading();
}

SliceFinder::Find SliceFinder::finder() const
{
    using Stop = std::stop_token;
    if (m_question.during)
        return [windows = windows()](const TraceModel& model, const Stop& stop) {
            return slicesDuring(model, windows, stop);
        };
    if (m_question.asksForArgs())
        return [asked = argQuestion(m_question)](const TraceModel& model, const Stop& stop) {
            return slicesWithKeptArg(model, asked, stop);
        };
    return [isWanted = m_question.nameTest()](const TraceModel& model, const Stop& stop) {
        return findSlices(model, isWanted, stop);
    };
}

void SliceFinder::startListing(Listing listing)
{
    m_isFinding = true;
    m_job.ask([model = m_model, listing = std::move(listing)](QPromise<SliceListingPtr>& promise,
                                                              const std::stop_token& stop) {
        SliceListingPtr listed = listing(*model, stop);
        if (listed && !stop.stop_requested())
            promise.addResult(std::move(listed));
    });
}

void SliceFinder::start()
{
    startListing(
        [find = m_find, lasting = m_question.lasting](const TraceModel& model, const std::stop_token& stop) {
            return listSlices(model, find(model, stop), lasting, asksWhetherToStop(stop));
        });
}

std::vector<TimeRange> SliceFinder::windows() const
{
    std::vector<TimeRange> windows(m_model->timelines.size());
    for (std::size_t i = 0; i < windows.size(); ++i) {
        if (!m_state->preferences().isRankHidden(m_model->timelines[i].rank))
            windows[i] = m_state->run().clocks().fromAxis(i, *m_question.during);
    }
    return windows;
}

void SliceFinder::startReading()
{
    m_filesToRead = sourcesWithArgs(*m_model).size();
    if (m_filesToRead == 0)
        return;
    onProgress(0);
    m_reading.ask([model = m_model, asked = argQuestion(m_question)](QPromise<ArgSearchAnswerPtr>& promise,
                                                                     const std::stop_token& stop) {
        readFiles(promise, *model, asked, stop);
    });
}

void SliceFinder::narrow(const DurationRange& lasting)
{
    if (m_question.isEmpty())
        return;
    m_question.lasting = lasting;
    if (!m_listing)
        return start();
    startListing([listing = m_listing, lasting](const TraceModel& model, const std::stop_token& stop) {
        return narrowed(model, *listing, lasting, asksWhetherToStop(stop));
    });
}

void SliceFinder::onFound(const SliceListingPtr& listing)
{
    m_isFinding = false;
    m_listing = listing;
    // The table first: code that follows the matches may select one of them.
    emit found(listing);
    // While files are being read, an empty result is not an answer.
    if (!m_question.during && (m_filesToRead == 0 || listing->wanted->size() > 0))
        m_state->emphasis().setMatches(listing->wanted);
}

void SliceFinder::onRead(const ArgSearchAnswerPtr& answer)
{
    m_filesToRead = 0;
    m_listing.reset();
    m_find = [all = answer->matches](const TraceModel&, const std::stop_token&) { return all; };
    start();
    QString problem;
    if (!answer->failures.empty()) {
        problem = tr("%1 of the files cannot be read again; only their data already loaded was searched: %2")
                      .arg(formatCount(answer->failures.size()), toText(answer->failures.front().message));
    }
    emit progressChanged(problem, false);
}

void SliceFinder::onProgress(int percent)
{
    const QString files
        = m_filesToRead == 1 ? tr("Reading 1 file") : tr("Reading %1 files").arg(formatCount(m_filesToRead));
    emit progressChanged(tr("%1 for all args\u2026 %2 %. Results so far are from the data already loaded.")
                             .arg(files)
                             .arg(percent),
                         true);
}

void SliceFinder::cancelReading()
{
    if (m_filesToRead == 0)
        return;
    m_filesToRead = 0;
    m_reading.cancel();
    emit progressChanged(tr("Results are from the data already loaded; the files were not read completely."),
                         false);
    if (m_listing)
        onFound(m_listing);
}

void SliceFinder::onModelChanged()
{
    if (m_model != m_state->run().model()) // otherwise the search line has already asked again
        ask({});
}

void SliceFinder::followRange()
{
    if (!m_question.during)
        return;
    SliceQuestion question = m_question;
    question.during = m_state->selection().range();
    ask(question.during ? question : SliceQuestion());
}

} // namespace collscope
