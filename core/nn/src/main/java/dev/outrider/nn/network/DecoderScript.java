package dev.outrider.nn.network;

import dev.outrider.nn.network.ScriptText.Shared;
import dev.outrider.nn.network.ScriptText.Slot;
import dev.outrider.nn.runtime.PrepackedLinear;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.Optional;
import java.util.stream.IntStream;

/// TorchScript of a decoder, generated from its configuration with all sizes written in as numbers.
///
/// Shapes: n rows of the pass, d hidden size, H query heads, K key-value heads, h head size, G = H/K.
///
/// - Query, key and value projections are one matrix, gate and up another.
/// - Rotation of queries and keys is one operation: `x * cos + roll(x, h/2) * (-sin, sin)`.
/// - The G query heads of a key-value head are folded into rows, `[K, G*n, h]`, so that keys and values are read
///   once and never repeated.
/// - With prepacked weights, residual additions are part of the linear operation.
final class DecoderScript {
    /// What makes the code of layers differ.
    ///
    /// @param inputNorm      whether attention reads a normed stream
    /// @param wide           whether it reads the embedding beside it
    /// @param normedResidual whether the residual begins with the normed stream
    private record Form(boolean inputNorm, boolean wide, boolean normedResidual) {
        static Form of(DecoderConfig config, int layer) {
            return config.fusion()
                    .map(fusion ->
                            new Form(
                                    fusion.inputNorm(layer),
                                    fusion.wide(layer),
                                    fusion.normedResidual() && layer == 0))
                    .orElse(new Form(true, false, false));
        }

        String method() {
            return "layer%s%s%s"
                    .formatted(
                            inputNorm ? "" : "_bare",
                            wide ? "_wide" : "",
                            normedResidual ? "_normed" : "");
        }
    }

    /// Numbers per sequence in the script's list of spans: first row, end row, used cache rows before the pass,
    /// first key of a full layer, first key of a windowed layer.
    static final int SPAN = 5;

    private final DecoderConfig config;
    private final LinearKind kind;
    private final ScriptText text;

    private DecoderScript(DecoderConfig config, LinearKind kind) {
        this.config = config;
        this.kind = kind;
        this.text = new ScriptText(config, kind);
    }

    static String of(DecoderConfig config, LinearKind kind) {
        if (!config.plain()) {
            throw new OutriderException(
                    ErrorCode.CHECKPOINT_UNSUPPORTED,
                    "the tensor engine runs blocks as in Llama, but the model has %s, part %s"
                            .formatted(config.form(), config.part()),
                    "Use the back end 'vector'.");
        }
        var script = new DecoderScript(config, kind);
        script.attend();
        script.attention();
        IntStream.range(0, config.layers())
                .mapToObj(layer -> Form.of(config, layer))
                .distinct()
                .forEach(script::layer);
        script.fusion().ifPresent(FusionScript::methods);
        script.pass();
        script.keep();
        script.lent();
        return script.text.toString();
    }

    /// One sequence's attention: stores its keys and values, returns `[n, H*h]`.
    private void attend() {
        int heads = config.heads();
        int keyHeads = config.keyValueHeads();
        int size = config.headSize();
        int group = heads / keyHeads;
        text.method(
                "attend(self: __torch__.M, q: Tensor, k: Tensor, v: Tensor, cache: Tensor, used:"
                        + " int, first: int, mask: Tensor) -> Tensor",
                "n = torch.size(q, 0)",
                "end = torch.add(used, n)",
                "keys = torch.select(cache, 0, 0)",
                "values = torch.select(cache, 0, 1)",
                "_0 = torch.copy_(torch.slice(keys, 1, used, end), torch.transpose(k, 0, 1))",
                "_1 = torch.copy_(torch.slice(values, 1, used, end), torch.transpose(v, 0, 1))",
                "seen_keys = torch.unsqueeze(torch.slice(keys, 1, first, end), 0)",
                "seen_values = torch.unsqueeze(torch.slice(values, 1, first, end), 0)",
                "folded = torch.reshape(torch.permute(torch.view(q, [n, %d, %d, %d]), [1, 2, 0, 3]), [1, %d, torch.mul(n, %d), %d])"
                        .formatted(keyHeads, group, size, keyHeads, group, size),
                "if torch.eq(torch.numel(mask), 0):",
                "  o = torch.scaled_dot_product_attention(folded, seen_keys, seen_values, None, 0.,"
                        + " False)",
                "else:",
                "  o = torch.scaled_dot_product_attention(folded, seen_keys, seen_values, mask, 0.,"
                        + " False)",
                "return torch.reshape(torch.permute(torch.view(o, [%d, %d, n, %d]), [2, 0, 1, 3]), [n, %d])"
                        .formatted(keyHeads, group, size, heads * size));
    }

