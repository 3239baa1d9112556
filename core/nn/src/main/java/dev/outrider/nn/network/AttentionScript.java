package dev.outrider.nn.network;

import dev.outrider.nn.network.ScriptText.Slot;

/// The part of a stack's TorchScript in which rows attend: to their own sequence, and in an encoder-decoder to its source.
///
/// The G query heads of a key-value head are folded into rows, `[K, G*n, h]`, so that keys and values are read once and never
/// repeated.
final class AttentionScript {
    private final DecoderConfig config;
    private final ScriptText text;

    /// @param text gets the methods
    AttentionScript(DecoderConfig config, ScriptText text) {
        this.config = config;
        this.text = text;
    }

    /// The methods `attention` and, where layers attend to a source, `source` and `cross`.
    void methods() {
        attend();
        attention();
        if (config.crosses()) {
            source();
            consult();
            cross();
        }
    }

    /// One sequence's attention: stores its keys and values, returns `[n, H*h]`.
    private void attend() {
        text.method(
                "attend(self: __torch__.M, q: Tensor, k: Tensor, v: Tensor, cache: Tensor, used: int, first: int, mask: Tensor%s) -> Tensor"
                        .formatted(sinksParameter()),
                "n = torch.size(q, 0)",
                "end = torch.add(used, n)",
                "keys = torch.select(cache, 0, 0)",
                "values = torch.select(cache, 0, 1)",
                "_0 = torch.copy_(torch.slice(keys, 1, used, end), torch.transpose(k, 0, 1))",
                "_1 = torch.copy_(torch.slice(values, 1, used, end), torch.transpose(v, 0, 1))",
                "seen_keys = torch.unsqueeze(torch.slice(keys, 1, first, end), 0)",
                "seen_values = torch.unsqueeze(torch.slice(values, 1, first, end), 0)",
                "folded = " + folded(),
                "if torch.eq(torch.numel(mask), 0):",
                "  o = " + attended("None"),
                "else:",
                "  o = " + attended("mask"),
                "return " + unfolded());
    }

    /// All sequences' attention.
    private void attention() {
        text.method(
                "attention(self: __torch__.M, q: Tensor, k: Tensor, v: Tensor, caches: List[Tensor], layer: int, kind: int, spans: List[int], masks: List[Tensor]%s) -> Tensor"
                        .formatted(sinksParameter()),
                "if torch.eq(torch.len(caches), 1):",
                "  o = self.attend(q, k, v, torch.select(caches[0], 0, layer), spans[2], spans[torch.add(3, kind)], masks[kind]%s)"
                        .formatted(sinksArgument()),
                "else:",
                "  parts = annotate(List[Tensor], [])",
                "  for b in range(torch.len(caches)):",
                "    s = torch.mul(b, %d)".formatted(DecoderScript.SPAN),
                "    start = spans[s]",
                "    end = spans[torch.add(s, 1)]",
                "    part = self.attend(torch.slice(q, 0, start, end), torch.slice(k, 0, start,"
                        + " end), torch.slice(v, 0, start, end), torch.select(caches[b], 0, layer),"
                        + " spans[torch.add(s, 2)], spans[torch.add(torch.add(s, 3), kind)],"
                        + " masks[torch.add(torch.mul(b, 2), kind)]%s)".formatted(sinksArgument()),
                "    _0 = torch.append(parts, part)",
                "  o = torch.cat(parts, 0)",
                "return o");
    }

    /// Keys and values that the encoder's states give every layer, `[layers, 2, K, length, h]`.
    private void source() {
        text.method(
                "source(self: __torch__.M, states: Tensor, layers: List[List[Tensor]]) -> Tensor",
                "x = torch.to(states, %d)".formatted(text.type()),
                "made = annotate(List[Tensor], [])",
                "for l in range(torch.len(layers)):",
                "  w = layers[l]",
                "  kv = "
                        + text.linear(
                                "x",
                                Slot.CROSS_KEY_VALUE,
                                Slot.CROSS_KEY_VALUE_BIAS,
                                config.queryKeyValueBias()),
                "  _0 = torch.append(made, torch.permute(torch.view(kv, [torch.size(x, 0), 2, %d, %d]), [1, 2, 0, 3]))"
                        .formatted(config.keyValueHeads(), config.headSize()),
                "return torch.stack(made)");
    }

