// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/building/witness_merge.h"

#include "model/witnesses/hardware_record.h"
#include "model/witnesses/job_history.h"
#include "model/witnesses/network_record.h"

namespace collscope {

namespace {

template<typename Witness>
std::shared_ptr<const Witness> joined(std::vector<TraceFragment>& fragments,
                                      std::shared_ptr<Witness> TraceFragment::*own, Diagnostics& problems)
{
    std::shared_ptr<Witness> all;
    for (std::size_t i = 0; i < fragments.size(); ++i) {
        if (!(fragments[i].*own))
            continue;
        if (!all)
            all = std::make_shared<Witness>();
        all->take(std::move(*(fragments[i].*own)), SourceId{static_cast<std::uint32_t>(i)});
    }
    if (all)
        all->settle(problems);
    return all;
}

} // namespace

void mergeWitnesses(TraceModel& model, std::vector<TraceFragment>& fragments, Diagnostics& problems)
{
    model.history = joined(fragments, &TraceFragment::history, problems);
    model.hardware = joined(fragments, &TraceFragment::hardware, problems);
    model.network = joined(fragments, &TraceFragment::network, problems);
}

} // namespace collscope
