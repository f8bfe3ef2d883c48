// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QTranslator>

namespace collscope {

namespace {

/// The language of the catalogue that is used from now on; "" if there is none.
QString install(const QLocale& locale, const QString& name, const QString& folder)
{
    auto* translator = new QTranslator(qApp);
    if (!translator->load(locale, name, QStringLiteral("_"), folder)) {
        delete translator;
        return {};
    }
    QCoreApplication::installTranslator(translator);
    return translator->language();
}

} // namespace

void useLanguage(QLocale locale)
{
    // Thousands are set apart where numbers are formatted, in one way.
    locale.setNumberOptions(locale.numberOptions() | QLocale::OmitGroupSeparator);
    QLocale::setDefault(locale);
    const QString own = QStringLiteral(":/i18n");
    // English has plurals of its own: "1 slice", "2 slices".
    install(QLocale(QLocale::English), QStringLiteral("collscope"), own);
    // Half a language is worse than one: Qt's dialogs speak what the program does. That may be another one
    // than the locale's, which lists those that a person prefers.
    if (locale.language() == QLocale::English)
        return;
    const QString language = install(locale, QStringLiteral("collscope"), own);
    if (!language.isEmpty() && !language.startsWith(QLatin1String("en")))
        install(QLocale(language), QStringLiteral("qtbase"),
                QLibraryInfo::path(QLibraryInfo::TranslationsPath));
}

} // namespace collscope
