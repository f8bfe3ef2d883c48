// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Fuzzy matching of typed letters against texts, with a score. Independent of any widget.

#include <QString>

#include <optional>
#include <vector>

namespace collscope {

/// A text matches if it contains all typed letters in order, with anything in between; case and typed spaces
/// are ignored. The best of the possible matches counts: at the start of the text, at the starts of words,
/// adjacent letters.
class FuzzyPattern
{
public:
    explicit FuzzyPattern(const QString& typed = {});

    bool isEmpty() const { return m_letters.isEmpty(); }
    /// Score of a match, higher is better; nullopt: no match. O(letters x text), without a match O(text).
    std::optional<int> score(const QString& text) const;
    /// Positions of the letters in a matching text, ascending; otherwise empty.
    std::vector<qsizetype> positions(const QString& text) const;
    /// Whether every text that matches this pattern also matches `other`.
    bool narrows(const FuzzyPattern& other) const { return m_letters.startsWith(other.m_letters); }

private:
    bool matches(const QString& text) const;

    QString m_letters; ///< case-folded
};

} // namespace collscope