    /// All sequences' attention.
    private void attention() {
        text.method(
                "attention(self: __torch__.M, q: Tensor, k: Tensor, v: Tensor, caches:"
                        + " List[Tensor], layer: int, kind: int, spans: List[int], masks: List[Tensor])"
                        + " -> Tensor",
                "if torch.eq(torch.len(caches), 1):",
                "  o = self.attend(q, k, v, torch.select(caches[0], 0, layer), spans[2],"
                        + " spans[torch.add(3, kind)], masks[kind])",
                "else:",
                "  parts = annotate(List[Tensor], [])",
                "  for b in range(torch.len(caches)):",
                "    s = torch.mul(b, %d)".formatted(SPAN),
                "    start = spans[s]",
                "    end = spans[torch.add(s, 1)]",
                "    part = self.attend(torch.slice(q, 0, start, end), torch.slice(k, 0, start,"
                        + " end), torch.slice(v, 0, start, end), torch.select(caches[b], 0, layer),"
                        + " spans[torch.add(s, 2)], spans[torch.add(torch.add(s, 3), kind)],"
                        + " masks[torch.add(torch.mul(b, 2), kind)])",
                "    _0 = torch.append(parts, part)",
                "  o = torch.cat(parts, 0)",
                "return o");
    }

    private void layer(Form form) {
        int heads = config.heads();
        int keyHeads = config.keyValueHeads();
        int size = config.headSize();
        int rotated = heads + keyHeads;
        text.begin(
                form.method()
                        + "(self: __torch__.M, x: Tensor, e: Tensor, w: List[Tensor], caches:"
                        + " List[Tensor], layer: int, kind: int, spans: List[int], masks:"
                        + " List[Tensor], cos: Tensor, sin: Tensor) -> Tensor");
        text.line("n = torch.size(x, 0)");
        if (form.wide()) {
            text.line(
                    "stream = "
                            + text.norm(
                                    "x", config.hiddenSize(), ScriptText.slot(Slot.STREAM_NORM)));
            text.line(
                    "normed = torch.cat([%s, stream], 1)"
                            .formatted(
                                    text.norm(
                                            "e",
                                            config.hiddenSize(),
                                            ScriptText.slot(Slot.INPUT_NORM))));
        } else {
            text.line(
                    "normed = "
                            + (form.inputNorm()
                                    ? text.norm(
                                            "x",
                                            config.hiddenSize(),
                                            ScriptText.slot(Slot.INPUT_NORM))
                                    : "x"));
        }
        text.line("residual = " + (form.normedResidual() ? "stream" : "x"));
        text.line(
                "qkv = "
                        + text.linear(
                                "normed",
                                ScriptText.slot(Slot.QUERY_KEY_VALUE),
                                ScriptText.slot(Slot.QUERY_KEY_VALUE_BIAS),
                                config.queryKeyValueBias()));
        text.line(
                "raw = torch.view(torch.slice(qkv, 1, 0, %d), [n, %d, %d])"
                        .formatted(rotated * size, rotated, size));
        text.line(
                "v = torch.view(torch.slice(qkv, 1, %d, %d), [n, %d, %d])"
                        .formatted(rotated * size, (rotated + keyHeads) * size, keyHeads, size));
        if (config.queryKeyNorm()) {
            text.line(
                    "qk = torch.mul(%s, %s)"
                            .formatted(
                                    text.norm("raw", size, "None"),
                                    ScriptText.slot(Slot.QUERY_KEY_NORM)));
        } else {
            text.line("qk = raw");
        }
        text.line(
                "turned = torch.addcmul(torch.mul(qk, cos), torch.roll(qk, [%d], [2]), sin)"
                        .formatted(size / 2));
        text.line(
                "%s = self.attention(torch.slice(turned, 1, 0, %d), torch.slice(turned, 1, %d, %d), v, caches, layer, kind, spans, masks)"
                        .formatted(gated() ? "ungated" : "o", heads, heads, rotated));
        if (gated()) {
            int first = (rotated + keyHeads) * size;
            text.line(
                    "o = torch.mul(ungated, torch.sigmoid(torch.slice(qkv, 1, %d, %d)))"
                            .formatted(first, first + heads * size));
        }
        text.line(
                "x2 = "
                        + text.linearPlus(
                                "o",
                                "residual",
                                Slot.OUTPUT,
                                Slot.OUTPUT_BIAS,
                                config.outputBias()));
        text.line(
                "normed2 = "
                        + text.norm(
                                "x2",
                                config.hiddenSize(),
                                ScriptText.slot(Slot.FEED_FORWARD_NORM)));
        text.line(
                "gate, up = torch.chunk(%s, 2, 1)"
                        .formatted(
                                text.linear(
                                        "normed2",
                                        ScriptText.slot(Slot.GATE_UP),
                                        ScriptText.slot(Slot.GATE_UP_BIAS),
                                        config.feedForwardBias())));
        text.line("inner = torch.mul(torch.silu(gate), up)");
        text.line(
                "return "
                        + text.linearPlus(
                                "inner",
                                "x2",
                                Slot.DOWN,
                                Slot.DOWN_BIAS,
                                config.feedForwardBias()));
    }

