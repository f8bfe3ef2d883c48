// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a person says of kernels that the built-in table (model/communication_rules.h) does not know, or takes
// for something else.

#include "model/kernel_class.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace collscope {

struct TraceFragment;

/// Kernels whose name holds a text are of a class.
struct KernelRule
{
    /// The text, whatever its case; '*' stands for any characters. It may stand anywhere in the name,
    /// template arguments and parameters included.
    std::string name;
    /// One of the classes of communication, or OtherCompute: these kernels do not communicate.
    KernelClass kernelClass = KernelClass::OtherCommunication;
    friend bool operator==(const KernelRule&, const KernelRule&) = default;
};

/// A word for each class that a rule can say: "alltoall", "communication", ...; "compute" for kernels that do
/// not communicate.
using KernelRuleWord = std::pair<std::string_view, KernelClass>;
std::span<const KernelRuleWord> kernelRuleWords();

/// The lines of a rule as a file of definitions has them, with an empty line before.
std::string kernelRuleText(const KernelRule& rule);

bool appliesTo(const KernelRule& rule, std::string_view kernelName);

/// The last rule that applies to a name; nullptr if none does.
const KernelRule* kernelRuleOf(std::span<const KernelRule> rules, std::string_view kernelName);

/// Gives the kernels of a file the classes that the rules say. A kernel of which the profiler says that it is
/// a collective stays one. The answer: how many kernels changed. O(slices); each name is compared once.
std::uint64_t applyKernelRules(std::span<const KernelRule> rules, TraceFragment& fragment);

} // namespace collscope
