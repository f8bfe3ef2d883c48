// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/jobs/failed_work.h"

#include "app/files/batch_io.h"

#include <QApplication>
#include <QMessageBox>

#include <new>

namespace collscope {

namespace {

struct FailedWorkText
{
    Q_DECLARE_TR_FUNCTIONS(FailedWork)
};

bool workFailed = false; // for the whole application

} // namespace

QString failureText(const std::exception& error)
{
    if (dynamic_cast<const std::bad_alloc*>(&error))
        return FailedWorkText::tr("Not enough memory for this run: open fewer ranks (collscope --max-ranks) "
                                  "or reduce it (collscope --batch plan).");
    return FailedWorkText::tr("The computation failed: %1").arg(QString::fromLocal8Bit(error.what()));
}

void reportFailedWork(const QString& sentence)
{
    workFailed = true;
    say(sentence.toStdString());
    QWidget* const window = QApplication::activeWindow();
    if (!window)
        return;
    auto* box = new QMessageBox(QMessageBox::Warning, QStringLiteral("Collscope"), sentence,
                                QMessageBox::Close, window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setModal(false);
    box->show();
}

bool hasWorkFailed()
{
    return workFailed;
}

} // namespace collscope
