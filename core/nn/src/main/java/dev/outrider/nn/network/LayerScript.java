package dev.outrider.nn.network;

import dev.outrider.nn.network.BlockForm.LayerKind;
import dev.outrider.nn.network.ScriptText.Slot;

/// The part of a stack's TorchScript that is a layer.
///
/// - Query, key and value projections are one matrix, gate and up another.
/// - Rotation of queries and keys is one operation: `x * cos + roll(x, h/2) * (-sin, sin)`.
/// - With prepacked weights, residual additions are part of the linear operation.
final class LayerScript {
    /// What makes the code of layers of one stack differ.
    ///
    /// @param inputNorm      whether attention reads a normed stream
    /// @param wide           whether it reads the embedding beside it
    /// @param normedResidual whether the residual begins with the normed stream
    /// @param sees           what it sees and whether it rotates
    /// @param sparse         whether it has experts
    record Kind(
            boolean inputNorm,
            boolean wide,
            boolean normedResidual,
            LayerKind sees,
            boolean sparse) {
        static Kind of(DecoderConfig config, int layer) {
            var sees = config.kind(layer);
            return config.fusion()
                    .map(fusion ->
                            new Kind(
                                    fusion.inputNorm(layer),
                                    fusion.wide(layer),
                                    fusion.has(FusionConfig.Switch.NORMED_RESIDUAL) && layer == 0,
                                    sees,
                                    false))
                    .orElse(
                            new Kind(
                                    config.form().norms().place().reads(),
                                    false,
                                    false,
                                    sees,
                                    config.sparse(layer)));
        }

        String method() {
            return "layer%s%s%s%s%s"
                    .formatted(
                            inputNorm ? "" : "_bare",
                            wide ? "_wide" : "",
                            normedResidual ? "_normed" : "",
                            sees == LayerKind.UNROTATED ? "_unrotated" : "",
                            sparse ? "_sparse" : "");
        }
    }

    private final DecoderConfig config;
    private final PositionScript positions;
    private final ScriptText text;

    /// @param text gets the methods
    LayerScript(DecoderConfig config, PositionScript positions, ScriptText text) {
        this.config = config;
        this.positions = positions;
        this.text = text;
    }

    /// The expression that calls the layer `l` of a kind for the stream `x`.
    ///
    /// @param windowed whether it has a window
    String call(Kind kind, boolean windowed) {
        return "self.%s(x, e, layers[l], caches, l, %d, spans, masks%s%s)"
                .formatted(
                        kind.method(),
                        windowed ? 1 : 0,
                        config.crosses() ? ", sources" : "",
                        positions.arguments(kind.sees()));
    }

    /// The method of a kind of layers.
    void method(Kind kind) {
        text.begin(
                kind.method()
                        + "(self: __torch__.M, x: Tensor, e: Tensor, w: List[Tensor], caches:"
                        + " List[Tensor], layer: int, kind: int, spans: List[int], masks:"
                        + " List[Tensor]%s%s) -> Tensor"
                                .formatted(
                                        config.crosses() ? ", sources: List[Tensor]" : "",
                                        positions.parameters()));
        input(kind);
        attention(kind);
        text.line(
                "x2 = "
                        + written(
                                "o",
                                "residual",
                                Slot.OUTPUT,
                                Slot.OUTPUT_BIAS,
                                config.outputBias(),
                                new Norms(
                                        Slot.INPUT_NORM, Slot.INPUT_NORM_BIAS, Slot.OUTPUT_NORM)));
        if (config.crosses()) {
            cross();
        }
        feedForward(kind, config.form().parallel() ? "x" : added(), added());
    }

    /// What has been added to the stream before the feed-forward layer.
    private String added() {
        return config.crosses() ? "x3" : "x2";
    }

    /// The norms of a block: of the stream, and of what the block makes, which is empty for blocks that cannot have it.
    private record Norms(Slot stream, Slot bias, Slot result) {}

