package dev.outrider.drafter.medusa;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.training.TrainingConfig;
import dev.outrider.training.TrainingScripts;

/// The TorchScript by which heads of any kind are trained. Head i stands at position t and guesses the token at t + i + 2; the
/// target itself guesses the one at t + 1.
///
/// Inputs: the target's hidden states `[B, W, d]`, tokens `[B, W]`, the target's logits `[B*W, V]` if they are the labels, and
/// which tokens are learned, `[B, W]`. Parameters and constants are those of the heads' own method, `heads`.
public final class HeadProgram {
    /// Begins the method `heads`.
    public static final String BEGIN =
            """
              def heads(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> List[Tensor]:
                out = annotate(List[Tensor], [])
            """;

    /// Ends the method `heads`.
    public static final String END = "    return out\n";

    private final HeadPlan plan;
    private final int vocabulary;

    private HeadProgram(HeadPlan plan, int vocabulary) {
        this.plan = plan;
        this.vocabulary = vocabulary;
    }

    /// The whole program.
    ///
    /// @param decoder the target's architecture
    public static String source(
            HeadPlan plan,
            String heads,
            DecoderConfig decoder,
            TrainingConfig.Precision precision) {
        var program = new HeadProgram(plan, decoder.vocabularySize());
        return TrainingScripts.linear(precision)
                + TrainingScripts.softLoss(plan.divergence())
                + TrainingScripts.learned()
                + heads
                + program.judged()
                + program.measures();
    }

    /// An expression for those of some rows whose token is learned.
    ///
    /// @param rows an expression: a row for each token that a head guesses, `[n, ..]`
    public static String learned(String rows, int head) {
        return "self.learned(%s, %s)".formatted(rows, guessed("x[-1]", head));
    }

    /// A statement that takes a variable through the residual block `x + SiLU(W x + b)`.
    ///
    /// @param parameter index of its weight; the bias comes next
    public static String block(String variable, int parameter) {
        return "    %1$s = torch.add(%1$s, torch.silu(torch.add(self.linear(%1$s, p[%2$d]), p[%3$d])))\n"
                .formatted(variable, parameter, parameter + 1);
    }

    /// A statement that adds the next head's logits to what `heads` returns.
    public static String guess(String logits) {
        return "    _0 = torch.append(out, %s)\n".formatted(logits);
    }

    /// `judged(z, x)`: the loss of logits; `loss`.
    private String judged() {
        var text =
                new StringBuilder(
                        "  def judged(self: __torch__.M, z: List[Tensor], x: List[Tensor]) -> Tensor:\n");
        double total = 0;
        for (int head = 0; head < plan.count(); head++) {
            total += Math.pow(plan.decay(), head);
        }
        for (int head = 0; head < plan.count(); head++) {
            var weighted =
                    "torch.mul(%s, %s)"
                            .formatted(entropy(head), Math.pow(plan.decay(), head) / total);
            text.append(
                    "    sum = %s\n"
                            .formatted(
                                    head == 0
                                            ? weighted
                                            : "torch.add(sum, %s)".formatted(weighted)));
        }
        return text
                + """
                    return sum
                  def loss(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> Tensor:
                    return self.judged(self.heads(p, x, c), x)
                """;
    }

    private String measures() {
        var text =
                new StringBuilder(
                        """
                          def measures(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> List[Tensor]:
                            z = self.heads(p, x, c)
                            out = [self.judged(z, x)]
                        """);
        for (int head = 0; head < plan.count(); head++) {
            text.append(appended("torch.eq(%s, %s)".formatted(best("z[%d]", head), text(head))));
        }
        if (plan.labels() == HeadPlan.Labels.TARGET) {
            for (int head = 0; head < plan.count(); head++) {
                text.append(
                        appended(
                                "torch.eq(%s, torch.argmax(%s, -1, False))"
                                        .formatted(best("z[%d]", head), distribution(head))));
            }
            for (int head = 0; head < plan.count(); head++) {
                text.append(
                        appended(
                                "torch.sum(torch.minimum(torch.softmax(z[%d], -1), torch.softmax(%s, -1)), [-1])"
                                        .formatted(head, distribution(head))));
            }
        }
        return text + END;
    }

    private static String best(String logits, int head) {
        return "torch.argmax(%s, -1, False)".formatted(logits.formatted(head));
    }

    /// A statement that adds the mean of some numbers to the measures.
    private static String appended(String numbers) {
        return "    _0 = torch.append(out, torch.mean(torch.to(%s, 6)))\n".formatted(numbers);
    }

    private String entropy(int head) {
        return switch (plan.labels()) {
            case TEXT -> "torch.cross_entropy_loss(z[%d], %s)".formatted(head, text(head));
            case TARGET -> "self.soft_loss(z[%d], %s)".formatted(head, distribution(head));
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

    /// The columns that a head guesses, of all rows, flat.
    private static String guessed(String columns, int head) {
        return "torch.reshape(torch.slice(%s, 1, %d, torch.size(x[1], 1)), [-1])"
                .formatted(columns, head + 2);
    }
}
