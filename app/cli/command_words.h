// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Splits arguments into options with their values, and stores these in the variables of a command.

#include "app/cli/command_options.h"

namespace collscope {

/// An option in the arguments. A positional argument has the name "".
struct GivenOption
{
    std::string name; ///< the last of its names: "--csv"; an unknown option as typed, without a value
    std::vector<std::string> values;

    bool operator==(const GivenOption&) const = default;
};

/// Splits the words. `known` tells which options take values; unknown options remain without a value. An
/// error if a value is missing.
Result<std::vector<GivenOption>> splitWords(const CommandOptions& known,
                                            const std::vector<std::string>& words);

/// Stores the values. An error names the first option that `command` ("--batch doctor") does not have, whose
/// value is wrong, that was given twice, or that is missing.
Status storeValues(const CommandOptions& options, const std::vector<GivenOption>& given,
                   std::string_view command);

} // namespace collscope
