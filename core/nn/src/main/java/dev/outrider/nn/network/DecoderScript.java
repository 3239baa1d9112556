package dev.outrider.nn.network;

import dev.outrider.nn.runtime.PrepackedLinear;

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
    /// Weights of a layer in the order of the script's list; matrices may be prepacked.
    enum Slot {
        INPUT_NORM,
        QUERY_KEY_VALUE,
        OUTPUT,
        FEED_FORWARD_NORM,
        GATE_UP,
        DOWN,
        QUERY_KEY_VALUE_BIAS,
        OUTPUT_BIAS,
        GATE_UP_BIAS,
        DOWN_BIAS,
        QUERY_KEY_NORM
    }

    /// Numbers per sequence in the script's list of spans: first row, end row, used cache rows before the pass,
    /// first key of a full layer, first key of a windowed layer.
    static final int SPAN = 5;

    private final DecoderConfig config;
    private final LinearKind kind;
    private final StringBuilder source = new StringBuilder();

    private DecoderScript(DecoderConfig config, LinearKind kind) {
        this.config = config;
        this.kind = kind;
    }

    static String of(DecoderConfig config, LinearKind kind) {
        var script = new DecoderScript(config, kind);
        script.attend();
        script.attention();
        script.layer();
        script.pass();
        script.keep();
        script.shared();
        return script.source.toString();
    }

    /// One sequence's attention: stores its keys and values, returns `[n, H*h]`.
    private void attend() {
        int heads = config.heads();
        int keyHeads = config.keyValueHeads();
        int size = config.headSize();
        int group = heads / keyHeads;
        method(
                "attend(self: __torch__.M, q: Tensor, k: Tensor, v: Tensor, cache: Tensor, used: int, first: int, mask: Tensor) -> Tensor",
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
                "  o = torch.scaled_dot_product_attention(folded, seen_keys, seen_values, None, 0., False)",
                "else:",
                "  o = torch.scaled_dot_product_attention(folded, seen_keys, seen_values, mask, 0., False)",
                "return torch.reshape(torch.permute(torch.view(o, [%d, %d, n, %d]), [2, 0, 1, 3]), [n, %d])"
                        .formatted(keyHeads, group, size, heads * size));
    }

    /// All sequences' attention.
    private void attention() {
        method(
                "attention(self: __torch__.M, q: Tensor, k: Tensor, v: Tensor, caches: List[Tensor], layer: int, kind: int, spans: List[int], masks: List[Tensor]) -> Tensor",
                "if torch.eq(torch.len(caches), 1):",
                "  o = self.attend(q, k, v, torch.select(caches[0], 0, layer), spans[2], spans[torch.add(3, kind)], masks[kind])",
                "else:",
                "  parts = annotate(List[Tensor], [])",
                "  for b in range(torch.len(caches)):",
                "    s = torch.mul(b, %d)".formatted(SPAN),
                "    start = spans[s]",
                "    end = spans[torch.add(s, 1)]",
                "    part = self.attend(torch.slice(q, 0, start, end), torch.slice(k, 0, start, end), torch.slice(v, 0, start, end), torch.select(caches[b], 0, layer), spans[torch.add(s, 2)], spans[torch.add(torch.add(s, 3), kind)], masks[torch.add(torch.mul(b, 2), kind)])",
                "    _0 = torch.append(parts, part)",
                "  o = torch.cat(parts, 0)",
                "return o");
    }

    private void layer() {
        int heads = config.heads();
        int keyHeads = config.keyValueHeads();
        int size = config.headSize();
        int rotated = heads + keyHeads;
        begin(
                "layer(self: __torch__.M, x: Tensor, w: List[Tensor], caches: List[Tensor], layer: int, kind: int, spans: List[int], masks: List[Tensor], cos: Tensor, sin: Tensor) -> Tensor");
        line("n = torch.size(x, 0)");
        line("normed = " + norm("x", config.hiddenSize(), slot(Slot.INPUT_NORM)));
        line(
                "qkv = "
                        + linear(
                                "normed",
                                Slot.QUERY_KEY_VALUE,
                                Slot.QUERY_KEY_VALUE_BIAS,
                                config.queryKeyValueBias()));
        line(
                "raw = torch.view(torch.slice(qkv, 1, 0, %d), [n, %d, %d])"
                        .formatted(rotated * size, rotated, size));
        line(
                "v = torch.view(torch.slice(qkv, 1, %d, %d), [n, %d, %d])"
                        .formatted(rotated * size, (rotated + keyHeads) * size, keyHeads, size));
        if (config.queryKeyNorm()) {
            line(
                    "qk = torch.mul(%s, %s)"
                            .formatted(norm("raw", size, "None"), slot(Slot.QUERY_KEY_NORM)));
        } else {
            line("qk = raw");
        }
        line(
                "turned = torch.addcmul(torch.mul(qk, cos), torch.roll(qk, [%d], [2]), sin)"
                        .formatted(size / 2));
        line(
                "o = self.attention(torch.slice(turned, 1, 0, %d), torch.slice(turned, 1, %d, %d), v, caches, layer, kind, spans, masks)"
                        .formatted(heads, heads, rotated));
        line("x2 = " + linearPlus("o", "x", Slot.OUTPUT, Slot.OUTPUT_BIAS, config.outputBias()));
        line("normed2 = " + norm("x2", config.hiddenSize(), slot(Slot.FEED_FORWARD_NORM)));
        line(
                "gate, up = torch.chunk(%s, 2, 1)"
                        .formatted(
                                linear(
                                        "normed2",
                                        Slot.GATE_UP,
                                        Slot.GATE_UP_BIAS,
                                        config.feedForwardBias())));
        line("inner = torch.mul(torch.silu(gate), up)");
        line(
                "return "
                        + linearPlus(
                                "inner",
                                "x2",
                                Slot.DOWN,
                                Slot.DOWN_BIAS,
                                config.feedForwardBias()));
    }

    /// The whole pass. `taps` says after how many layers the residual stream is reported, ascending;
    /// `head_rows` is empty for no logits, or the rows that get them.
    private void pass() {
        begin(
                "run(self: __torch__.M, tokens: List[int], positions: List[int], layers: List[List[Tensor]], shared: List[Tensor], caches: List[Tensor], spans: List[int], raw_masks: List[Tensor], taps: List[int], tap_norm: bool, head_rows: List[int]) -> List[Tensor]");
        line("n = torch.len(tokens)");
        line("where = torch.tensor(positions)");
        line("cos = torch.index_select(shared[3], 0, where)");
        line("sin = torch.index_select(shared[4], 0, where)");
        line("masks = annotate(List[Tensor], [])");
        line("for m in range(torch.len(raw_masks)):");
        line(
                "  _0 = torch.append(masks, torch.repeat(torch.to(raw_masks[m], %d), [%d, 1]))"
                        .formatted(
                                kind.type().torchCode(), config.heads() / config.keyValueHeads()));
        line("reported = annotate(List[Tensor], [])");
        line("x = torch.embedding(shared[0], torch.tensor(tokens))");
        line("if torch.__contains__(taps, 0):");
        line("  _1 = torch.append(reported, torch.to(x, 6))");
        int layer = 0;
        while (layer < config.layers()) {
            int end = layer + 1;
            boolean windowed = config.window(layer).isPresent();
            while (end < config.layers() && config.window(end).isPresent() == windowed) {
                end++;
            }
            line("for i in range(%d):".formatted(end - layer));
            line("  l = torch.add(i, %d)".formatted(layer));
            line(
                    "  x = self.layer(x, layers[l], caches, l, %d, spans, masks, cos, sin)"
                            .formatted(windowed ? 1 : 0));
            line("  if torch.__contains__(taps, torch.add(l, 1)):");
            line("    _2 = torch.append(reported, torch.to(x, 6))");
            layer = end;
        }
        line("if tap_norm:");
        line(
                "  _3 = torch.append(reported, torch.to(%s, 6))"
                        .formatted(norm("x", config.hiddenSize(), "shared[1]")));
        line("if torch.gt(torch.len(head_rows), 0):");
        line("  if torch.eq(torch.len(head_rows), n):");
        line("    chosen = x");
        line("  else:");
        line("    chosen = torch.index_select(x, 0, torch.tensor(head_rows))");
        line("  last = " + norm("chosen", config.hiddenSize(), "shared[1]"));
        line("  _4 = torch.append(reported, torch.to(%s, 6))".formatted(head("last")));
        line("return reported");
    }

    /// Moves kept rows of a cache `[layers, 2, K, capacity, h]` behind the committed ones.
    private void keep() {
        method(
                "keep(self: __torch__.M, cache: Tensor, rows: List[int], to: int) -> int",
                "moved = torch.index_select(cache, 3, torch.tensor(rows))",
                "_0 = torch.copy_(torch.slice(cache, 3, to, torch.add(to, torch.len(rows))), moved)",
                "return torch.len(rows)");
    }

    /// What drafters borrow: embedding and head, with 32-bit floats outside.
    private void shared() {
        method(
                "embed(self: __torch__.M, tokens: List[int], shared: List[Tensor]) -> Tensor",
                "return torch.to(torch.embedding(shared[0], torch.tensor(tokens)), 6)");
        method(
                "head(self: __torch__.M, hidden: Tensor, shared: List[Tensor]) -> Tensor",
                "x = torch.to(hidden, %d)".formatted(kind.type().torchCode()),
                "return torch.to(%s, 6)".formatted(head("x")));
    }

    private String head(String x) {
        return kind.headPrepacked()
                ? PrepackedLinear.expression(x, "shared[2]", "None")
                : "torch.linear(%s, shared[2])".formatted(x);
    }

    private String norm(String x, int size, String weight) {
        return "torch.rms_norm(%s, [%d], %s, %s)".formatted(x, size, weight, config.normEpsilon());
    }

    private String linear(String x, Slot matrix, Slot bias, boolean hasBias) {
        if (kind.prepacked()) {
            return PrepackedLinear.expression(x, slot(matrix), hasBias ? slot(bias) : "None");
        }
        return "torch.linear(%s, %s%s)"
                .formatted(x, slot(matrix), hasBias ? ", " + slot(bias) : "");
    }

    private String linearPlus(String x, String added, Slot matrix, Slot bias, boolean hasBias) {
        if (kind.prepacked()) {
            return PrepackedLinear.sum(added, x, slot(matrix), hasBias ? slot(bias) : "None");
        }
        return "torch.add(%s, %s)".formatted(added, linear(x, matrix, bias, hasBias));
    }

    private static String slot(Slot slot) {
        return "w[%d]".formatted(slot.ordinal());
    }

    private void method(String signature, String... lines) {
        begin(signature);
        for (var text : lines) {
            line(text);
        }
    }

    private void begin(String signature) {
        source.append("  def ").append(signature).append(":\n");
    }

    private void line(String text) {
        source.append("    ").append(text).append('\n');
    }
}