    private void input(Kind kind) {
        text.line("n = torch.size(x, 0)");
        var inputNorm = ScriptText.slot(Slot.INPUT_NORM);
        if (kind.wide()) {
            int size = config.hiddenSize();
            text.line("stream = " + text.norm("x", size, ScriptText.slot(Slot.STREAM_NORM)));
            text.line(
                    "normed = torch.cat([%s, stream], 1)"
                            .formatted(text.norm("e", size, inputNorm)));
        } else {
            text.line(
                    "normed = "
                            + (kind.inputNorm()
                                    ? text.norm("x", Slot.INPUT_NORM, Slot.INPUT_NORM_BIAS)
                                    : "x"));
        }
        text.line("residual = " + (kind.normedResidual() ? "stream" : "x"));
    }

    private void attention(Kind kind) {
        int heads = config.heads();
        int keyHeads = config.keyValueHeads();
        int size = config.headSize();
        int rotated = heads + keyHeads;
        text.line(
                "qkv = "
                        + text.linear(
                                "normed",
                                Slot.QUERY_KEY_VALUE,
                                Slot.QUERY_KEY_VALUE_BIAS,
                                config.queryKeyValueBias()));
        text.line(
                "raw = torch.view(torch.slice(qkv, 1, 0, %d), [n, %d, %d])"
                        .formatted(rotated * size, rotated, size));
        text.line(
                "v = torch.view(torch.slice(qkv, 1, %d, %d), [n, %d, %d])"
                        .formatted(rotated * size, (rotated + keyHeads) * size, keyHeads, size));
        if (config.form().norms().wholeQueries() && config.queryKeyNorm()) {
            text.line(
                    "whole = torch.cat([%s, %s], 1)"
                            .formatted(whole(0, heads, size), whole(heads, rotated, size)));
            text.line(
                    "qk = torch.mul(torch.view(whole, [n, %d, %d]), %s)"
                            .formatted(rotated, size, ScriptText.slot(Slot.QUERY_KEY_NORM)));
        } else if (config.queryKeyNorm()) {
            text.line(
                    "qk = torch.mul(%s, %s)"
                            .formatted(
                                    text.norm("raw", size, "None"),
                                    ScriptText.slot(Slot.QUERY_KEY_NORM)));
        } else {
            text.line("qk = raw");
        }
        text.line("turned = " + positions.turned(kind.sees()));
        text.line(
                "%s = self.attention(torch.slice(turned, 1, 0, %d), torch.slice(turned, 1, %d, %d), v, caches, layer, kind, spans, masks%s)"
                        .formatted(
                                gated() ? "ungated" : "o",
                                heads,
                                heads,
                                rotated,
                                config.form().scores().sinks() ? ", " + ScriptText.slot(Slot.SINKS) : ""));
        if (gated()) {
            int first = (rotated + keyHeads) * size;
            text.line(
                    "o = torch.mul(ungated, torch.sigmoid(torch.slice(qkv, 1, %d, %d)))"
                            .formatted(first, first + heads * size));
        }
    }

    /// All heads of the queries, or of the keys, normed together.
    private String whole(int from, int to, int size) {
        int width = (to - from) * size;
        return text.norm(
                "torch.reshape(torch.slice(raw, 1, %d, %d), [n, %d])".formatted(from, to, width),
                width,
                "None");
    }

    /// Attention to the source, `x3` of `x2`.
    private void cross() {
        text.line("asking = " + read("x2", Slot.CROSS_NORM, Slot.CROSS_NORM_BIAS));
        text.line(
                "found = self.cross(%s, sources, layer, spans)"
                        .formatted(
                                text.linear(
                                        "asking",
                                        Slot.CROSS_QUERY,
                                        Slot.CROSS_QUERY_BIAS,
                                        config.queryKeyValueBias())));
        text.line(
                "x3 = "
                        + written(
                                "found",
                                "x2",
                                Slot.CROSS_OUTPUT,
                                Slot.CROSS_OUTPUT_BIAS,
                                config.outputBias(),
                                new Norms(
                                        Slot.CROSS_NORM, Slot.CROSS_NORM_BIAS, Slot.OUTPUT_NORM)));
    }

