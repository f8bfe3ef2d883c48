// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QTranslator>

namespace collscope {

namespace {

bool install(const QLocale& locale, const QString& name, const QString& folder)
{
    auto* translator = new QTranslator(qApp);
    const bool isThere = translator->load(locale, name, QStringLiteral("_"), folder);
    if (isThere)
        QCoreApplication::installTranslator(translator);
    else
        delete translator;
    return isThere;
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
    // Half a language is worse than one: Qt's dialogs follow only where the program does.
    if (locale.language() != QLocale::English && install(locale, QStringLiteral("collscope"), own))
        install(locale, QStringLiteral("qtbase"), QLibraryInfo::path(QLibraryInfo::TranslationsPath));
}

} // namespace collscope
