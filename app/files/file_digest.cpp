// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/files/file_digest.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <vector>

namespace collscope {

namespace {

constexpr std::array<std::uint32_t, 64> constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t wordAt(const unsigned char* bytes)
{
    return std::uint32_t{bytes[0]} << 24U | std::uint32_t{bytes[1]} << 16U | std::uint32_t{bytes[2]} << 8U
        | bytes[3];
}

} // namespace

void Sha256::compress(const unsigned char* block)
{
    std::array<std::uint32_t, 64> w;
    for (std::size_t i = 0; i < 16; ++i)
        w[i] = wordAt(block + 4 * i);
    for (std::size_t i = 16; i < 64; ++i) {
        const std::uint32_t a = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3U;
        const std::uint32_t b = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10U;
        w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    auto [a, b, c, d, e, f, g, h] = m_state;
    for (std::size_t i = 0; i < 64; ++i) {
        const std::uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25))
            + ((e & f) ^ (~e & g)) + constants[i] + w[i];
        const std::uint32_t second
            = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + first;
        d = c;
        c = b;
        b = a;
        a = first + second;
    }
    const std::array<std::uint32_t, 8> more{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < more.size(); ++i)
        m_state[i] += more[i];
}

void Sha256::add(std::string_view bytes)
{
    m_size += bytes.size();
    while (!bytes.empty()) {
        const std::size_t taken = std::min(bytes.size(), m_block.size() - m_filled);
        std::memcpy(m_block.data() + m_filled, bytes.data(), taken);
        m_filled += taken;
        bytes.remove_prefix(taken);
        if (m_filled < m_block.size())
            return;
        compress(m_block.data());
        m_filled = 0;
    }
}

std::string Sha256::digest()
{
    const std::uint64_t bits = 8 * m_size;
    const std::size_t zeros = (m_block.size() + 55 - m_filled) % m_block.size();
    std::string end(1 + zeros, '\0');
    end.front() = '\x80';
    for (int shift = 56; shift >= 0; shift -= 8)
        end += static_cast<char>(bits >> static_cast<unsigned>(shift) & 0xFFU);
    add(end);
    std::string text;
    for (const std::uint32_t word : m_state) {
        for (int shift = 28; shift >= 0; shift -= 4)
            text += "0123456789abcdef"[word >> static_cast<unsigned>(shift) & 0xFU];
    }
    return text;
}

Result<std::string> sha256Of(const std::string& path, std::uint64_t size,
                             const std::function<bool()>& cancelled)
{
    std::ifstream file(path, std::ios::binary);
    Sha256 sum;
    std::vector<char> piece(std::size_t{1} << 20U);
    while (file.good() && sum.size() <= size) {
        if (cancelled())
            return Error{Error::Kind::Cancelled, "cancelled.", path};
        file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        sum.add({piece.data(), static_cast<std::size_t>(file.gcount())});
    }
    if (!file.eof() || sum.size() != size)
        return Error{Error::Kind::Io, path + " cannot be read again, or it has changed.", path};
    return sum.digest();
}

} // namespace collscope
