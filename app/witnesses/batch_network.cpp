// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The command network: what is known of the network of a job.

#include "app/cli/command_interrupts.h"
#include "app/commands/batch_run.h"
#include "app/files/batch_io.h"
#include "app/remote/remote_address.h"
#include "app/runtime/thread_pool.h"
#include "metrics/export/network_report.h"
#include "metrics/export/written_report.h"
#include "model/witnesses/network_record.h"

namespace collscope {

namespace {

class NetworkCommand : public MeasuringCommand
{
public:
    bool json = false;

    void declare() override
    {
        options.group("Output");
        options.flag("--json", json, "Print JSON");
        options.group("Selection");
        selection.declareWindow(options);
        input.declare(options);
    }

protected:
    int measure(const HardwareDatabasePtr& hardware) const override
    {
        const std::vector<BatchRun> runs = runsOf(input);
        if (!isOneRun(runs, "network"))
            return WrongUsage;
        const auto model = loadRun(input, runs.front());
        if (!model)
            return sayNotLoaded(model.error());
        if (!(*model)->network) {
            say(isRemote(runs.front().paths.front())
                    ? std::string(
                        "Such files are not sent from another machine: copy them, and open the copy.")
                    : std::string(
                        "It contains neither a log of NCCL (NCCL_DEBUG=INFO) nor output of nccl-tests."));
            return NotAvailable;
        }
        MetricOptions chosen = metricOptions(selection, hardware);
        chosen.parallel = threadPool(input.threads);
        Analysis analysis(**model, std::move(chosen));
        const NetworkReport report = networkReport(analysis);
        if (isInterrupted()) {
            say("cancelled.");
            return Cancelled;
        }
        const bool printed = json ? print(jsonText(networkValue(report))) : printLines(networkText(report));
        return printed ? Done : NotWritten;
    }
};

} // namespace

std::unique_ptr<ProgramCommand> networkCommand()
{
    return std::make_unique<NetworkCommand>();
}

} // namespace collscope
