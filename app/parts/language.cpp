// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/parts/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QTranslator>

namespace collscope {

namespace {

/// Installs a catalogue and returns its language; "" if it does not exist.
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
    // Digit grouping is applied in one place, where numbers are formatted.
    locale.setNumberOptions(locale.numberOptions() | QLocale::OmitGroupSeparator);
    QLocale::setDefault(locale);
    const QString own = QStringLiteral(":/i18n");
    // English also has plural forms: "1 slice", "2 slices".
    install(QLocale(QLocale::English), QStringLiteral("collscope"), own);
    // Use one language throughout: Qt's dialogs follow the language of the program. It may differ from the
    // locale's language, because a locale lists several preferred languages.
    if (locale.language() == QLocale::English)
        return;
    const QString language = install(locale, QStringLiteral("collscope"), own);
    if (!language.isEmpty() && !language.startsWith(QLatin1String("en")))
        install(QLocale(language), QStringLiteral("qtbase"),
                QLibraryInfo::path(QLibraryInfo::TranslationsPath));
}

} // namespace collscope
