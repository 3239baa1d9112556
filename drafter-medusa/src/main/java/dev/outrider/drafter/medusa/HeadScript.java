package dev.outrider.drafter.medusa;

import dev.outrider.nn.runtime.ElementType;
import dev.outrider.nn.runtime.PrepackedLinear;
import java.util.ArrayList;
import java.util.List;

/// TorchScript of the heads, generated with all sizes written in as numbers: M heads, d hidden size.
///
/// A block is `x + SiLU(W x + b)`. The first blocks read the same input, so they are one product with a matrix `[M*d, d]`;
/// where one projection serves all heads, it is one product with M rows, whose weights are read once.
///
/// @see "Cai et al. 2024 (Medusa), section 3.1"
final class HeadScript {
    private final HeadWeights source;
    private final int count;
    private final ElementType type;
    private final boolean prepacked;

    private HeadScript(HeadWeights source, int count, ElementType type, boolean prepacked) {
        this.source = source;
        this.count = count;
        this.type = type;
        this.prepacked = prepacked;
    }

    static String of(HeadWeights source, int count, ElementType type, boolean prepacked) {
        var script = new HeadScript(source, count, type, prepacked);
        return script.blocks()
                + """
                  def features(self: __torch__.M, h: Tensor, w: List[Tensor]) -> Tensor:
                    return torch.to(self.blocks(h, w), 6)
                  def best(self: __torch__.M, z: Tensor, k: int, normalised: bool) -> List[Tensor]:
                    values, ids = torch.topk(z, k, -1, True, True)
                    if normalised:
                      scores = torch.sub(values, torch.logsumexp(z, [-1], True))
                    else:
                      scores = values
                    return [scores, ids]
                """
                + script.guess();
    }

    /// From the hidden state `[1, d]` to the heads' outputs `[M, d]`.
    private String blocks() {
        int size = source.hiddenSize();
        var lines = new ArrayList<String>();
        lines.add("x = torch.to(h, %d)".formatted(type.torchCode()));
        lines.add(
                "y = torch.view(%s, [%d, %d])"
                        .formatted(linear("x", 0, source.biased()), count, size));
        lines.add("f = torch.add(x, torch.silu(y))");
        if (source.layers() > 1) {
            lines.add("parts = annotate(List[Tensor], [])");
            for (int head = 0; head < count; head++) {
                lines.add("f%d = torch.slice(f, 0, %d, %d)".formatted(head, head, head + 1));
                for (int layer = 1; layer < source.layers(); layer++) {
                    int at = 2 + 2 * (head * (source.layers() - 1) + layer - 1);
                    lines.add(
                            "f%d = torch.add(f%d, torch.silu(%s))"
                                    .formatted(
                                            head, head, linear("f" + head, at, source.biased())));
                }
                lines.add("_%d = torch.append(parts, f%d)".formatted(head, head));
            }
            lines.add("f = torch.cat(parts, 0)");
        }
        lines.add("return f");
        return method("blocks(self: __torch__.M, h: Tensor, w: List[Tensor]) -> Tensor", lines);
    }

    private String guess() {
        int first = 2 + 2 * count * (source.layers() - 1);
        var lines = new ArrayList<String>();
        lines.add("f = self.blocks(h, w)");
        switch (source.projection()) {
            case PER_HEAD -> {
                lines.add("parts = annotate(List[Tensor], [])");
                for (int head = 0; head < count; head++) {
                    lines.add(
                            "_%d = torch.append(parts, %s)"
                                    .formatted(
                                            head,
                                            linear(
                                                    "torch.slice(f, 0, %d, %d)"
                                                            .formatted(head, head + 1),
                                                    first + head)));
                }
                lines.add("z = torch.cat(parts, 0)");
            }
            case ONE -> lines.add("z = " + linear("f", first));
            case TARGET -> {
                return "";
            }
        }
        lines.add("return self.best(torch.to(z, 6), k, normalised)");
        return method(
                "guess(self: __torch__.M, h: Tensor, w: List[Tensor], k: int, normalised: bool) ->"
                        + " List[Tensor]",
                lines);
    }

    /// With the bias that stands after the weight, if there is one.
    private String linear(String x, int weight, boolean biased) {
        return product(x, weight, biased ? "w[%d]".formatted(weight + 1) : "None");
    }

    private String linear(String x, int weight) {
        return product(x, weight, "None");
    }

    private String product(String x, int weight, String bias) {
        return prepacked
                ? PrepackedLinear.expression(x, "w[%d]".formatted(weight), bias)
                : "torch.linear(%s, w[%d], %s)".formatted(x, weight, bias);
    }

    private static String method(String signature, List<String> lines) {
        return "  def " + signature + ":\n    " + String.join("\n    ", lines) + "\n";
    }
}
