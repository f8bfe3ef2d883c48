// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The events of one Kineto file: blocks of text -> events of a fragment, by one thread or by several.

#include "model/readers/byte_source.h"
#include "model/readers/kineto_events.h"
#include "model/readers/reader.h"

namespace collscope {

/// What was read of a file, before FragmentBuilder::finish(). Its members refer to each other, so it stays
/// where it was made.
struct KinetoFile
{
    explicit KinetoFile(const std::string& path);
    KinetoFile(const KinetoFile&) = delete;
    KinetoFile& operator=(const KinetoFile&) = delete;

    TraceFragment fragment;
    FragmentBuilder builder{fragment.strings};
    KinetoEventParser parser{fragment, builder};
    std::uint64_t textBytes = 0; ///< inflated
    StreamDamage damage; ///< why the text ended before the file's own end
};

/// Called at most once, when enough of a large file is read to be worth a look.
using KinetoFirstLook = std::function<void(const KinetoFile&)>;

/// Reads all events of a file. Error Cancelled if the user did. The answer is the same for any number of
/// threads.
Result<std::unique_ptr<KinetoFile>> readKinetoFile(const SourceFile& file, const ReadContext& context,
                                                   KinetoFirstLook firstLook);

} // namespace collscope
