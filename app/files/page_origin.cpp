// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/files/page_origin.h"

#include "app/files/file_digest.h"
#include "app/files/version.h"

namespace collscope {

PageOrigin originOf(std::vector<std::string> command)
{
    const std::string version = versionText();
    return {version.substr(0, version.find('\n')), std::move(command), {}};
}

PageOrigin originOf(const TraceModel& model, std::vector<std::string> command, const Parallel& parallel,
                    const std::function<bool()>& cancelled)
{
    PageOrigin origin = originOf(std::move(command));
    std::vector<std::string> digests(model.sources.size());
    parallel.forEach(digests.size(), [&](std::size_t i) {
        if (auto digest = sha256Of(model.sources[i].path, cancelled))
            digests[i] = std::move(*digest);
    });
    for (std::size_t i = 0; i < digests.size(); ++i) {
        if (!digests[i].empty())
            origin.digests[model.sources[i].path] = std::move(digests[i]);
    }
    return origin;
}

} // namespace collscope
