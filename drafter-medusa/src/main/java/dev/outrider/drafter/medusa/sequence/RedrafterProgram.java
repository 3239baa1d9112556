package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafter.medusa.HeadPlan;
import dev.outrider.drafter.medusa.HeadProgram;

/// The TorchScript of a recurrent head. Its guess i reads the hidden state of position t and the state after tokens t + 1 to
/// t + i + 1; the weights are the same for all guesses.
///
/// Parameters: a weight `[x, 2 d]` and a bias `[x]` of the input where x, what the blocks read, is not 2 d; a weight `[x, x]` and a
/// bias `[x]` per block; a projection `[V, x]` of its own; U `[d, d]`, b `[d]` and W `[d, d]` of the recurrence. Constants:
/// embeddings `[V, d]`, then the target's head `[V, d]` if there is no projection. Inputs as [HeadProgram] has them.
///
/// @param hidden d
record RedrafterProgram(HeadPlan plan, RecurrencePlan recurrence, int hidden) {
    /// Index of the first block's weight.
    int firstBlock() {
        return recurrence.exit(hidden) == 2 * hidden ? 0 : 2;
    }

    /// Index of the projection.
    int projection() {
        return firstBlock() + 2 * plan.layers();
    }

    /// Index of U.
    int state() {
        return projection() + (plan.projection() == HeadPlan.Projection.OWN ? 1 : 0);
    }

    /// The method `heads`.
    String heads() {
        var text = new StringBuilder(HeadProgram.BEGIN);
        text.append("    e = torch.embedding(c[0], x[1])\n");
        if (recurrence.rnn()) {
            text.append("    e = self.linear(e, p[%d])\n".formatted(state() + 2));
        }
        for (int guess = 0; guess < plan.count(); guess++) {
            text.append(guess(guess));
        }
        return text + HeadProgram.END;
    }

    private String guess(int guess) {
        var text = new StringBuilder();
        text.append(
                """
                    n = torch.sub(torch.size(x[1], 1), %d)
                    t = torch.slice(e, 1, %d, torch.add(n, %d))
                """
                        .formatted(guess + 2, guess + 1, guess + 1));
        text.append(recurrence.rnn() ? recurrent(guess) : summed(guess));
        text.append(
                """
                    r = torch.cat([torch.slice(x[0], 1, 0, n), s], 2)
                    y = %s
                """
                        .formatted(
                                HeadProgram.learned(
                                        "torch.reshape(r, [-1, torch.size(r, 2)])", guess)));
        if (firstBlock() > 0) {
            text.append("    y = torch.add(self.linear(y, p[0]), p[1])\n");
        }
        for (int layer = 0; layer < plan.layers(); layer++) {
            text.append(HeadProgram.block("y", firstBlock() + 2 * layer));
        }
        var matrix =
                switch (plan.projection()) {
                    case OWN -> "p[%d]".formatted(projection());
                    case TARGET -> "c[1]";
                };
        return text + HeadProgram.guess("self.linear(y, %s)".formatted(matrix));
    }

    private String recurrent(int guess) {
        var before =
                guess == 0
                        ? "t"
                        : "torch.add(t, self.linear(torch.slice(s, 1, 0, n), p[%d]))"
                                .formatted(state());
        return "    s = torch.silu(torch.add(%s, p[%d]))\n".formatted(before, state() + 1);
    }

    private static String summed(int guess) {
        return guess == 0 ? "    s = t\n" : "    s = torch.add(t, torch.slice(s, 1, 0, n))\n";
    }
}
