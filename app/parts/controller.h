// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What fills the views of a run window: each controller has one concern, with its jobs and what is pending.

#include <QObject>

#include <memory>
#include <utility>
#include <vector>

namespace collscope {

class ViewState;
struct WindowContext;

/// One concern of a run window. It is told when to compute and when to stop, and says whether it is
/// computing.
class Controller : public QObject
{
    Q_OBJECT

public:
    /// The context outlives the controller.
    explicit Controller(WindowContext& context);

    /// Starts to compute for the run that is open now. Its collectives are not matched yet. Not called for a
    /// preview, because values of a part would be mistaken for values of the run.
    virtual void start() { }
    /// Cancels what is being computed for the run: another run, or a preview of it, is replacing it.
    virtual void cancel() { }
    /// Whether something that it shows is still being computed.
    virtual bool isComputing() const { return false; }

protected:
    WindowContext& context() const { return m_context; }
    ViewState& state() const;

private:
    WindowContext& m_context;
};

/// The controllers of a window. Later ones may refer to earlier ones.
class Controllers
{
public:
    Controllers() = default;
    Controllers(const Controllers&) = delete;
    Controllers& operator=(const Controllers&) = delete;
    ~Controllers(); ///< the last one first

    /// Creates a controller, which is asked and told with the others from then on.
    template<typename One, typename... Arguments>
    One& add(Arguments&&... arguments)
    {
        auto one = std::make_unique<One>(std::forward<Arguments>(arguments)...);
        One& added = *one;
        m_all.push_back(std::move(one));
        return added;
    }
    /// Cancels what any of them computes, then starts all for the run that is open now.
    void restart();
    void cancel();
    bool isComputing() const;

private:
    std::vector<std::unique_ptr<Controller>> m_all;
};

} // namespace collscope
