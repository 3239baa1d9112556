package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafter.medusa.HeadPlan;
import dev.outrider.drafter.medusa.HeadProgram;

/// The TorchScript of Hydra's heads. Head i reads the hidden state of position t and the embeddings of tokens t + 1 to t + i + 1.
///
/// Parameters: per head a weight `[d, (i + 2) d]` and a bias `[d]` of the first block, the same of the matrix beside it, a weight
/// `[d, d]` and a bias of each further block, then a projection `[V, d]` and its bias `[V]` if it has one of its own. Constants:
/// embeddings `[V, d]`, then the target's head `[V, d]` otherwise. Inputs as [HeadProgram] has them.
final class HydraProgram {
    private HydraProgram() {}

    /// The method `heads`.
    static String heads(HeadPlan plan) {
        var text = new StringBuilder(HeadProgram.BEGIN);
        text.append("    e = torch.embedding(c[0], x[1])\n");
        for (int head = 0; head < plan.count(); head++) {
            int first = head * perHead(plan);
            text.append(
                    """
                        n = torch.sub(torch.size(x[1], 1), %d)
                        s = torch.cat([%s], 2)
                        s = %s
                        y = torch.add(torch.add(self.linear(s, p[%d]), p[%d]), torch.silu(torch.add(self.linear(s, p[%d]), p[%d])))
                    """
                            .formatted(
                                    head + 2,
                                    read(head),
                                    HeadProgram.learned(
                                            "torch.reshape(s, [-1, torch.size(s, 2)])", head),
                                    first + 2,
                                    first + 3,
                                    first,
                                    first + 1));
            for (int layer = 1; layer < plan.layers(); layer++) {
                text.append(HeadProgram.block("y", first + 2 + 2 * layer));
            }
            int projection = first + 2 + 2 * plan.layers();
            text.append(
                    HeadProgram.guess(
                            switch (plan.projection()) {
                                case OWN ->
                                        "torch.add(self.linear(y, p[%d]), p[%d])"
                                                .formatted(projection, projection + 1);
                                case TARGET -> "self.linear(y, c[1])";
                            }));
        }
        return text + HeadProgram.END;
    }

    /// Parameters of one head.
    static int perHead(HeadPlan plan) {
        return 2 + 2 * plan.layers() + (plan.projection() == HeadPlan.Projection.OWN ? 2 : 0);
    }

    /// What a head reads, as a list: hidden states, then embeddings from one place to `head + 1` places later.
    private static String read(int head) {
        var parts = new StringBuilder("torch.slice(x[0], 1, 0, n)");
        for (int later = 1; later <= head + 1; later++) {
            parts.append(", torch.slice(e, 1, %d, torch.add(n, %d))".formatted(later, later));
        }
        return parts.toString();
    }
}
