package dev.outrider.drafter.medusa;

import dev.outrider.training.TrainingConfig;
import dev.outrider.training.TrainingScripts;
import java.util.ArrayList;
import java.util.List;

/// The TorchScript by which heads are trained. Head i reads the target's hidden state of position t and guesses the token
/// at t + i + 2; the target itself guesses the one at t + 1.
///
/// Parameters: per head a weight `[d, d]` and a bias `[d]` per block, then its projection `[V, d]` if it has one of its
/// own. Constants: the target's head `[V, d]` otherwise. Inputs: hidden states `[B, W, d]`, tokens `[B, W]`, the
/// target's logits `[B*W, V]` if they are the labels, and which tokens are learned, `[B, W]`.
final class MedusaProgram {
    private final HeadPlan plan;
    private final int vocabulary;

    private MedusaProgram(HeadPlan plan, int vocabulary) {
        this.plan = plan;
        this.vocabulary = vocabulary;
    }

    static String source(HeadPlan plan, int vocabulary, TrainingConfig.Precision precision) {
        var program = new MedusaProgram(plan, vocabulary);
        var source = new StringBuilder(TrainingScripts.linear(precision));
        source.append(TrainingScripts.softLoss(plan.divergence()));
        source.append(TrainingScripts.learned());
        for (int head = 0; head < plan.count(); head++) {
            source.append(program.head(head));
        }
        return source + program.loss() + program.measures();
    }

    /// Parameters of one head.
    static int perHead(HeadPlan plan) {
        return 2 * plan.layers() + (plan.projection() == HeadPlan.Projection.OWN ? 1 : 0);
    }

    private String head(int head) {
        int first = head * perHead(plan);
        var lines = new ArrayList<String>();
        lines.add(
                "s = torch.slice(x[0], 1, 0, torch.sub(torch.size(x[0], 1), %d))"
                        .formatted(head + 2));
        lines.add("y = " + learned("torch.reshape(s, [-1, torch.size(s, 2)])", head));
        for (int layer = 0; layer < plan.layers(); layer++) {
            int weight = first + 2 * layer;
            lines.add(
                    "y = torch.add(y, torch.silu(torch.add(self.linear(y, p[%d]), p[%d])))"
                            .formatted(weight, weight + 1));
        }
        var projection =
                switch (plan.projection()) {
                    case OWN -> "p[%d]".formatted(first + 2 * plan.layers());
                    case TARGET -> "c[0]";
                };
        lines.add("return self.linear(y, %s)".formatted(projection));
        return method(
                "head%d(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> Tensor"
                        .formatted(head),
                lines);
    }

    private String loss() {
        var lines = new ArrayList<String>();
        var sum = "";
        double total = 0;
        for (int head = 0; head < plan.count(); head++) {
            total += Math.pow(plan.decay(), head);
        }
        for (int head = 0; head < plan.count(); head++) {
            lines.add("z%d = self.head%d(p, x, c)".formatted(head, head));
            lines.add("l%d = %s".formatted(head, entropy(head)));
            var weighted =
                    "torch.mul(l%d, %s)".formatted(head, Math.pow(plan.decay(), head) / total);
            sum = head == 0 ? weighted : "torch.add(%s, %s)".formatted(sum, weighted);
        }
        lines.add("return " + sum);
        return method(
                "loss(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) ->"
                        + " Tensor",
                lines);
    }

    private String measures() {
        var lines = new ArrayList<String>();
        lines.add("out = [self.loss(p, x, c)]");
        for (int head = 0; head < plan.count(); head++) {
            lines.add("z%d = self.head%d(p, x, c)".formatted(head, head));
            lines.add(
                    "_%d = torch.append(out, torch.mean(torch.to(torch.eq(torch.argmax(z%d, -1, False), %s), 6)))"
                            .formatted(head, head, text(head)));
        }
        lines.add("return out");
        return method(
                "measures(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) ->"
                        + " List[Tensor]",
                lines);
    }

    private String entropy(int head) {
        return switch (plan.labels()) {
            case TEXT -> "torch.cross_entropy_loss(z%d, %s)".formatted(head, text(head));
            case TARGET -> "self.soft_loss(z%d, %s)".formatted(head, distribution(head));
        };
    }

    /// The tokens that a head should have guessed, flat.
    private static String text(int head) {
        return learned(guessed("x[1]", head), head);
    }

    /// The target's logits for those tokens, which it gave one position earlier.
    private String distribution(int head) {
        return learned(
                ("torch.reshape(torch.slice(torch.view(x[2], [torch.size(x[1], 0), torch.size(x[1],"
                                + " 1), %d]), 1, %d, torch.sub(torch.size(x[1], 1), 1)), [-1, %d])")
                        .formatted(vocabulary, head + 1, vocabulary),
                head);
    }

    /// Of a row for each token that a head guesses, those whose token is learned.
    private static String learned(String rows, int head) {
        return "self.learned(%s, %s)".formatted(rows, guessed("x[-1]", head));
    }

    /// The columns that a head guesses, of all rows, flat.
    private static String guessed(String columns, int head) {
        return "torch.reshape(torch.slice(%s, 1, %d, torch.size(x[1], 1)), [-1])"
                .formatted(columns, head + 2);
    }

    private static String method(String signature, List<String> lines) {
        return "  def " + signature + ":\n    " + String.join("\n    ", lines) + "\n";
    }
}
