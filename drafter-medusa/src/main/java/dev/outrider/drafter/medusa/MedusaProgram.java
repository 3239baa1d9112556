package dev.outrider.drafter.medusa;

import dev.outrider.training.TrainingConfig;
import dev.outrider.training.TrainingScripts;
import java.util.ArrayList;
import java.util.List;

/// The TorchScript by which heads are trained. Head i reads the target's hidden state of position t and guesses the token
/// at t + i + 2; the target itself guesses the one at t + 1.
///
/// Parameters: per head a weight `[d, d]` and a bias `[d]` per block, then its projection `[V, d]` if it has one of its
/// own. Constants: the target's head `[V, d]` otherwise. Inputs: hidden states `[B, W, d]`, tokens `[B, W]`, and the
/// target's logits `[B*W, V]` if they are the labels.
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
        lines.add("x = torch.slice(h, 1, 0, torch.sub(torch.size(h, 1), %d))".formatted(head + 2));
        for (int layer = 0; layer < plan.layers(); layer++) {
            int weight = first + 2 * layer;
            lines.add(
                    "x = torch.add(x, torch.silu(torch.add(self.linear(x, p[%d]), p[%d])))"
                            .formatted(weight, weight + 1));
        }
        var projection =
                switch (plan.projection()) {
                    case OWN -> "p[%d]".formatted(first + 2 * plan.layers());
                    case TARGET -> "c[0]";
                };
        lines.add(
                "return torch.reshape(self.linear(x, %s), [-1, %d])"
                        .formatted(projection, vocabulary));
        return method(
                "head%d(self: __torch__.M, h: Tensor, p: List[Tensor], c: List[Tensor]) -> Tensor"
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
            lines.add("z%d = self.head%d(x[0], p, c)".formatted(head, head));
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
            lines.add("z%d = self.head%d(x[0], p, c)".formatted(head, head));
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
        return "torch.reshape(torch.slice(x[1], 1, %d, torch.size(x[1], 1)), [-1])"
                .formatted(head + 2);
    }

    /// The target's logits for those tokens, which it gave one position earlier.
    private String distribution(int head) {
        return ("torch.reshape(torch.slice(torch.view(x[2], [torch.size(x[1], 0), torch.size(x[1],"
                        + " 1), %d]), 1, %d, torch.sub(torch.size(x[1], 1), 1)), [-1, %d])")
                .formatted(vocabulary, head + 1, vocabulary);
    }

    private static String method(String signature, List<String> lines) {
        return "  def " + signature + ":\n    " + String.join("\n    ", lines) + "\n";
    }
}
