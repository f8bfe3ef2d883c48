// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/bench/references.h"

#include <libdeflate.h>
#include <simdjson.h>
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>

namespace collscope::bench {

namespace {

volatile std::uint64_t sink = 0; ///< keeps results that nobody reads from being optimised away

double medianSeconds(int runs, const std::function<void()>& work)
{
    using Clock = std::chrono::steady_clock;
    work(); // warms caches and grows buffers
    std::vector<double> seconds;
    for (int i = 0; i < runs; ++i) {
        const auto begin = Clock::now();
        work();
        seconds.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
    }
    return median(std::move(seconds));
}

std::string contentOf(const std::filesystem::path& file)
{
    std::string text(std::filesystem::file_size(file), '\0');
    std::ifstream(file, std::ios::binary).read(text.data(), static_cast<std::streamsize>(text.size()));
    return text;
}

} // namespace

double median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double simdjsonIterate(const std::filesystem::path& file, int runs)
{
    const simdjson::padded_string text = simdjson::padded_string::load(file.string());
    simdjson::ondemand::parser parser;
    return medianSeconds(runs, [&] {
        std::uint64_t fields = 0;
        simdjson::ondemand::document document = parser.iterate(text);
        for (simdjson::ondemand::object event : document.find_field("traceEvents").get_array()) {
            for (simdjson::ondemand::field field : event) {
                static_cast<void>(field);
                ++fields;
            }
        }
        sink = fields;
    });
}

std::vector<std::string> simdjsonKernels()
{
    std::vector<std::string> names;
    for (const simdjson::implementation* kernel : simdjson::get_available_implementations()) {
        if (kernel->supported_by_runtime_system())
            names.push_back(kernel->name());
    }
    return names;
}

double libdeflateInflate(const std::filesystem::path& file, std::uint64_t inflatedBytes, int runs)
{
    const std::string packed = contentOf(file);
    std::string text(inflatedBytes, '\0');
    libdeflate_decompressor* const decompressor = libdeflate_alloc_decompressor();
    const double seconds = medianSeconds(runs, [&] {
        std::size_t got = 0;
        if (libdeflate_gzip_decompress(decompressor, packed.data(), packed.size(), text.data(), text.size(),
                                       &got)
                != LIBDEFLATE_SUCCESS
            || got != text.size())
            throw std::runtime_error("libdeflate could not inflate the file");
    });
    libdeflate_free_decompressor(decompressor);
    return seconds;
}

double memoryRead(const std::filesystem::path& file, int runs)
{
    const std::string text = contentOf(file);
    return medianSeconds(runs, [&] {
        std::uint64_t sum = 0;
        std::uint64_t word = 0;
        for (std::size_t i = 0; i + sizeof word <= text.size(); i += sizeof word) {
            std::memcpy(&word, text.data() + i, sizeof word);
            sum += word;
        }
        sink = sum;
    });
}

double sqliteScan(const std::filesystem::path& database, int runs)
{
    sqlite3* connection = nullptr;
    sqlite3_open_v2(database.c_str(), &connection, SQLITE_OPEN_READONLY, nullptr);
    const double seconds = medianSeconds(runs, [&] {
        sqlite3_stmt* statement = nullptr;
        sqlite3_prepare_v2(connection,
                           "SELECT start, end, deviceId, streamId, correlationId, globalPid, shortName, "
                           "demangledName, gridX, "
                           "gridY, gridZ, blockX, blockY, blockZ, registersPerThread, staticSharedMemory, "
                           "dynamicSharedMemory "
                           "FROM CUPTI_ACTIVITY_KIND_KERNEL",
                           -1, &statement, nullptr);
        const int columns = sqlite3_column_count(statement);
        std::uint64_t sum = 0;
        while (sqlite3_step(statement) == SQLITE_ROW) {
            for (int column = 0; column < columns; ++column)
                sum += static_cast<std::uint64_t>(sqlite3_column_int64(statement, column));
        }
        sqlite3_finalize(statement);
        sink = sum;
    });
    sqlite3_close(connection);
    return seconds;
}

} // namespace collscope::bench
