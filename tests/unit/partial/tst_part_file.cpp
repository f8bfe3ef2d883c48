// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Parts of reduced runs that say of themselves what is not so: they cost no memory.

#include "model/partial/part_file.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"

namespace collscope {

class TestPartFile : public QObject
{
    Q_OBJECT

private:
    RunFolder m_folder;

private slots:
    /// Neither what the index says nor what comes out is a reason to take more memory than is allowed.
    void claimsAreShownBeforeMemoryIsTaken()
    {
        constexpr std::uint64_t allowed = std::uint64_t{8} << 20;
        const auto placeOf = [&](PackedSection section) {
            std::vector<PackedSection> sections;
            sections.push_back(std::move(section));
            const std::string part = m_folder.write("claim.part", partBytes(7, 0, std::move(sections)));
            const auto index = readPartIndex(part);
            return index ? std::optional(index->sections.front().second) : std::nullopt;
        };
        std::string content;
        for (int i = 0; i < 200'000; ++i)
            content += std::to_string(i * 7919 % 1'000'003);
        const PackedSection sound = packSection(0, content);
        const auto place = placeOf(sound);
        QVERIFY(place);
        QCOMPARE(readPartSection(*place, allowed).value(), content);
        QCOMPARE(readPartSection(*place, content.size() / 2).error().kind, Error::Kind::TooLarge);

        const auto saysDamaged = [](const Result<std::string>& read) {
            return !read && read.error().message.find("damaged part") != std::string::npos;
        };
        PackedSection claims = sound;
        claims.place.bytes = claims.packed.size() * 1000; // half a gigabyte
        const auto claimed = placeOf(claims);
        QVERIFY(claimed);
        QVERIFY(saysDamaged(readPartSection(*claimed, allowed)));
        QVERIFY(saysDamaged(readPartSection(*claimed)));
        PackedSection changed = sound;
        changed.packed[changed.packed.size() / 2] ^= 1; // the checksum tells, whatever the bytes inflate to
        const auto other = placeOf(changed);
        QVERIFY(other);
        const auto read = readPartSection(*other, allowed);
        QVERIFY(saysDamaged(read) && read.error().message.find("checksum") != std::string::npos);
        // It really becomes that large.
        const auto bomb = placeOf(packSection(0, std::string(64u << 20, '\0')));
        QVERIFY(bomb);
        const auto refused = readPartSection(*bomb, allowed);
        QVERIFY(saysDamaged(refused));
        QCOMPARE(refused.error().kind, Error::Kind::TooLarge);
        QVERIFY(refused.error().message.find("--max-memory") != std::string::npos);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestPartFile)
#include "tst_part_file.moc"
