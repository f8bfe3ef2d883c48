// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/files/file_digest.h"

#include "model/stored_bytes.h"

#include <nettle/base16.h>
#include <nettle/sha2.h>

#include <array>
#include <vector>

namespace collscope {

Result<std::string> sha256Of(const std::string& path, std::uint64_t size,
                             const std::function<bool()>& cancelled)
{
    const auto file = OpenedFile::open(path);
    if (!file)
        return file.error();
    sha256_ctx sum;
    sha256_init(&sum);
    std::vector<char> piece(std::size_t{1} << 20);
    std::uint64_t done = 0;
    for (std::size_t count = piece.size(); count == piece.size() && done <= size; done += count) {
        if (cancelled())
            return Error{Error::Kind::Cancelled, "cancelled.", path};
        count = (*file)->read(done, piece).count;
        sha256_update(&sum, count, reinterpret_cast<const std::uint8_t*>(piece.data()));
    }
    if (done != size)
        return Error{Error::Kind::Io, path + " cannot be read again, or it has changed.", path};
    std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
    sha256_digest(&sum, digest.size(), digest.data());
    std::string text(BASE16_ENCODE_LENGTH(digest.size()), '\0');
    base16_encode_update(text.data(), digest.size(), digest.data());
    return text;
}

} // namespace collscope
