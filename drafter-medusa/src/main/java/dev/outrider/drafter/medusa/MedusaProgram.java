package dev.outrider.drafter.medusa;

/// The TorchScript of Medusa's heads. Parameters: per head a weight `[d, d]` and a bias `[d]` per block, then its projection
/// `[V, d]` if it has one of its own. Constants: the target's head `[V, d]` otherwise. Inputs as [HeadProgram] has them.
final class MedusaProgram {
    private MedusaProgram() {}

    /// The method `heads`.
    static String heads(HeadPlan plan) {
        var text = new StringBuilder(HeadProgram.BEGIN);
        for (int head = 0; head < plan.count(); head++) {
            int first = head * perHead(plan);
            text.append(
                    """
                        s = torch.slice(x[0], 1, 0, torch.sub(torch.size(x[0], 1), %d))
                        y = %s
                    """
                            .formatted(
                                    head + 2,
                                    HeadProgram.learned(
                                            "torch.reshape(s, [-1, torch.size(s, 2)])", head)));
            for (int layer = 0; layer < plan.layers(); layer++) {
                text.append(HeadProgram.block("y", first + 2 * layer));
            }
            var projection =
                    switch (plan.projection()) {
                        case OWN -> "p[%d]".formatted(first + 2 * plan.layers());
                        case TARGET -> "c[0]";
                    };
            text.append(HeadProgram.guess("self.linear(y, %s)".formatted(projection)));
        }
        return text + HeadProgram.END;
    }

    /// Parameters of one head.
    static int perHead(HeadPlan plan) {
        return 2 * plan.layers() + (plan.projection() == HeadPlan.Projection.OWN ? 1 : 0);
    }
}
