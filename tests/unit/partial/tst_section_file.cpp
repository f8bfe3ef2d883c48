// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a killed task saved: whole sections are found, whatever is wrong with the rest of the file.

#include "model/partial/checksum.h"
#include "model/partial/section_file.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"

namespace collscope {

class TestSectionFile : public QObject
{
    Q_OBJECT

private:
    RunFolder m_folder;
    const std::set<std::uint32_t> m_files{3, 5, 8};

    static std::string contentOf(std::uint32_t file) { return "content of " + std::to_string(file); }
    static std::string storedOf(std::uint32_t file) { return "stored of " + std::to_string(file); }
    static PackedSection packed(std::uint32_t file)
    {
        return packSection(file, contentOf(file), storedOf(file));
    }
    static std::string sectionOf(std::uint32_t file)
    {
        const PackedSection section = packed(file);
        return sectionHeader(section) + section.packed;
    }
    static std::string wholeFile()
    {
        return sectionsHeader(77, 2) + sectionOf(5) + sectionOf(3) + sectionOf(8);
    }
    std::map<std::uint32_t, PartLocation> read(const std::string& bytes) const
    {
        return readSections(m_folder.write("part-x.sections", bytes), 77, 2, m_files);
    }
    /// All that is found is true.
    static bool isSound(const std::map<std::uint32_t, PartLocation>& sections)
    {
        return std::all_of(sections.begin(), sections.end(), [](const auto& section) {
            const PartLocation& place = section.second;
            const auto bytes = readPartSection(place);
            return bytes && *bytes == contentOf(section.first)
                && storedBytesOf(place).readAll() == storedOf(section.first);
        });
    }

private slots:
    void wholeSectionsAreFound()
    {
        const auto sections = read(wholeFile());
        QCOMPARE(sections.size(), std::size_t{3});
        QVERIFY(isSound(sections));
    }
    void othersAreIgnored()
    {
        const std::string path = m_folder.write("other.sections", wholeFile());
        QVERIFY(readSections(path, 78, 2, m_files).empty());
        QVERIFY(readSections(path, 77, 3, m_files).empty());
        QVERIFY(readSections(m_folder.path("missing"), 77, 2, m_files).empty());
        QVERIFY(read("").empty());
        // A section that the task cannot have written, and what follows it.
        QCOMPARE(readSections(path, 77, 2, {5, 8}).size(), std::size_t{1});
    }
    void theLastSectionMayBeCutOff()
    {
        const std::string bytes = wholeFile();
        const std::size_t two = bytes.size() - sectionOf(8).size();
        const std::size_t one = two - sectionOf(3).size();
        for (std::size_t size = 0; size <= bytes.size(); ++size) {
            const auto sections = read(bytes.substr(0, size));
            const std::size_t expected = size == bytes.size() ? 3 : size >= two ? 2 : size >= one ? 1 : 0;
            QCOMPARE(sections.size(), expected);
            QVERIFY(isSound(sections));
        }
    }
    void damageIsFoundWhereverItIs()
    {
        const std::string bytes = wholeFile();
        for (std::size_t at = 0; at < bytes.size(); ++at) {
            for (int bit = 0; bit < 8; ++bit) {
                std::string damaged = bytes;
                damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
                const auto sections = read(damaged);
                QVERIFY(sections.size() < 3);
                QVERIFY(isSound(sections));
            }
        }
    }
    /// What a header claims costs nothing before it is shown to be true.
    void claimsAreNotBelieved()
    {
        const auto claiming = [&](std::uint64_t deflated, std::uint64_t inflated, std::uint64_t stored) {
            PackedSection section = packed(5);
            section.place.packedBytes = deflated;
            section.place.bytes = inflated;
            section.place.storedBytes = stored;
            return read(sectionsHeader(77, 2) + sectionHeader(section) + section.packed).size();
        };
        const PackedSection true5 = packed(5);
        const auto [deflated, inflated, stored]
            = std::tuple(true5.place.packedBytes, true5.place.bytes, true5.place.storedBytes);
        constexpr std::uint64_t most = ~std::uint64_t{0}, many = std::uint64_t{1} << 40;
        QCOMPARE(claiming(deflated, inflated, stored), std::size_t{1});
        QCOMPARE(claiming(most, inflated, stored), std::size_t{0});
        QCOMPARE(claiming(many, inflated, stored), std::size_t{0});
        QCOMPARE(claiming(deflated, most, stored), std::size_t{0});
        QCOMPARE(claiming(deflated, inflated, most), std::size_t{0});
        QCOMPARE(claiming(deflated, inflated, many), std::size_t{0});
    }
    void aPartIsTheSameFromMemoryAndFromFiles()
    {
        std::vector<PackedSection> inMemory, inFile;
        for (const auto& [file, place] : read(wholeFile())) {
            inMemory.push_back(packed(file));
            inFile.push_back({file, {}, place});
        }
        std::reverse(inMemory.begin(), inMemory.end());
        QCOMPARE(partBytes(77, 2, inFile), partBytes(77, 2, inMemory));
        // A section that changed meanwhile ends it.
        inFile.back().place.checksum ^= 1;
        const Status written = writePart(77, {2}, inFile, [](std::string_view) -> Status { return {}; });
        QVERIFY(!written && written.error().kind == Error::Kind::Format);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestSectionFile)
#include "tst_section_file.moc"
