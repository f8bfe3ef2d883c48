// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Planted jobs of four ranks without GPUs, spelled as PyTorch 2.14 and 1.13 record gloo. They stand beside
// the real recordings, so that the tests of such jobs need no data from outside.

#include <QString>

#include <filesystem>

class QTemporaryDir;

namespace collscope {

enum class GlooJob
{
    Straggler, ///< steps 2 to 7 with one all-reduce of 166016 floats each; rank 2 is 300 ms late to each
    Legacy, ///< the same as PyTorch 1.13 wrote it: a bare list, times from each file's own beginning, no
            ///< shapes
    Kinds, ///< steps 2 to 7, in each 4 all-gathers, 4 reduce-scatters, a broadcast and a barrier
    Pipeline, ///< steps 2 to 7, in each 4 tensors forth and back between neighbours; with its workload card
    ExecutionTraces ///< no timelines: 4 all-reduces of 166016 floats per rank
};

/// What there is to find in the timelines.
struct PlantedGloo
{
    int collectives = 0;
    double skewUs = 0; ///< of all collectives together
};

/// Writes the files of the job into a folder, which is made if it is missing.
PlantedGloo writeGlooJob(GlooJob job, const std::filesystem::path& folder);

/// The folder of a real recording of gloo; empty where the real traces are not here.
QString glooRecording(const char* name);
/// Adds the column "run" to the data of a test, with the job planted in `folder` and a real
/// recording like it, if it is here.
void addGlooRuns(GlooJob job, const char* recording, const QTemporaryDir& folder);

} // namespace collscope