    /// The attention of one sequence's rows to its source: every row sees all of it.
    private void consult() {
        text.method(
                "consult(self: __torch__.M, q: Tensor, source: Tensor) -> Tensor",
                "n = torch.size(q, 0)",
                "seen_keys = torch.unsqueeze(torch.select(source, 0, 0), 0)",
                "seen_values = torch.unsqueeze(torch.select(source, 0, 1), 0)",
                "folded = " + folded(),
                "o = " + weighted("None"),
                "return " + unfolded());
    }

    /// The attention of all sequences' rows to their sources.
    private void cross() {
        text.method(
                "cross(self: __torch__.M, q: Tensor, sources: List[Tensor], layer: int, spans:"
                        + " List[int]) -> Tensor",
                "if torch.eq(torch.len(sources), 1):",
                "  o = self.consult(q, torch.select(sources[0], 0, layer))",
                "else:",
                "  parts = annotate(List[Tensor], [])",
                "  for b in range(torch.len(sources)):",
                "    s = torch.mul(b, %d)".formatted(DecoderScript.SPAN),
                "    part = self.consult(torch.slice(q, 0, spans[s], spans[torch.add(s, 1)]),"
                        + " torch.select(sources[b], 0, layer))",
                "    _0 = torch.append(parts, part)",
                "  o = torch.cat(parts, 0)",
                "return o");
    }

    private String folded() {
        int keyHeads = config.keyValueHeads();
        int group = config.heads() / keyHeads;
        int size = config.headSize();
        return "torch.reshape(torch.permute(torch.view(q, [n, %d, %d, %d]), [1, 2, 0, 3]), [1, %d, torch.mul(n, %d), %d])"
                .formatted(keyHeads, group, size, keyHeads, group, size);
    }

    private String sinksParameter() {
        return config.form().scores().sinks() ? ", sinks: Tensor" : "";
    }

    private String sinksArgument() {
        return config.form().scores().sinks() ? ", sinks" : "";
    }

    /// What rows see of their own sequence.
    private String attended(String mask) {
        return config.form().scores().sinks() ? sunk(mask) : weighted(mask);
    }

    /// The same with a score of every head's own beside the others, whose weight is left out.
    private String sunk(String mask) {
        int keyHeads = config.keyValueHeads();
        int group = config.heads() / keyHeads;
        var own =
                "torch.reshape(torch.expand(torch.view(sinks, [1, %d, %d, 1]), [1, %d, %d, n]), [1, %d, torch.mul(n, %d), 1])"
                        .formatted(keyHeads, group, keyHeads, group, keyHeads, group);
        return "torch.matmul(torch.slice(torch.softmax(torch.cat([%s, %s], -1), -1), 3, 0, -1), seen_values)"
                .formatted(scores(mask), own);
    }

    private String weighted(String mask) {
        var scale = config.form().scores().scale();
        return config.form().scores().cap().isPresent()
                ? "torch.matmul(torch.softmax(%s, -1), seen_values)".formatted(scores(mask))
                : "torch.scaled_dot_product_attention(folded, seen_keys, seen_values, %s, 0., False%s)"
                        .formatted(mask, scale.isEmpty() ? "" : ", scale=" + scale.getAsDouble());
    }

    /// Scores where there is no operation for all of attention, capped if they are.
    private String scores(String mask) {
        var cap = config.form().scores().cap();
        double scale = config.form().scores().scale().orElse(1 / Math.sqrt(config.headSize()));
        var scores =
                "torch.mul(torch.matmul(folded, torch.transpose(seen_keys, 2, 3)), %s)"
                        .formatted(cap.isPresent() ? scale / cap.getAsDouble() : scale);
        if (cap.isPresent()) {
            scores = "torch.mul(torch.tanh(%s), %s)".formatted(scores, cap.getAsDouble());
        }
        return mask.equals("None") ? scores : "torch.add(%s, %s)".formatted(scores, mask);
    }

    private String unfolded() {
        int keyHeads = config.keyValueHeads();
        return "torch.reshape(torch.permute(torch.view(o, [%d, %d, n, %d]), [2, 0, 1, 3]), [n, %d])"
                .formatted(
                        keyHeads,
                        config.heads() / keyHeads,
                        config.headSize(),
                        config.heads() * config.headSize());
    }
}
