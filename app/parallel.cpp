// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/parallel.h"

#include <QThreadPool>
#include <QtConcurrent>

#include <numeric>

namespace collscope {

ParallelFor parallelFor(int threads)
{
    if (threads == 1)
        return serialFor;
    return [threads](std::size_t count, const std::function<void(std::size_t)>& body) {
        // A pool of its own: the caller may itself run on the global one, and nested use of one pool can
        // hang.
        QThreadPool pool;
        if (threads > 0)
            pool.setMaxThreadCount(threads);
        std::vector<std::size_t> indices(count);
        std::iota(indices.begin(), indices.end(), std::size_t{0});
        QtConcurrent::blockingMap(&pool, indices, [&](std::size_t& index) { body(index); });
    };
}

} // namespace collscope
