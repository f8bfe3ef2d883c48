// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A page as a reader that forgives nothing finds it.

#include <QFile>
#include <QRegularExpression>
#include <QString>
#include <QStringList>
#include <QXmlStreamReader>

#include <vector>

namespace collscope {

/// The text of every number behind a key of JSON, as it is written.
inline QStringList tokensOf(const QByteArray& json, const QString& key)
{
    QStringList tokens;
    auto matches = QRegularExpression(QStringLiteral("\"%1\": ([^,\\s]+)").arg(key))
                       .globalMatch(QString::fromUtf8(json));
    while (matches.hasNext())
        tokens << matches.next().captured(1);
    return tokens;
}

struct PageElement
{
    QString name;
    QXmlStreamAttributes attributes;
};

/// The elements of a page. The pages are written so that they are well-formed XML, too: a reader that
/// forgives nothing then shows that no name became markup.
struct ReadPage
{
    explicit ReadPage(const QByteArray& html)
    {
        QXmlStreamReader reader(html);
        while (!reader.atEnd()) {
            if (reader.readNext() == QXmlStreamReader::StartElement)
                elements.push_back({reader.name().toString(), reader.attributes()});
            else if (reader.isCharacters())
                text += reader.text();
        }
        error = reader.errorString();
    }
    QStringList valuesOf(const char* attribute) const
    {
        QStringList values;
        for (const PageElement& element : elements) {
            if (element.attributes.hasAttribute(QLatin1String(attribute)))
                values << element.attributes.value(QLatin1String(attribute)).toString();
        }
        return values;
    }

    std::vector<PageElement> elements;
    QString text, error;
};

} // namespace collscope
