// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/common/name_filter.h"

#include <QCoreApplication>

namespace collscope {

NameFilter::NameFilter(const QString& text)
{
    const QString wanted = text.trimmed();
    if (wanted.isEmpty())
        return;
    QString pattern;
    const bool isPattern = wanted.size() > 2 && wanted.startsWith(u'/') && wanted.endsWith(u'/');
    if (isPattern) {
        pattern = wanted.mid(1, wanted.size() - 2);
    } else {
        pattern = QRegularExpression::escape(wanted);
        if (wanted.front().isDigit())
            pattern.prepend(QStringLiteral("(?<!\\d)"));
        if (wanted.back().isDigit())
            pattern.append(QStringLiteral("(?!\\d)"));
    }
    m_pattern = QRegularExpression(
        pattern, QRegularExpression::CaseInsensitiveOption | QRegularExpression::UseUnicodePropertiesOption);
}

Status NameFilter::check() const
{
    if (m_pattern.isValid())
        return {};
    const QString message
        = QCoreApplication::translate("NameFilter", "Not a regular expression: %1 at character %2")
              .arg(m_pattern.errorString())
              .arg(m_pattern.patternErrorOffset() + 1);
    return Error{Error::Kind::Usage, message.toStdString()};
}

bool NameFilter::matches(const QString& name) const
{
    return isEmpty() || !m_pattern.isValid() || m_pattern.match(name).hasMatch();
}

} // namespace collscope
