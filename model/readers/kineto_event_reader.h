// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The fields of one event, in whatever order the file has them.

#include "model/readers/kineto_sink.h"

#include <simdjson.h>

#include <string>
#include <string_view>

namespace collscope {

/// Takes the fields that Collscope knows from a JSON object.
class KinetoEventReader
{
public:
    /// Throws simdjson_error where the object is not JSON. Views in `event` are valid until the next call, as
    /// long as the text is.
    void read(simdjson::ondemand::object object, RawEvent& event);

private:
    static std::string_view text(simdjson::ondemand::value value, std::string& scratch);

    std::string m_name, m_pid, m_tid, m_id; ///< texts with escapes, without them
};

} // namespace collscope
