// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/network/network_view.h"

#include "model/trace_model.h"
#include "views/common/format.h"
#include "views/network/network_canvas.h"
#include "views/widgets/answer_page.h"

#include <QFontDatabase>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QVBoxLayout>

namespace collscope {

NetworkView::NetworkView(ViewState* state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_canvas(new NetworkCanvas(this))
    , m_text(new QPlainTextEdit(this))
{
    setObjectName(QStringLiteral("network"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_text->setObjectName(QStringLiteral("networkText"));
    m_text->setAccessibleName(tr("Troubles, connections and measurements of the network"));
    m_text->setReadOnly(true);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont)); // it has tables
    auto* const parts = new QSplitter(Qt::Horizontal, this);
    parts->addWidget(m_canvas);
    parts->addWidget(m_text);
    parts->setStretchFactor(0, 2);
    parts->setStretchFactor(1, 3);
    parts->setSizes({400, 600});
    m_page = new AnswerPage(parts, this);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_page);
    connect(&state->run(), &RunContext::modelChanged, this, [this] {
        setCase(nullptr);
        emit wantedChanged();
    });
    setCase(nullptr);
}

bool NetworkView::isWanted() const
{
    const TraceModelPtr& model = m_state->run().model();
    return model && model->network;
}

void NetworkView::setCase(const NetworkCasePtr& own)
{
    m_isAnswered = own != nullptr;
    m_canvas->setMatrix(own ? own->matrix : NodeMatrix());
    m_canvas->setVisible(own && !own->matrix.cells.empty());
    m_text->setPlainText(own ? toText(own->text) : QString());
    if (!own)
        return m_page->showEmpty(tr("The logs are being examined."));
    m_page->showAnswer(toText(own->headline), toText(own->trouble));
}

} // namespace collscope
