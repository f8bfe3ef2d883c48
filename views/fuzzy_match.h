// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A few typed letters -> which texts are meant, and how well. No widget.

#include <QString>

#include <optional>
#include <vector>

namespace collscope {

/// A text matches if it holds all typed letters in their order, whatever lies between them; case and typed
/// spaces do not count. Of the ways to find them the best is taken: at the beginning of the text, at the
/// beginnings of words, next to each other.
class FuzzyPattern
{
public:
    explicit FuzzyPattern(const QString& typed = {});

    bool isEmpty() const { return m_letters.isEmpty(); }
    /// Higher is better; nullopt: no match. O(letters x text) if it matches, O(text) if not.
    std::optional<int> score(const QString& text) const;
    /// Where the letters are found in a text that matches, ascending; else empty.
    std::vector<qsizetype> positions(const QString& text) const;
    /// True if what matches this one matches the other, too.
    bool narrows(const FuzzyPattern& other) const { return m_letters.startsWith(other.m_letters); }

private:
    bool matches(const QString& text) const;

    QString m_letters; ///< folded
};

} // namespace collscope
