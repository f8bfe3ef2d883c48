// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Kernel names that indicate communication: one table, in which each rule states the library that defines the
// name.

#include "model/kernels/kernel_class.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace collscope {

/// One row of the table. The first row that matches a kernel decides.
///
/// A pattern is compared with the kernel's function: its qualified name without return type, template
/// arguments and parameters. Case, '_' and '-' are ignored. The pattern must match from the start of the
/// name, or from a "::", to the end; '*' matches any characters except ':'. "~word" instead matches a word at
/// the start of a word in the function's own name (after the last "::"): "~allreduce" matches
/// oneShotAllReduceKernel and two_shot_all_reduce_kernel, but not overall_reduce.
struct CommunicationRule
{
    /// Meaning of a match.
    enum class Verdict : std::uint8_t
    {
        IsClass, ///< communication of this class
        IsNamed, ///< communication; the words of the kernel's own name give the class
        IsLocal ///< not communication, even if a later rule would match
    };
    std::string_view pattern;
    Verdict verdict = Verdict::IsClass;
    KernelClass kernelClass = KernelClass::OtherCommunication;
    std::string_view source; ///< library, and the place in it that defines the name
    std::string_view alsoHolds = {}; ///< must appear in the complete name, including parameters; lower case
};

std::span<const CommunicationRule> communicationRules();

/// The rule that decides about a kernel name; nullptr if none matches.
const CommunicationRule* communicationRuleOf(std::string_view kernelName);

/// The class of a communication kernel according to the table; nullopt if its name does not indicate
/// communication.
std::optional<KernelClass> communicationClassOf(std::string_view kernelName);

/// The class that the words of a name indicate ("all_gather" -> AllGather), for names that are known to be
/// communication. OtherCommunication if no word is known.
KernelClass communicationClassOfWords(std::string_view name);

/// The qualified name of the kernel's function in source notation: "void a::b<int>(float*)" -> "a::b".
/// Handles the scopes of mangled names, and anonymous namespaces.
std::string functionOfKernel(std::string_view kernelName);

} // namespace collscope
