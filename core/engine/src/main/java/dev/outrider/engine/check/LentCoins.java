package dev.outrider.engine.check;

import dev.outrider.spi.Coins;
import dev.outrider.spi.StreamRole;
import dev.outrider.spi.Support;

/// A round's coins for a thread that may be left behind: after the call it draws no more, and so never at the same time as the owner.
record LentCoins(Coins coins, Loan loan) implements Coins {
    @Override
    public boolean accept(int node, double numerator, double denominator) {
        return loan.use(() -> coins.accept(node, numerator, denominator));
    }

    @Override
    public int draw(StreamRole role, int node, double[] law) {
        return loan.use(() -> coins.draw(role, node, law));
    }

    @Override
    public int draw(StreamRole role, int node, double[] law, Support support) {
        return loan.use(() -> coins.draw(role, node, law, support));
    }

    @Override
    public int[] race(int position, double[] law, int count) {
        return loan.use(() -> coins.race(position, law, count));
    }

    @Override
    public double uniform(StreamRole role, int node) {
        return loan.use(() -> coins.uniform(role, node));
    }
}
