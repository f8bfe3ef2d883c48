// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which kernel names mean communication: one table, each rule with the library that defines the name.

#include "model/kernel_class.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace collscope {

/// One row of the table. The first row that matches a kernel decides.
///
/// A pattern is compared with the kernel's function: its qualified name without return type, template
/// arguments and parameters. Case, '_' and '-' do not matter. It has to match from the beginning of the name
/// or from a "::" to the end; '*' stands for any characters but ':'. "~word" instead asks for a word at the
/// beginning of a word of the function's own name (behind the last "::"): "~allreduce" is in
/// oneShotAllReduceKernel and two_shot_all_reduce_kernel, and not in overall_reduce.
struct CommunicationRule
{
    /// What a match says.
    enum class Verdict : std::uint8_t
    {
        IsClass, ///< communication of this class
        IsNamed, ///< communication, of the class that the words of its own name say
        IsLocal ///< no communication, although a later rule would match
    };
    std::string_view pattern;
    Verdict verdict = Verdict::IsClass;
    KernelClass kernelClass = KernelClass::OtherCommunication;
    std::string_view source; ///< library, and where in it the name is defined
    std::string_view alsoHolds = {}; ///< must be somewhere in the whole name, parameters included; lower case
};

std::span<const CommunicationRule> communicationRules();

/// The rule that decides about a kernel name; nullptr if none matches.
const CommunicationRule* communicationRuleOf(std::string_view kernelName);

/// The class of a communication kernel by the table; nullopt if the name does not say that it communicates.
std::optional<KernelClass> communicationClassOf(std::string_view kernelName);

/// The class that words of a name say ("all_gather" -> AllGather), for names that are known to be of
/// communication; OtherCommunication if no word is known.
KernelClass communicationClassOfWords(std::string_view name);

/// The kernel's function, qualified, as it is written: "void a::b<int>(float*)" -> "a::b". Knows mangled
/// names as far as their scopes go, and anonymous namespaces.
std::string functionOfKernel(std::string_view kernelName);

} // namespace collscope
