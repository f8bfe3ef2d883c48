// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Numbers that scatter as the steps of real jobs: neighbours resemble each other, a few are far off.

#include <cmath>
#include <cstdint>
#include <random>

namespace collscope {

/// A series of factors around 1, as the load of a machine would give.
struct SeriesNoise
{
    double spread = 0.015; ///< standard deviation of the logarithm
    double resemblance = 0.3; ///< correlation of neighbours
    double outlierShare = 0.02; ///< of steps that take 1.3 to 3 times as long
    int checkpointEvery = 0; ///< such a step takes three times as long; 0: none
    bool isHeavyTailed = false; ///< Student's t with 3 degrees of freedom in place of the normal
};

class NoisySeries
{
public:
    /// The random numbers of one number are the same on every machine.
    NoisySeries(const SeriesNoise& noise, std::uint64_t number)
        : m_noise(noise)
        , m_random(number * 7919 + 17)
        , m_state(normal())
    { }

    double next()
    {
        const double shock = m_noise.isHeavyTailed ? heavyTailed() : normal();
        const double r = m_noise.resemblance;
        m_state = r * m_state + std::sqrt(1 - r * r) * shock;
        double factor = std::exp(m_noise.spread * m_state);
        if (uniform() < m_noise.outlierShare)
            factor *= 1.3 + 1.7 * uniform();
        if (m_noise.checkpointEvery > 0 && m_step++ % m_noise.checkpointEvery == 7)
            factor *= 3;
        return factor;
    }
    double uniform()
    {
        return static_cast<double>(m_random() >> 11u) / static_cast<double>(std::uint64_t{1} << 53u);
    }
    /// Box and Muller: std::normal_distribution differs between libraries.
    double normal()
    {
        constexpr double fullTurn = 6.283185307179586;
        const double radius = std::sqrt(-2 * std::log(1 - uniform()));
        return radius * std::cos(fullTurn * uniform());
    }

private:
    /// With variance 1.
    double heavyTailed()
    {
        double squares = 0;
        for (int i = 0; i < 3; ++i) {
            const double own = normal();
            squares += own * own;
        }
        return normal() / std::sqrt(squares / 3) / std::sqrt(3.0);
    }

    SeriesNoise m_noise;
    std::mt19937_64 m_random;
    double m_state;
    int m_step = 0;
};

} // namespace collscope
