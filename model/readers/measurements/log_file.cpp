// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/measurements/log_file.h"

#include "model/readers/hang/watchdog_lines.h"
#include "model/readers/history/step_lines.h"
#include "model/readers/network/nccl_log_lines.h"

#include <filesystem>
#include <vector>

namespace collscope {

namespace {

constexpr std::uint64_t barrenLogBytes = std::uint64_t{4} << 30; ///< limit between two lines of interest
constexpr std::size_t mostWatchdogLines = 1'000'000;

class LogReading
{
public:
    LogReading(const SourceFile& file, const ReadContext& context, SourceKind kind)
        : m_file(file)
        , m_context(context)
        , m_fragment(fragmentOf(file, kind))
    { }

    Result<TraceFragment> read(ByteSource& source)
    {
        const auto takeLine = [this](std::string_view line) { take(line); };
        std::vector<char> buffer(std::size_t{1} << 20);
        std::uint64_t offset = 0, lastAt = 0;
        while (const std::size_t got = source.read(buffer)) {
            const std::size_t before = found();
            m_lines.add({buffer.data(), got}, takeLine);
            offset += got;
            lastAt = found() > before ? offset : lastAt;
            m_context.progress(source.diskBytesRead());
            if (m_context.mustStop())
                return Error{Error::Kind::Cancelled, "Loading was cancelled.", m_file.path, 0};
            if (offset - lastAt > barrenLogBytes) {
                m_fragment.problems.add(
                    Severity::DataLoss, "no_steps", m_file.path, offset,
                    "The log contains 4 GiB of text without a step or a line of a watchdog; reading stopped "
                    "there, and what it found before is used.");
                break;
            }
        }
        m_lines.add("\n", takeLine);
        noteDamage(source, m_file.path, offset, m_fragment.problems);
        return finish();
    }

private:
    std::size_t found() const
    {
        return m_log.steps.size() + m_watchdog.size() + m_times.count() + m_nccl.understood();
    }

    void take(std::string_view line)
    {
        if (m_nccl.take(line))
            return;
        if (auto step = loggedStep(line)) {
            m_notFinite += step->lossIsFinite ? 0u : 1u;
            m_times.takeTorchTitan(*step, line);
            m_log.steps.push_back(*step);
        } else if (auto own = watchdogLineOf(line)) {
            if (m_watchdog.size() == mostWatchdogLines) {
                ++m_watchdogLeftOut;
                return;
            }
            own->line = m_lines.count();
            own->file = std::filesystem::path(m_file.path).filename().string();
            m_watchdog.push_back(std::move(*own));
        } else {
            m_times.take(line);
        }
    }

    Result<TraceFragment> finish()
    {
        if (found() == 0)
            return Error{
                Error::Kind::Format,
                "The log contains neither a line \"step: N loss: X\" nor one that states the time of a "
                "step, nor a line of a watchdog or of NCCL.",
                m_file.path, 0};
        if (m_notFinite > 0)
            m_fragment.problems.add(Severity::Notice, "loss_not_finite", m_file.path, 0,
                                    "The log states a loss of nan or inf on " + std::to_string(m_notFinite)
                                        + " lines: those steps have no loss here.");
        if (!m_log.steps.empty())
            m_fragment.measurements.trainingLogs.push_back(std::move(m_log));
        if (m_watchdogLeftOut > 0)
            m_fragment.problems.add(Severity::DataLoss, "watchdog_lines_left_out", m_file.path, 0,
                                    "The log has more lines of a watchdog than are kept: the last "
                                        + std::to_string(m_watchdogLeftOut) + " are left out.",
                                    account(0, m_watchdogLeftOut));
        if (!m_watchdog.empty()) {
            joinExitLines(m_watchdog);
            m_fragment.hang = std::make_shared<HangEvidence>();
            m_fragment.hang->watchdogLines = std::move(m_watchdog);
        }
        finishTimes();
        finishNccl();
        return std::move(m_fragment);
    }

    /// Accounts for lines, in files whose lines are counted. Returns how many are excluded there.
    std::uint64_t account(std::uint64_t shown, std::uint64_t excluded)
    {
        if (!sourceTraits(m_fragment.source.kind).countsEvents)
            return 0;
        m_fragment.source.eventsInFile += shown + excluded;
        m_fragment.source.shown += shown;
        m_fragment.source.excluded += excluded;
        return excluded;
    }

    void finishTimes()
    {
        const std::uint64_t impossible = account(m_times.count(), m_times.impossible());
        if (m_times.impossible() > 0)
            m_fragment.problems.add(Severity::DataLoss, "impossible_step_time", m_file.path, 0,
                                    std::to_string(m_times.impossible())
                                        + " lines state a step time of 0 or less, or of months.",
                                    impossible);
        if (m_times.timeless() > 0)
            m_fragment.problems.add(Severity::Info, "untimed_step_line", m_file.path, 0,
                                    std::to_string(m_times.timeless())
                                        + " lines about steps do not tell when or how long a step was.",
                                    account(0, m_times.timeless()));
        if (m_times.leftOut() > 0)
            m_fragment.problems.add(
                Severity::DataLoss, "step_lines_left_out", m_file.path, 0,
                "The log has more lines that state the time of a step than are kept: the last "
                    + std::to_string(m_times.leftOut()) + " are left out.",
                account(0, m_times.leftOut()));
        if (m_times.count() == 0)
            return;
        m_fragment.history = std::make_shared<JobHistory>();
        m_fragment.history->steps = m_times.takeSteps();
    }

    void finishNccl()
    {
        if (m_nccl.understood() + m_nccl.others() == 0)
            return;
        account(m_nccl.understood() - m_nccl.leftOut(), 0);
        if (m_nccl.others() > 0)
            m_fragment.problems.add(
                Severity::Info, "nccl_lines_not_read", m_file.path, 0,
                "Lines of NCCL whose wording varies from version to version are not read.",
                account(0, m_nccl.others()));
        if (m_nccl.leftOut() > 0)
            m_fragment.problems.add(Severity::DataLoss, "nccl_lines_left_out", m_file.path, 0,
                                    "The log has more different lines of NCCL than are kept.",
                                    account(0, m_nccl.leftOut()));
        m_fragment.network = std::make_shared<NetworkRecord>(m_nccl.takeRecord());
    }

    const SourceFile& m_file;
    const ReadContext& m_context;
    TraceFragment m_fragment;
    LogLines m_lines;
    TrainingLog m_log;
    std::vector<WatchdogLine> m_watchdog;
    StepLines m_times;
    NcclLogLines m_nccl;
    std::uint64_t m_notFinite = 0, m_watchdogLeftOut = 0;
};

} // namespace

Result<TraceFragment> readLog(const SourceFile& file, const ReadContext& context, SourceKind kind)
{
    auto source = ByteSource::open(file.path);
    if (!source)
        return source.error();
    return LogReading(file, context, kind).read(**source);
}

} // namespace collscope
