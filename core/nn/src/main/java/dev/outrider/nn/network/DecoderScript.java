package dev.outrider.nn.network;

import dev.outrider.nn.network.ScriptText.Shared;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// TorchScript of a stack of layers, generated from its configuration with all sizes written in as numbers.
///
/// Shapes: n rows of the pass, d hidden size, H query heads, K key-value heads, h head size, G = H/K.
final class DecoderScript {
    /// Numbers per sequence in the script's list of spans: first row, end row, used cache rows before the pass,
    /// first key of a full layer, first key of a windowed layer.
    static final int SPAN = 5;

    private final DecoderConfig config;
    private final ScriptText text;
    private final PositionScript positions;
    private final LayerScript layers;

    private DecoderScript(DecoderConfig config, LinearKind kind) {
        this.config = config;
        this.text = new ScriptText(config, kind);
        this.positions = new PositionScript(config, text);
        this.layers = new LayerScript(config, positions, text);
    }

    static String of(DecoderConfig config, LinearKind kind) {
        var script = new DecoderScript(config, kind);
        new AttentionScript(config, script.text).methods();
        script.positions.methods();
        IntStream.range(0, config.layers())
                .mapToObj(layer -> LayerScript.Kind.of(config, layer))
                .collect(
                        Collectors.toMap(
                                LayerScript.Kind::method,
                                Function.identity(),
                                (first, _) -> first,
                                LinkedHashMap::new))
                .values()
                .forEach(script.layers::method);
        script.fusion().ifPresent(FusionScript::methods);
        script.pass();
        script.keep();
        script.lent();
        return script.text.toString();
    }

    /// The whole pass. `taps` says after how many layers the residual stream is reported, ascending;
    /// `head_rows` is empty for no logits, or the rows that get them. A draft layer also gets `features`, either
    /// `captured` from the target or recycled from itself; a decoder that attends to sources gets their keys and values.
    private void pass() {
        text.begin(
                "run(self: __torch__.M, tokens: List[int], positions: List[int], layers: List[List[Tensor]], shared: List[Tensor], caches: List[Tensor], spans: List[int], raw_masks: List[Tensor], taps: List[int], tap_norm: bool, head_rows: List[int]%s%s%s) -> List[Tensor]"
                        .formatted(
                                config.crosses() ? ", sources: List[Tensor]" : "",
                                positions.passParameters(),
                                config.fusion().isPresent()
                                        ? ", features: Tensor, captured: bool"
                                        : ""));
        text.line("n = torch.len(tokens)");
        positions.lines();
        text.line("reported = annotate(List[Tensor], [])");
        text.line("e = torch.embedding(shared[0], torch.tensor(tokens))");
        fusion().ifPresentOrElse(FusionScript::input, () -> text.line("x = " + start()));
        text.line("if torch.__contains__(taps, 0):");
        text.line("  _1 = torch.append(reported, torch.to(x, 6))");
        int layer = 0;
        while (layer < config.layers()) {
            int end = layer + 1;
            boolean windowed = config.window(layer).isPresent();
            var kind = LayerScript.Kind.of(config, layer);
            while (end < config.layers()
                    && config.window(end).isPresent() == windowed
                    && LayerScript.Kind.of(config, end).equals(kind)) {
                end++;
            }
            text.line("for i in range(%d):".formatted(end - layer));
            text.line("  l = torch.add(i, %d)".formatted(layer));
            text.line("  x = " + layers.call(kind, windowed));
            text.line("  if torch.__contains__(taps, torch.add(l, 1)):");
            text.line("    _2 = torch.append(reported, torch.to(x, 6))");
            layer = end;
        }
        text.line("if tap_norm:");
        text.line("  _3 = torch.append(reported, torch.to(%s, 6))".formatted(finalNorm("x")));
        text.line("if torch.gt(torch.len(head_rows), 0):");
        text.line("  if torch.eq(torch.len(head_rows), n):");
        text.line("    chosen = x");
        text.line("  else:");
        text.line("    chosen = torch.index_select(x, 0, torch.tensor(head_rows))");
        text.line("  last = " + finalNorm("chosen"));
        text.line("  _4 = torch.append(reported, %s)".formatted(logits()));
        text.line("return reported");
    }

    /// Logits of `last`, in 32-bit floats.
    private String logits() {
        var logits = "torch.to(%s, 6)".formatted(text.head("last"));
        var cap = config.form().scales().logitCap();
        return cap.isEmpty()
                ? logits
                : "torch.mul(torch.tanh(torch.mul(%s, %s)), %s)"
                        .formatted(logits, 1 / cap.getAsDouble(), cap.getAsDouble());
    }

    private Optional<FusionScript> fusion() {
        return config.fusion().map(each -> new FusionScript(each, config.hiddenSize(), text));
    }

    /// The input of the first layer.
    private String start() {
        var placed = positions.placed();
        return config.form().norms().embedding()
                ? text.norm(placed, Shared.START_NORM, Shared.START_NORM_BIAS)
                : placed;
    }

    private String finalNorm(String x) {
        return Weight.FINAL_NORM.present(config)
                ? text.norm(x, Shared.FINAL_NORM, Shared.FINAL_NORM_BIAS)
                : x;
    }

    /// Moves kept rows of a cache `[layers, 2, K, capacity, h]` behind the committed ones.
    private void keep() {
        text.method(
                "keep(self: __torch__.M, cache: Tensor, rows: List[int], to: int) -> int",
                "moved = torch.index_select(cache, 3, torch.tensor(rows))",
                "_0 = torch.copy_(torch.slice(cache, 3, to, torch.add(to, torch.len(rows))),"
                        + " moved)",
                "return torch.len(rows)");
    }

    /// What drafters borrow: embedding and head, with 32-bit floats outside.
    private void lent() {
        text.method(
                "embed(self: __torch__.M, tokens: List[int], shared: List[Tensor]) -> Tensor",
                "return torch.to(torch.embedding(shared[0], torch.tensor(tokens)), 6)");
        text.method(
                "head(self: __torch__.M, hidden: Tensor, shared: List[Tensor]) -> Tensor",
                "x = torch.to(hidden, %d)".formatted(text.type()),
                "return torch.to(%s, 6)".formatted(text.head("x")));
    }
}
