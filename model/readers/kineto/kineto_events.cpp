// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/kineto/kineto_events.h"

#include "model/readers/kineto/kineto_list_parser.h"

#include <utility>

namespace collscope {

KinetoEventParser::KinetoEventParser(TraceFragment& fragment, FragmentBuilder& builder)
    : m_impl(std::make_unique<KinetoListParser>(fragment, builder))
{ }

KinetoEventParser::~KinetoEventParser() = default;

void KinetoEventParser::parse(TextBlock& block)
{
    m_impl->parse(block);
}

void KinetoEventParser::setThorough(std::function<void(std::string_view json)> eventText)
{
    m_impl->setThorough(std::move(eventText));
}

void KinetoEventParser::setMustStop(std::function<bool()> mustStop)
{
    m_impl->setMustStop(std::move(mustStop));
}

bool KinetoEventParser::isStopped() const
{
    return m_impl->isStopped();
}

void KinetoEventParser::beginAmidEvents()
{
    m_impl->beginAmidEvents();
}

void KinetoEventParser::takeFrom(KinetoEventParser& later)
{
    m_impl->takeFrom(*later.m_impl);
}

void KinetoEventParser::finish()
{
    m_impl->finish();
}

const TraceDocument& KinetoEventParser::document() const
{
    return m_impl->document();
}

bool KinetoEventParser::isBetweenEvents() const
{
    return m_impl->isBetweenEvents();
}

bool KinetoEventParser::hasOpenEvent() const
{
    return m_impl->hasOpenEvent();
}

std::int64_t KinetoEventParser::firstStartNs() const
{
    return m_impl->sink().firstStartNs.value_or(0);
}

const RankOfPid& KinetoEventParser::rankOfPid() const
{
    return m_impl->sink().rankOfPid;
}

const ArgsSteps& KinetoEventParser::steps() const
{
    return m_impl->sink().steps;
}

std::optional<std::int32_t> KinetoEventParser::collectiveRank() const
{
    return m_impl->sink().collectiveRank;
}

} // namespace collscope
