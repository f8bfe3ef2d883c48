// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The opcodes of Python pickles, with the names of CPython's Lib/pickletools.py.

#include <string_view>

namespace collscope::pickle {

enum Opcode : unsigned char
{
    Mark = '(',
    StopAll = '.',
    None = 'N',
    NewTrue = 0x88,
    NewFalse = 0x89,
    BinInt = 'J',
    BinInt1 = 'K',
    BinInt2 = 'M',
    Long1 = 0x8A,
    Long4 = 0x8B,
    BinFloat = 'G',
    BinUnicode = 'X',
    ShortBinUnicode = 0x8C,
    BinUnicode8 = 0x8D,
    BinBytes = 'B',
    ShortBinBytes = 'C',
    BinBytes8 = 0x8E,
    EmptyDict = '}',
    EmptyList = ']',
    EmptyTuple = ')',
    Dict = 'd',
    List = 'l',
    Tuple = 't',
    Tuple1 = 0x85,
    Tuple2 = 0x86,
    Tuple3 = 0x87,
    SetItem = 's',
    SetItems = 'u',
    Append = 'a',
    Appends = 'e',
    BinPut = 'q',
    LongBinPut = 'r',
    BinGet = 'h',
    LongBinGet = 'j',
    Memoize = 0x94,
    Proto = 0x80,
    FrameStart = 0x95,
};

/// Python's names of the opcodes that would make or call its objects; "" for all other opcodes.
inline std::string_view dangerOf(unsigned char opcode)
{
    switch (opcode) {
    case 'c':
        return "GLOBAL";
    case 0x93:
        return "STACK_GLOBAL";
    case 'R':
        return "REDUCE";
    case 'b':
        return "BUILD";
    case 'i':
        return "INST";
    case 'o':
        return "OBJ";
    case 0x81:
        return "NEWOBJ";
    case 0x92:
        return "NEWOBJ_EX";
    case 'P':
        return "PERSID";
    case 'Q':
        return "BINPERSID";
    case 0x82:
        return "EXT1";
    case 0x83:
        return "EXT2";
    case 0x84:
        return "EXT4";
    default:
        return "";
    }
}

} // namespace collscope::pickle