    /// @param x     what it reads
    /// @param added what it is added to
    private void feedForward(Kind kind, String x, String added) {
        text.line("normed2 = " + read(x, Slot.FEED_FORWARD_NORM, Slot.FEED_FORWARD_NORM_BIAS));
        var norms = new Norms(Slot.FEED_FORWARD_NORM, Slot.FEED_FORWARD_NORM_BIAS, Slot.DOWN_NORM);
        if (kind.sparse()) {
            var made = new ExpertsScript(config, text, gatedUp()).lines();
            text.line("return " + written(made, added, norms));
            return;
        }
        var wide =
                text.linear("normed2", Slot.GATE_UP, Slot.GATE_UP_BIAS, config.feedForwardBias());
        if (config.form().feedForward().gated()) {
            text.line("gate, up = torch.chunk(%s, 2, 1)".formatted(wide));
            text.line("inner = " + gatedUp());
        } else {
            text.line("inner = " + activated(wide));
        }
        text.line(
                "return "
                        + written(
                                "inner",
                                added,
                                Slot.DOWN,
                                Slot.DOWN_BIAS,
                                config.feedForwardBias(),
                                norms));
    }

    /// What a block reads: the stream, behind the block's norm if that comes first.
    private String read(String x, Slot norm, Slot bias) {
        return config.form().norms().place().reads() ? text.norm(x, norm, bias) : x;
    }

    /// The stream with what a block made, with the norms that come last.
    private String written(
            String made, String stream, Slot matrix, Slot bias, boolean hasBias, Norms norms) {
        var form = config.form();
        if (!form.norms().place().results() && form.scales().residual() == 1) {
            var sum = text.linearPlus(made, stream, matrix, bias, hasBias);
            return form.norms().place() == BlockForm.NormPlace.AFTER ? text.norm(sum, norms.stream(), norms.bias()) : sum;
        }
        return written(text.linear(made, matrix, bias, hasBias), stream, norms);
    }

    private String written(String made, String stream, Norms norms) {
        var form = config.form();
        var result =
                form.norms().place().results()
                        ? text.norm(made, config.hiddenSize(), ScriptText.slot(norms.result()))
                        : made;
        var sum =
                "torch.add(%s, torch.mul(%s, %s))".formatted(stream, result, form.scales().residual());
        return form.norms().place() == BlockForm.NormPlace.AFTER ? text.norm(sum, norms.stream(), norms.bias()) : sum;
    }

    /// What is made of `gate` and `up`.
    private String gatedUp() {
        var bounded = config.form().feedForward().boundedGate();
        if (bounded.isEmpty()) {
            return "torch.mul(%s, up)".formatted(activated("gate"));
        }
        double limit = bounded.get().limit();
        var open = "torch.clamp_max(gate, %s)".formatted(limit);
        return "torch.mul(torch.mul(%s, torch.sigmoid(torch.mul(%s, %s))), torch.add(torch.clamp(up, -%s, %s), 1))"
                .formatted(open, open, bounded.get().slope(), limit, limit);
    }

    private String activated(String x) {
        return switch (config.form().feedForward().activation()) {
            case SILU -> "torch.silu(%s)".formatted(x);
            case GELU -> "torch.gelu(%s)".formatted(x);
            case GELU_TANH -> "torch.gelu(%s, approximate=\"tanh\")".formatted(x);
            case RELU -> "torch.relu(%s)".formatted(x);
        };
    }

    private boolean gated() {
        return config.fusion().filter(each -> each.has(FusionConfig.Switch.GATED_QUERIES)).isPresent();
    }
}
