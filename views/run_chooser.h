// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// What a window shows of a folder that holds several runs: the list of them, to open one.

#include <QWidget>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace collscope {

/// One run of the list.
struct RunChoice
{
    QString name, ranks, recorded;
    qint64 recordedNs = 0; ///< to sort by
    quint64 bytes = 0;
    QStringList paths; ///< what to open
};

/// Return or a double click opens a run, Esc leaves the list.
class RunChooser : public QWidget
{
    Q_OBJECT

public:
    explicit RunChooser(QWidget* parent = nullptr);

    void setRuns(const QString& folder, const QList<RunChoice>& runs);
    QString folder() const { return m_folder; }
    QTreeWidget* list() const { return m_list; }

signals:
    void runChosen(const QStringList& paths);
    void comparisonChosen(const QStringList& baseline, const QStringList& test);
    void tableChosen(const QString& folder); ///< all of them, beside each other
    void oneRunChosen(const QString& folder); ///< they are one after all
    void left();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QStringList pathsAt(int row) const;
    QList<int> selectedRows() const;
    void openCurrent();
    void compareSelected();
    void updateButtons();

    QString m_folder;
    QList<RunChoice> m_runs;
    QLabel* m_title;
    QTreeWidget* m_list;
    QPushButton* m_open;
    QPushButton* m_compare;
};

} // namespace collscope
