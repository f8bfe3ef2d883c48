// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Reads the events of one Kineto file: blocks of text -> events of a fragment, on one thread or several.

#include "model/readers/byte_source.h"
#include "model/readers/kineto/kineto_events.h"
#include "model/readers/reader.h"

namespace collscope {

/// The events read from a file, before FragmentBuilder::finish(). Its members refer to each other, so it
/// cannot be moved.
struct KinetoFile
{
    explicit KinetoFile(const std::string& path);
    KinetoFile(const KinetoFile&) = delete;
    KinetoFile& operator=(const KinetoFile&) = delete;

    TraceFragment fragment;
    FragmentBuilder builder{fragment.strings};
    KinetoEventParser parser{fragment, builder};
    std::uint64_t textBytes = 0; ///< inflated
    std::optional<StreamDamage> damage; ///< why the text ended before the end of the file, if it did
};

/// Called at most once, when enough of a large file has been read for a first look.
using KinetoFirstLook = std::function<void(const KinetoFile&)>;

/// Reads all events of a file. Error Cancelled if the user cancelled. The result does not depend on the
/// number of threads.
Result<std::unique_ptr<KinetoFile>> readKinetoFile(const SourceFile& file, const ReadContext& context,
                                                   KinetoFirstLook firstLook);

} // namespace collscope
