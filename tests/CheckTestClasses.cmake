# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later

# cmake -DPROGRAM=<test program> "-DCLASSES=<classes that ctest runs>" -P CheckTestClasses.cmake
# The program has these classes and no others, and refuses a name that nothing has.
cmake_minimum_required(VERSION 3.25)
if(NOT PROGRAM OR NOT CLASSES)
    message(FATAL_ERROR "PROGRAM and CLASSES are needed")
endif()

# Runs the program with the arguments; leaves its exit code in `code` and its output in `out` and `err`.
function(run)
    execute_process(COMMAND ${PROGRAM} ${ARGN} TIMEOUT 60 RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
    set(code "${code}" PARENT_SCOPE)
    set(out "${out}" PARENT_SCOPE)
    set(err "${err}" PARENT_SCOPE)
endfunction()

run(-classes)
string(REGEX REPLACE "\n$" "" compiled "${out}")
string(REPLACE "\n" ";" compiled "${compiled}")
list(SORT compiled)
list(SORT CLASSES)
if(NOT code EQUAL 0 OR NOT compiled STREQUAL CLASSES)
    message(SEND_ERROR "A file tst_rank_mesh.cpp holds one class, TestRankMesh.\nctest runs: ${CLASSES}\n"
        "The program has: ${compiled}")
endif()

# Each call names nothing, or something of another class: nothing may run.
function(expect_refusal closest)
    run(${ARGN})
    if(NOT code EQUAL 2 OR NOT out STREQUAL "" OR NOT err MATCHES "The closest: [^\n]*${closest}")
        message(SEND_ERROR "${ARGN} should be refused with the closest name, ${closest}, but: ${code} ${out} ${err}")
    endif()
endfunction()

list(GET CLASSES 0 class)
string(REGEX REPLACE ".$" "" misspelt ${class})
expect_refusal(${class} ${misspelt})
expect_refusal("[a-z]" ${class} noSuchFunction)
expect_refusal(${class} ${misspelt}:row)
