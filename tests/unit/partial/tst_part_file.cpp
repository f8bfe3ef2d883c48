// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Parts of reduced runs that say of themselves what is not so: they cost no memory.

#include "model/partial/deflated.h"
#include "model/partial/part_file.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"

#include <filesystem>

namespace collscope {

class TestPartFile : public QObject
{
    Q_OBJECT

private:
    RunFolder m_folder;

private slots:
    /// Stored bytes are read where they are, also after the part was removed.
    void storedBytesStayInThePart()
    {
        std::vector<PackedSection> sections;
        sections.push_back(packSection(0, "first", "stored of the first"));
        sections.push_back(packSection(1, "second"));
        sections.push_back(packSection(2, "third", std::string(1000, 'x') + "end"));
        const std::string part = m_folder.write("stored.part", partBytes(7, 0, sections));
        auto index = readPartIndex(part);
        QVERIFY(index.has_value());
        std::filesystem::remove(part);
        const auto storedOf = [&](std::size_t i) { return storedBytesOf(index->sections[i].second); };
        QCOMPARE(storedOf(0).readAll(), std::string("stored of the first"));
        QVERIFY(storedOf(1).isEmpty());
        QVERIFY(storedOf(1).readAll().empty());
        QCOMPARE(storedOf(2).part(1000, 99).readAll(), std::string("end"));
        QCOMPARE(storedOf(0).read(10, 3), std::string("the"));
    }
    /// Damage in stored bytes makes a section unsound, and a part that is not complete is written again.
    void damagedStoredBytesAreFound()
    {
        std::vector<PackedSection> sections;
        sections.push_back(packSection(0, "first", "stored of the first"));
        std::string bytes = partBytes(7, 0, sections);
        const auto isSound = [&](const std::string& content) {
            const auto index = readPartIndex(m_folder.write("stored.part", content));
            return index && isSectionSound(index->sections.front().second);
        };
        QVERIFY(isSound(bytes));
        bytes[bytes.find("stored")] = 'S';
        QVERIFY(!isSound(bytes));
    }
    /// A part that is cut off while it is used.
    void lostBytesAreAnException()
    {
        std::vector<PackedSection> sections;
        sections.push_back(packSection(0, "first", std::string(100'000, 'x')));
        const std::string part = m_folder.write("cut.part", partBytes(7, 0, sections));
        auto index = readPartIndex(part);
        QVERIFY(index.has_value());
        std::filesystem::resize_file(part, 1000);
        const StoredBytes stored = storedBytesOf(index->sections.front().second);
        QVERIFY_THROWS_EXCEPTION(LostBytes, stored.readAll());
    }
    /// Files and tasks are listed once, in their order.
    void listsOutOfOrderAreDamage()
    {
        const auto indexOf
            = [&](const std::vector<std::uint32_t>& tasks, const std::vector<std::uint32_t>& files) {
                  std::vector<PackedSection> sections;
                  for (const std::uint32_t file : files)
                      sections.push_back(packSection(file, "bytes"));
                  std::string bytes;
                  const Status written
                      = writePart(7, tasks, std::move(sections), [&](std::string_view piece) -> Status {
                            bytes += piece;
                            return {};
                        });
                  return written ? readPartIndex(m_folder.write("order.part", bytes))
                                 : Result<PartIndex>(written.error());
              };
        const auto sound = indexOf({1, 4}, {9, 3, 5});
        QVERIFY(sound.has_value());
        QVERIFY(sound->tasks == (std::vector<std::uint32_t>{1, 4}));
        QCOMPARE(sound->sections.size(), std::size_t{3});
        QCOMPARE(sound->sections.front().first, 3u);
        QVERIFY(!sound->isOf(7, 1) && indexOf({1}, {3})->isOf(7, 1) && !indexOf({1}, {3})->isOf(8, 1));
        QVERIFY(!indexOf({4, 1}, {3}) && !indexOf({1, 1}, {3}) && !indexOf({}, {3}));
        QVERIFY(!indexOf({1}, {3, 5, 3}));
    }
    void sealsAreChecked()
    {
        const std::string sound = sealed("some bytes, some bytes, some bytes");
        QCOMPARE(unsealed(sound, 1000).value(), std::string("some bytes, some bytes, some bytes"));
        QVERIFY(!unsealed(sound, 10)); // more than allowed
        for (std::size_t at = 0; at < sound.size(); ++at) {
            std::string damaged = sound;
            damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
            QVERIFY(!unsealed(damaged, 1000));
            QVERIFY(!unsealed(sound.substr(0, at), 1000));
        }
    }
    void plainBytesStandBehindDeflatedOnes()
    {
        const std::string sound = sealed("some bytes, some bytes, some bytes", "plain");
        QVERIFY(sound.ends_with("plain"));
        std::string plain;
        QCOMPARE(unsealed(sound, 1000, &plain).value(), std::string("some bytes, some bytes, some bytes"));
        QCOMPARE(plain, std::string("plain"));
        QVERIFY(!unsealed(sound, 1000)); // not asked for
        QCOMPARE(unsealed(sealed("", "plain"), 1000, &plain).value(), std::string());
        QCOMPARE(plain, std::string("plain"));
        QCOMPARE(unsealed(sealed("bytes"), 1000, &plain).value(), std::string("bytes"));
        QVERIFY(plain.empty());
        for (std::size_t at = 0; at < sound.size(); ++at) {
            std::string damaged = sound;
            damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
            QVERIFY(!unsealed(damaged, 1000, &plain));
            QVERIFY(!unsealed(sound.substr(0, at), 1000, &plain));
        }
    }

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
