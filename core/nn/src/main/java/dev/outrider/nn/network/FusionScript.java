package dev.outrider.nn.network;

import dev.outrider.nn.network.ScriptText.Shared;

/// The part of a decoder's TorchScript that only draft layers have: features of the target are reduced to the layer's width,
/// then joined with the embeddings.
final class FusionScript {
    private final FusionConfig fusion;
    private final int hiddenSize;
    private final ScriptText text;

    /// @param hiddenSize of the layer
    /// @param text       gets the methods
    FusionScript(FusionConfig fusion, int hiddenSize, ScriptText text) {
        this.fusion = fusion;
        this.hiddenSize = hiddenSize;
        this.text = text;
    }

    /// The methods `reduce` and `join`.
    void methods() {
        reduce();
        join();
    }

    private void reduce() {
        text.begin("reduce(self: __torch__.M, f: Tensor, shared: List[Tensor]) -> Tensor");
        text.line("n = torch.size(f, 0)");
        int width = fusion.capturedWidth();
        switch (fusion.capturedNorm()) {
            case NONE -> text.line("g = f");
            case JOINED ->
                    text.line(
                            "g = "
                                    + text.norm(
                                            "f", width, ScriptText.shared(Shared.CAPTURED_NORM)));
            case EACH -> {
                text.line(
                        "parts = torch.view(f, [n, %d, %d])"
                                .formatted(fusion.captured(), fusion.targetHiddenSize()));
                text.line(
                        "g = torch.mul(torch.view(%s, [n, %d]), %s)"
                                .formatted(
                                        text.norm("parts", fusion.targetHiddenSize(), "None"),
                                        width,
                                        ScriptText.shared(Shared.CAPTURED_NORM)));
            }
        }
        text.line(
                "return "
                        + (fusion.has(FusionConfig.Switch.REDUCTION)
                                ? text.linear(
                                        "g", ScriptText.shared(Shared.REDUCTION), "None", false)
                                : "g"));
    }

    private void join() {
        text.begin("join(self: __torch__.M, e: Tensor, g: Tensor, shared: List[Tensor]) -> Tensor");
        if (fusion.join().wide()) {
            text.line("return g");
            return;
        }
        text.line(
                "a = "
                        + (fusion.has(FusionConfig.Switch.EMBEDDING_NORM)
                                ? text.norm(
                                        "e", hiddenSize, ScriptText.shared(Shared.EMBEDDING_NORM))
                                : "e"));
        text.line(
                "b = "
                        + (fusion.has(FusionConfig.Switch.FEATURE_NORM)
                                ? text.norm("g", hiddenSize, ScriptText.shared(Shared.FEATURE_NORM))
                                : "g"));
        boolean featureFirst = fusion.join() == FusionConfig.Join.FEATURE_FIRST;
        text.line("both = torch.cat([%s], 1)".formatted(featureFirst ? "b, a" : "a, b"));
        text.line(
                "return "
                        + text.linear(
                                "both",
                                ScriptText.shared(Shared.JOIN),
                                ScriptText.shared(Shared.JOIN_BIAS),
                                fusion.has(FusionConfig.Switch.JOIN_BIAS)));
    }

    /// The lines that make `x`, the input of the first layer, of `e` and `features`.
    void input() {
        if (fusion.has(FusionConfig.Switch.MASK_FIRST_POSITION)) {
            text.line(
                    "e = torch.mul(e, torch.unsqueeze(torch.to(torch.ne(where, 0), %d), 1))"
                            .formatted(text.type()));
        }
        text.line("f = torch.to(features, %d)".formatted(text.type()));
        text.line("if captured:");
        text.line("  g = self.reduce(f, shared)");
        text.line("else:");
        text.line("  g = f");
        text.line("x = self.join(e, g, shared)");
    }
}
