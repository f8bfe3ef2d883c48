// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Reads the fields of one event, in any order.

#include "model/readers/kineto/kineto_sink.h"

#include <simdjson.h>

#include <string>
#include <string_view>

namespace collscope {

/// Extracts the fields that Collscope uses from a JSON object.
class KinetoEventReader
{
public:
    /// Throws simdjson_error if the object is not JSON. Views in `event` are valid until the next call, and
    /// as long as the text is.
    void read(simdjson::ondemand::object object, RawEvent& event);

private:
    static std::string_view text(simdjson::ondemand::value value, std::string& scratch);

    std::string m_name, m_pid, m_tid, m_id; ///< unescaped texts of values with escapes
};

} // namespace collscope
