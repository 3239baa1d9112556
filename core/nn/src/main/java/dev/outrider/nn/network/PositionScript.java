package dev.outrider.nn.network;

import dev.outrider.nn.network.BlockForm.LayerKind;
import dev.outrider.nn.network.ScriptText.Shared;

/// The part of a stack's TorchScript that says where tokens stand: rotated queries and keys, vectors added to the embedding, or
/// numbers added to scores, which are part of the masks.
final class PositionScript {
    private final DecoderConfig config;
    private final Positions positions;
    private final ScriptText text;

    /// @param text gets methods and lines
    PositionScript(DecoderConfig config, ScriptText text) {
        this.config = config;
        this.positions = config.form().positions();
        this.text = text;
    }

    /// What a layer's method takes for them.
    String parameters() {
        return config.form().rotary() ? ", cos: Tensor, sin: Tensor" : "";
    }

    /// What a layer's method gets for [#parameters].
    String arguments(LayerKind kind) {
        if (!config.form().rotary()) {
            return "";
        }
        return kind == LayerKind.LOCAL && config.localRopeTheta().isPresent()
                ? ", cos_local, sin_local"
                : ", cos, sin";
    }

    /// What the pass takes for them: where distances count, the positions of each sequence's cache rows.
    String passParameters() {
        return relative() ? ", keys: List[Tensor]" : "";
    }

    /// Queries and keys `qk` as they meet.
    String turned(LayerKind kind) {
        if (!config.form().rotary() || kind == LayerKind.UNROTATED) {
            return "qk";
        }
        int size = config.rotarySize();
        if (size == config.headSize()) {
            return turned("qk", size);
        }
        return "torch.cat([%s, torch.slice(qk, 2, %d, %d)], 2)"
                .formatted(
                        turned("torch.slice(qk, 2, 0, %d)".formatted(size), size),
                        size,
                        config.headSize());
    }

    private static String turned(String x, int size) {
        return "torch.addcmul(torch.mul(%s, cos), torch.roll(%s, [%d], [2]), sin)"
                .formatted(x, x, size / 2);
    }

    /// Embeddings `e` with what stands for their positions.
    String placed() {
        double scale = config.form().scales().embedding();
        var scaled = scale == 1 ? "e" : "torch.mul(e, %s)".formatted(scale);
        return switch (positions) {
            case Positions.Rotary _, Positions.Relative _ -> scaled;
            case Positions.Learned(_, int offset) ->
                    added(scaled, "torch.add(where, %d)".formatted(offset));
            case Positions.Sinusoidal() -> added(scaled, "where");
        };
    }

    private static String added(String scaled, String rows) {
        return "torch.add(%s, torch.index_select(%s, 0, %s))"
                .formatted(scaled, ScriptText.shared(Shared.POSITIONS), rows);
    }

    /// The method `biased`, where distances count: a mask of one block, `[1, K, G*n, keys]`, with what each head adds to its scores.
    void methods() {
        if (!(positions instanceof Positions.Relative relative)) {
            return;
        }
        int reach = relative.reach(config.maxPositions());
        text.method(
                "biased(self: __torch__.M, bias: Tensor, asking: Tensor, keys: Tensor, first:"
                        + " int, mask: Tensor) -> Tensor",
                "asked = torch.slice(keys, 0, first)",
                "far = torch.clamp(torch.sub(torch.unsqueeze(asked, 0), torch.unsqueeze(asking, 1)), %d, %d)"
                        .formatted(-reach, reach),
                "added = torch.permute(torch.embedding(bias, torch.add(far, %d)), [2, 0, 1])"
                        .formatted(reach),
                "if torch.eq(torch.numel(mask), 0):",
                "  all = added",
                "else:",
                "  all = torch.add(added, mask)",
                "return torch.reshape(torch.contiguous(all), [1, %d, -1, torch.size(asked, 0)])"
                        .formatted(config.keyValueHeads()));
    }

    /// The lines of the pass that make `where`, and `masks` of `raw_masks`: per block one for full and one for windowed layers.
    void lines() {
        text.line("where = torch.tensor(positions)");
        if (config.form().rotary()) {
            text.line(
                    "cos = torch.index_select(%s, 0, where)"
                            .formatted(ScriptText.shared(Shared.COSINES)));
            text.line(
                    "sin = torch.index_select(%s, 0, where)"
                            .formatted(ScriptText.shared(Shared.SIGNED_SINES)));
        }
        if (config.localRopeTheta().isPresent()) {
            text.line(
                    "cos_local = torch.index_select(%s, 0, where)"
                            .formatted(ScriptText.shared(Shared.LOCAL_COSINES)));
            text.line(
                    "sin_local = torch.index_select(%s, 0, where)"
                            .formatted(ScriptText.shared(Shared.LOCAL_SIGNED_SINES)));
        }
        text.line("masks = annotate(List[Tensor], [])");
        if (relative()) {
            biasedMasks();
        } else {
            text.line("for m in range(torch.len(raw_masks)):");
            text.line(
                    "  _0 = torch.append(masks, torch.repeat(torch.to(raw_masks[m], %d), [%d, 1]))"
                            .formatted(text.type(), config.heads() / config.keyValueHeads()));
        }
    }

    private void biasedMasks() {
        text.line("for b in range(torch.len(keys)):");
        text.line("  s = torch.mul(b, %d)".formatted(DecoderScript.SPAN));
        text.line("  asking = torch.slice(where, 0, spans[s], spans[torch.add(s, 1)])");
        for (int kind = 0; kind < 2; kind++) {
            if (kind == 0 || config.slidingWindow().isPresent()) {
                text.line(
                        "  mask = self.biased(%s, asking, keys[b], spans[torch.add(s, %d)], torch.to(raw_masks[torch.add(torch.mul(b, 2), %d)], %d))"
                                .formatted(
                                        ScriptText.shared(Shared.RELATIVE_BIAS),
                                        3 + kind,
                                        kind,
                                        text.type()));
            }
            text.line("  _%d = torch.append(masks, mask)".formatted(kind));
        }
    }

    private boolean relative() {
        return positions instanceof Positions.Relative;
    }
}
