// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/widgets/fuzzy_match.h"

#include <algorithm>
#include <limits>

namespace collscope {

namespace {

constexpr int letterScore = 1;
constexpr int textStartScore = 12;
constexpr int wordStartScore = 8;
constexpr int neighbourScore = 10; ///< directly after the previous letter
constexpr int gapScore = -3; ///< for letters skipped in between; minus one for each of them
constexpr int mostLeading = 10; ///< letters before the first match that each reduce the score by one
constexpr qsizetype longestMatched = 400; ///< text after this length is ignored
constexpr int impossible = std::numeric_limits<int>::min() / 2;

/// Whether a word starts at `at`. In "rank12 commStream_7": at r, 1, c, S and 7.
bool isWordStart(const QString& text, qsizetype at)
{
    const QChar letter = text[at];
    if (at == 0 || !letter.isLetterOrNumber())
        return at == 0;
    const QChar before = text[at - 1];
    return !before.isLetterOrNumber() || (before.isLower() && letter.isUpper())
        || before.isDigit() != letter.isDigit();
}

int placeScore(const QString& text, qsizetype at)
{
    if (at == 0)
        return letterScore + textStartScore;
    return isWordStart(text, at) ? letterScore + wordStartScore : letterScore;
}

/// Finds the best match of letters in a text: for each letter and position, the score of a match there.
class Table
{
public:
    Table(const QString& letters, const QString& text)
        : m_length(std::min(text.size(), longestMatched))
        , m_scores(static_cast<std::size_t>(letters.size() * m_length), impossible)
    {
        for (qsizetype letter = 0; letter < letters.size(); ++letter) {
            int best = impossible; // best score of the previous letter at any earlier position, including the
                                   // gap penalty
            for (qsizetype at = letter; at < m_length; ++at) {
                if (letter > 0 && at > 0)
                    best = std::max(best - 1, score(letter - 1, at - 1) + gapScore - 1);
                if (text[at].toCaseFolded() == letters[letter])
                    score(letter, at) = placeScore(text, at) + reached(letter, at, best);
            }
        }
    }
    /// Best score of `letter` over all positions.
    int best(qsizetype letter) const { return score(letter, bestPlace(letter, m_length)); }
    /// The best position of a letter before `end`; the first of equally good positions.
    qsizetype bestPlace(qsizetype letter, qsizetype end) const
    {
        qsizetype place = 0;
        for (qsizetype at = 0; at < end; ++at) {
            if (score(letter, at) > score(letter, place))
                place = at;
        }
        return place;
    }
    /// Position of the previous letter in the best match that has this letter at `at`.
    qsizetype placeBefore(qsizetype letter, qsizetype at) const
    {
        qsizetype place = at - 1;
        const auto value = [&](qsizetype before) {
            return score(letter - 1, before)
                + (before == at - 1 ? neighbourScore : gapScore - static_cast<int>(at - before));
        };
        for (qsizetype before = at - 2; before >= 0; --before) {
            if (value(before) > value(place))
                place = before;
        }
        return place;
    }
    qsizetype length() const { return m_length; }

private:
    int& score(qsizetype letter, qsizetype at)
    {
        return m_scores[static_cast<std::size_t>(letter * m_length + at)];
    }
    int score(qsizetype letter, qsizetype at) const
    {
        return m_scores[static_cast<std::size_t>(letter * m_length + at)];
    }
    int reached(qsizetype letter, qsizetype at, int best) const
    {
        if (letter == 0)
            return -static_cast<int>(std::min<qsizetype>(at, mostLeading));
        return std::max(best, score(letter - 1, at - 1) + neighbourScore);
    }

    qsizetype m_length;
    std::vector<int> m_scores; ///< by letter, then position
};

} // namespace

FuzzyPattern::FuzzyPattern(const QString& typed)
{
    for (const QChar letter : typed) {
        if (!letter.isSpace())
            m_letters += letter.toCaseFolded();
    }
}

bool FuzzyPattern::matches(const QString& text) const
{
    qsizetype found = 0;
    const qsizetype end = std::min(text.size(), longestMatched);
    for (qsizetype at = 0; at < end && found < m_letters.size(); ++at)
        found += text[at].toCaseFolded() == m_letters[found] ? 1 : 0;
    return found == m_letters.size();
}

std::optional<int> FuzzyPattern::score(const QString& text) const
{
    if (!matches(text))
        return std::nullopt;
    return isEmpty() ? 0 : Table(m_letters, text).best(m_letters.size() - 1);
}

std::vector<qsizetype> FuzzyPattern::positions(const QString& text) const
{
    if (isEmpty() || !matches(text))
        return {};
    const Table table(m_letters, text);
    std::vector<qsizetype> places(static_cast<std::size_t>(m_letters.size()));
    places.back() = table.bestPlace(m_letters.size() - 1, table.length());
    for (std::size_t i = places.size() - 1; i > 0; --i)
        places[i - 1] = table.placeBefore(static_cast<qsizetype>(i), places[i]);
    return places;
}

} // namespace collscope
