// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/hardware/xid_meanings.h"

#include <algorithm>
#include <iterator>

namespace collscope {

namespace {

struct XidRow
{
    std::int32_t code;
    std::string_view meaning;
    bool isOfProgram = false;
};

constexpr XidRow xidRows[] = {
    {8, "GPU stopped processing"},
    {13, "exception of the graphics engine", true},
    {31, "GPU memory page fault", true},
    {32, "invalid or corrupted push buffer stream"},
    {43, "GPU stopped processing", true},
    {44, "fault while saving the graphics context"},
    {45, "channel removed after an earlier error", true},
    {46, "GPU stopped processing"},
    {48, "double-bit ECC error"},
    {54, "auxiliary power is not connected"},
    {61, "breakpoint of the internal microcontroller"},
    {62, "halt of the internal microcontroller"},
    {63, "row remapping or page retirement recorded"},
    {64, "row remapping or page retirement failed"},
    {69, "class error of the graphics engine", true},
    {74, "NVLink error"},
    {79, "GPU has fallen off the bus"},
    {92, "high rate of single-bit ECC errors"},
    {94, "contained memory error"},
    {95, "uncontained memory error"},
    {109, "timeout of a context switch"},
    {119, "timeout of the GPU's system processor (GSP)"},
    {120, "error of the GPU's system processor (GSP)"},
    {121, "error of the chip-to-chip link"},
    {137, "NVLink privilege error", true},
    {140, "unrecovered ECC error"},
    {143, "GPU initialization failed"},
    {144, "NVLink error"},
    {145, "NVLink error"},
    {146, "NVLink error"},
    {147, "NVLink error"},
    {148, "NVLink error"},
    {149, "NVLink error"},
    {150, "NVLink error"},
    {154, "another way to recover the GPU is needed"},
    {155, "software-defined error of NVLink"},
};

const XidRow* findXid(std::int32_t code)
{
    const auto row = std::find_if(std::begin(xidRows), std::end(xidRows),
                                  [&](const XidRow& own) { return own.code == code; });
    return row == std::end(xidRows) ? nullptr : &*row;
}

} // namespace

std::string_view xidMeaning(std::int32_t code)
{
    const XidRow* const row = findXid(code);
    return row ? row->meaning : std::string_view();
}

bool isOfProgram(std::int32_t code)
{
    const XidRow* const row = findXid(code);
    return row && row->isOfProgram;
}

} // namespace collscope
