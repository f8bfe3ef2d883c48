// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/widgets/quick_pick.h"

#include "views/common/theme.h"

#include <QApplication>
#include <QFocusEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace collscope {

namespace {

constexpr int widest = 680;
constexpr int distanceFromTop = 56;
constexpr int shadow = 8; ///< px around the frame
constexpr int popupPadding = 8; ///< px within it
constexpr int mostRows = 12;

} // namespace

QuickPick::QuickPick(QWidget* window)
    : QFrame(window)
    , m_model(new QuickPickModel(this))
    , m_line(new QLineEdit(this))
    , m_list(new QListView(this))
    , m_nothing(new QLabel(this))
{
    setObjectName(QStringLiteral("quickPick"));
    m_line->setObjectName(QStringLiteral("quickPickLine"));
    m_list->setObjectName(QStringLiteral("quickPickList"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new QuickPickDelegate(m_model, m_list));
    m_list->setUniformItemSizes(true);
    m_list->setFocusPolicy(Qt::NoFocus); // the line edit keeps the focus, so that typing always works
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setMouseTracking(true);
    m_list->setAccessibleName(tr("Matches"));
    m_nothing->setForegroundRole(QPalette::PlaceholderText);
    m_nothing->setTextFormat(Qt::PlainText);
    m_nothing->setContentsMargins(6, 4, 6, 4);
    auto* layout = new QVBoxLayout(this);
    constexpr int edge = shadow + popupPadding;
    layout->setContentsMargins(edge, edge, edge, edge);
    layout->setSpacing(popupPadding);
    layout->addWidget(m_line);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_nothing);
    connect(m_line, &QLineEdit::textChanged, this, &QuickPick::search);
    connect(m_list, &QListView::clicked, this, &QuickPick::pick);
    hide();
}

QuickPick::~QuickPick() = default;

void QuickPick::open(std::vector<QuickPickItem> items, const QString& placeholder, Picked picked)
{
    if (!isOpen()) {
        m_focusBefore = QApplication::focusWidget();
        qApp->installEventFilter(
            this); // for keys in the line edit, clicks elsewhere and resizing of the window
    }
    m_picked = std::move(picked);
    m_model->setItems(std::move(items));
    m_line->setPlaceholderText(placeholder);
    m_line->setAccessibleName(placeholder);
    {
        const QSignalBlocker quiet(m_line);
        m_line->clear();
    }
    search({});
    raise();
    show();
    m_line->setFocus(Qt::PopupFocusReason);
}

void QuickPick::dismiss()
{
    if (!isOpen())
        return;
    qApp->removeEventFilter(this);
    m_picked = nullptr;
    const bool hadFocus = m_line->hasFocus();
    hide();
    if (hadFocus && m_focusBefore)
        m_focusBefore->setFocus(Qt::PopupFocusReason);
}

void QuickPick::search(const QString& typed)
{
    m_model->setPattern(FuzzyPattern(typed));
    const bool hasAny = m_model->rowCount() > 0;
    m_nothing->setText(typed.isEmpty() ? tr("There is nothing to choose from.")
                                       : tr("Nothing matches \u201c%1\u201d.").arg(typed));
    m_nothing->setVisible(!hasAny);
    m_list->setVisible(hasAny);
    moveTo(0);
    place();
}

void QuickPick::moveTo(int row)
{
    const QModelIndex index = m_model->index(std::clamp(row, 0, std::max(0, m_model->rowCount() - 1)), 0);
    m_list->setCurrentIndex(index);
    m_list->scrollTo(index);
}

void QuickPick::pick(const QModelIndex& index)
{
    if (!index.isValid() || !m_model->itemAt(index.row()).isEnabled)
        return;
    const QString id = m_model->itemAt(index.row()).id;
    const Picked picked = m_picked;
    dismiss();
    if (picked)
        picked(id);
}

bool QuickPick::handleKey(int key)
{
    const int row = m_list->currentIndex().row();
    const int page = std::max(1, std::min(mostRows, m_model->rowCount()) - 1);
    switch (key) {
    case Qt::Key_Escape:
        dismiss();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        pick(m_list->currentIndex());
        return true;
    case Qt::Key_Up:
        moveTo(row - 1);
        return true;
    case Qt::Key_Down:
        moveTo(row + 1);
        return true;
    case Qt::Key_PageUp:
        moveTo(row - page);
        return true;
    case Qt::Key_PageDown:
        moveTo(row + page);
        return true;
    case Qt::Key_Home:
        moveTo(0);
        return true;
    case Qt::Key_End:
        moveTo(m_model->rowCount() - 1);
        return true;
    default:
        return false;
    }
}

bool QuickPick::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_line && event->type() == QEvent::KeyPress)
        return handleKey(static_cast<QKeyEvent*>(event)->key());
    if (watched == m_line && event->type() == QEvent::FocusOut
        && static_cast<QFocusEvent*>(event)->reason() != Qt::PopupFocusReason) // except for its context menu
        dismiss();
    if (watched == parentWidget() && event->type() == QEvent::Resize)
        place();
    if (event->type() == QEvent::MouseButtonPress) {
        const auto* widget = qobject_cast<QWidget*>(watched);
        const bool isInside = !widget || widget == this || isAncestorOf(widget);
        if (!isInside && !QApplication::activePopupWidget())
            dismiss();
    }
    return false;
}

void QuickPick::place()
{
    const QWidget& window = *parentWidget();
    const int width = std::min(widest, window.width() - 40) + 2 * shadow;
    const int rows = std::min(mostRows, m_model->rowCount());
    const int rowHeight = m_model->rowCount() > 0 ? m_list->sizeHintForRow(0) : 0;
    const int content
        = rows > 0 ? rows * rowHeight + 2 * m_list->frameWidth() : m_nothing->sizeHint().height();
    const int height = m_line->sizeHint().height() + popupPadding + content + 2 * (shadow + popupPadding);
    setGeometry((window.width() - width) / 2, distanceFromTop - shadow, width,
                std::min(height, window.height() - distanceFromTop));
}

void QuickPick::paintEvent(QPaintEvent*)
{
    const Surfaces colors = surfaces(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    for (int ring = 0; ring < shadow; ++ring) {
        painter.setBrush(QColor(0, 0, 0, isDark(palette()) ? 14 : 6));
        painter.drawRoundedRect(QRectF(rect()).adjusted(ring, ring, -ring, -ring), 6 + shadow - ring,
                                6 + shadow - ring);
    }
    painter.setPen(colors.line);
    painter.setBrush(colors.base);
    painter.drawRoundedRect(QRectF(rect()).adjusted(shadow - 0.5, shadow - 0.5, -shadow + 0.5, -shadow + 0.5),
                            6, 6);
}

} // namespace collscope