    /// The whole pass. `taps` says after how many layers the residual stream is reported, ascending;
    /// `head_rows` is empty for no logits, or the rows that get them. A draft layer also gets `features`, either
    /// `captured` from the target or recycled from itself.
    private void pass() {
        text.begin(
                "run(self: __torch__.M, tokens: List[int], positions: List[int], layers: List[List[Tensor]], shared: List[Tensor], caches: List[Tensor], spans: List[int], raw_masks: List[Tensor], taps: List[int], tap_norm: bool, head_rows: List[int]%s) -> List[Tensor]"
                        .formatted(
                                config.fusion().isPresent()
                                        ? ", features: Tensor, captured: bool"
                                        : ""));
        text.line("n = torch.len(tokens)");
        text.line("where = torch.tensor(positions)");
        text.line("cos = torch.index_select(shared[3], 0, where)");
        text.line("sin = torch.index_select(shared[4], 0, where)");
        text.line("masks = annotate(List[Tensor], [])");
        text.line("for m in range(torch.len(raw_masks)):");
        text.line(
                "  _0 = torch.append(masks, torch.repeat(torch.to(raw_masks[m], %d), [%d, 1]))"
                        .formatted(text.type(), config.heads() / config.keyValueHeads()));
        text.line("reported = annotate(List[Tensor], [])");
        text.line("e = torch.embedding(shared[0], torch.tensor(tokens))");
        fusion().ifPresentOrElse(FusionScript::input, () -> text.line("x = e"));
        text.line("if torch.__contains__(taps, 0):");
        text.line("  _1 = torch.append(reported, torch.to(x, 6))");
        int layer = 0;
        while (layer < config.layers()) {
            int end = layer + 1;
            boolean windowed = config.window(layer).isPresent();
            var form = Form.of(config, layer);
            while (end < config.layers()
                    && config.window(end).isPresent() == windowed
                    && Form.of(config, end).equals(form)) {
                end++;
            }
            text.line("for i in range(%d):".formatted(end - layer));
            text.line("  l = torch.add(i, %d)".formatted(layer));
            text.line(
                    "  x = self.%s(x, e, layers[l], caches, l, %d, spans, masks, cos, sin)"
                            .formatted(form.method(), windowed ? 1 : 0));
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
        text.line("  _4 = torch.append(reported, torch.to(%s, 6))".formatted(head("last")));
        text.line("return reported");
    }

    private Optional<FusionScript> fusion() {
        return config.fusion().map(each -> new FusionScript(each, config.hiddenSize(), text));
    }

    private boolean gated() {
        return config.fusion().filter(FusionConfig::gatedQueries).isPresent();
    }

    private String finalNorm(String x) {
        return Weight.FINAL_NORM.present(config)
                ? text.norm(x, config.hiddenSize(), ScriptText.shared(Shared.FINAL_NORM))
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
                "return torch.to(%s, 6)".formatted(head("x")));
    }

    private String head(String x) {
        return kind.headPrepacked()
                ? PrepackedLinear.expression(x, "shared[2]", "None")
                : "torch.linear(%s, shared[2])".formatted(x);
    }
}
