// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/texts/fragment_text.h"

#include "tests/support/workloads/run_writer.h"

#include <QTemporaryDir>

namespace collscope {

Result<TraceFragment> readKineto(std::string_view content, const std::string& name)
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath(QString::fromStdString(name)).toStdString();
    writeFile(path, content);
    return readerOf(SourceKind::Kineto).read({path, content.size(), -1, std::nullopt}, ReadContext());
}

Result<TraceModelPtr> loadPath(const std::string& path, const LoadOptions& options)
{
    auto plan = planLoad({path}, options);
    if (!plan)
        return plan.error();
    return loadTrace(*plan, LoadContext());
}

const Diagnostic* findProblem(const Diagnostics& problems, std::string_view code)
{
    for (const Diagnostic& problem : problems.entries()) {
        if (problem.code == code)
            return &problem;
    }
    return nullptr;
}

} // namespace collscope
