// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// User-defined rules for kernels that the built-in table (model/kernels/communication_rules.h) does not know
// or misclassifies.

#include "model/kernels/kernel_class.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace collscope {

struct TraceFragment;

/// Assigns a class to kernels whose name contains a text.
struct KernelRule
{
    /// The text, ignoring case; '*' matches any characters. It may occur anywhere in the name, including
    /// template arguments and parameters.
    std::string name;
    /// A communication class, or OtherCompute for kernels that do not communicate.
    KernelClass kernelClass = KernelClass::OtherCommunication;
    friend bool operator==(const KernelRule&, const KernelRule&) = default;
};

/// A word for each class that a rule can assign: "alltoall", "communication", ...; "compute" for kernels that
/// do not communicate.
using KernelRuleWord = std::pair<std::string_view, KernelClass>;
std::span<const KernelRuleWord> kernelRuleWords();

/// The lines of a rule in a file of definitions, with an empty line before them.
std::string kernelRuleText(const KernelRule& rule);

bool appliesTo(const KernelRule& rule, std::string_view kernelName);

/// The last rule that applies to a name; nullptr if none does.
const KernelRule* kernelRuleOf(std::span<const KernelRule> rules, std::string_view kernelName);

/// Assigns the classes given by the rules to the kernels of a file. Kernels that the profiler marks as
/// collectives keep their class. Returns the number of changed kernels. O(slices); each name is compared
/// once.
std::uint64_t applyKernelRules(std::span<const KernelRule> rules, TraceFragment& fragment);

} // namespace collscope
