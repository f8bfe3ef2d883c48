// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/reader.h"

#include <cstdlib>

namespace collscope {

const ReaderDescriptor& readerOf(SourceKind kind)
{
    for (const ReaderDescriptor* reader : allReaders()) {
        if (reader->kind == kind)
            return *reader;
    }
    std::abort(); // each kind has an entry in the catalogue
}

std::string knownFormats()
{
    std::string list;
    for (const ReaderDescriptor* reader : allReaders())
        list.append(list.empty() ? "" : ", ").append(reader->title);
    return list;
}

} // namespace collscope
