# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# cmake -DROOT=<source dir> -DFOLDER=<for copies> -DCOMPILER=<C++ compiler> -P NewCollectiveType.cmake
# Shows that a new type of collective needs its class and a row in the table, and nothing else: adds a type to
# copies of these two files and asks a program that is compiled with them for its name, class and factors.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER}/model)

function(copy_with file old new)
    file(READ ${ROOT}/${file} text)
    string(FIND "${text}" "${old}" place)
    if(place EQUAL -1)
        message(FATAL_ERROR "${file} does not contain: ${old}")
    endif()
    string(REPLACE "${old}" "${new}" text "${text}")
    file(WRITE ${FOLDER}/${file} "${text}")
endfunction()

copy_with(model/kernels/kernel_class.h "    OtherCommunication,\n" "    Shuffle,\n    OtherCommunication,\n")
copy_with(model/kernels/collective_traits.cpp "    {.kernelClass = KernelClass::OtherCommunication," "    {.kernelClass = KernelClass::Shuffle,
     .name = \"Shuffle\",
     .word = \"shuffle\",
     .nameParts = {\"shuffle\"},
     .waitRule = WaitRule::AllForAll,
     .synchronises = true,
     .rounds = 3,
     .lightColor = 0xff123456,
     .darkColor = 0xff654321},
    {.kernelClass = KernelClass::OtherCommunication,")
# Includes of the copies' folder come first; a header beside a copied source must be a copy too.
foreach(file model/kernels/kernel_names.cpp model/kernels/kernel_names.h model/kernels/communication_rules.cpp model/kernels/collective_traits.h model/kernels/communication_rules.h)
    configure_file(${ROOT}/${file} ${FOLDER}/${file} COPYONLY)
endforeach()
file(WRITE ${FOLDER}/main.cpp [[
#include "model/kernels/collective_traits.h"
#include "model/kernels/kernel_names.h"
#include <cstdio>
using namespace collscope;
int main()
{
    const KernelClass type = classifyKernel("ncclDevKernel_Shuffle_RING_LL(ncclDevKernelArgsStorage<4096ul>)");
    const bool isRight = type == KernelClass::Shuffle && classifyCollective("shuffle") == type
        && isCommunication(type) && kernelClassName(type) == "Shuffle" && synchronises(type)
        && !isSizedAlike(type) && busFactor(type, 4) == 3 * 0.75 && roundsOf(type) == 3
        && allCollectiveTraits().size() == 9 && kernelClassName(KernelClass::OtherCommunication) == "other communication"
        && kernelClassName(KernelClass::Copy) == "copy" && classifyCollective("allreduce") == KernelClass::AllReduce;
    std::puts(isRight ? "the new type is known" : "the new type is not known everywhere");
    return isRight ? 0 : 1;
}
]])
execute_process(COMMAND ${COMPILER} -std=c++20 -O0 -I ${FOLDER} -I ${ROOT} main.cpp model/kernels/kernel_names.cpp
        model/kernels/communication_rules.cpp model/kernels/collective_traits.cpp -o new_type
    WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE result OUTPUT_VARIABLE messages ERROR_VARIABLE messages)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "A new type does not compile with a row in the table alone: ${messages}")
endif()
execute_process(COMMAND ${FOLDER}/new_type RESULT_VARIABLE result OUTPUT_VARIABLE messages)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "${messages}")
endif()
