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
#include <memory>
#include <stdexcept>
#include <string>

namespace collscope::bench {

namespace {

volatile std::uint64_t sink = 0; ///< keeps results that nobody reads from being optimised away

template<typename TimeBreakdown>
double secondsOf(TimeBreakdown&& work)
{
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    work();
    return std::chrono::duration<double>(Clock::now() - begin).count();
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

double millisecondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

Reference simdjsonIterate(const std::filesystem::path& file)
{
    const auto text = std::make_shared<simdjson::padded_string>(simdjson::padded_string::load(file.string()));
    const auto parser = std::make_shared<simdjson::ondemand::parser>();
    return [text, parser] {
        return secondsOf([&] {
            std::uint64_t fields = 0;
            simdjson::ondemand::document document = parser->iterate(*text);
            for (simdjson::ondemand::object event : document.find_field("traceEvents").get_array()) {
                for (simdjson::ondemand::field field : event) {
                    static_cast<void>(field);
                    ++fields;
                }
            }
            sink = fields;
        });
    };
}

Reference libdeflateInflate(const std::filesystem::path& file, std::uint64_t inflatedBytes)
{
    const auto packed = std::make_shared<const std::string>(contentOf(file));
    const auto text = std::make_shared<std::string>(inflatedBytes, '\0');
    const std::shared_ptr<libdeflate_decompressor> decompressor(libdeflate_alloc_decompressor(),
                                                                libdeflate_free_decompressor);
    return [packed, text, decompressor] {
        return secondsOf([&] {
            std::size_t got = 0;
            const auto outcome = libdeflate_gzip_decompress(decompressor.get(), packed->data(),
                                                            packed->size(), text->data(), text->size(), &got);
            if (outcome != LIBDEFLATE_SUCCESS || got != text->size())
                throw std::runtime_error("libdeflate could not inflate the file");
        });
    };
}

Reference memoryRead(const std::filesystem::path& file)
{
    const auto text = std::make_shared<const std::string>(contentOf(file));
    return [text] {
        return secondsOf([&] {
            std::uint64_t sum = 0;
            std::uint64_t word = 0;
            for (std::size_t i = 0; i + sizeof word <= text->size(); i += sizeof word) {
                std::memcpy(&word, text->data() + i, sizeof word);
                sum += word;
            }
            sink = sum;
        });
    };
}

Reference sqliteScan(const std::filesystem::path& database)
{
    sqlite3* opened = nullptr;
    sqlite3_open_v2(database.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr);
    const std::shared_ptr<sqlite3> connection(opened, sqlite3_close);
    return [connection] {
        return secondsOf([&] {
            sqlite3_stmt* statement = nullptr;
            sqlite3_prepare_v2(
                connection.get(),
                "SELECT start, end, deviceId, streamId, correlationId, globalPid, shortName, "
                "demangledName, gridX, gridY, gridZ, blockX, blockY, blockZ, registersPerThread, "
                "staticSharedMemory, dynamicSharedMemory FROM CUPTI_ACTIVITY_KIND_KERNEL",
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
    };
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

} // namespace collscope::bench
