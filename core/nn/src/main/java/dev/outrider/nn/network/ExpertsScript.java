package dev.outrider.nn.network;

import dev.outrider.nn.network.ScriptText.Slot;

/// The part of a layer's TorchScript that is its experts. As in the vector code, an expert computes for all rows that chose it at once, of
/// equal scores the lower number comes first, and a row's results are summed in the order of its choice.
///
/// Shapes: n rows, d hidden size, k experts a row wakes.
///
/// @param config  of the stack
/// @param text    gets the lines
/// @param gatedUp the expression of what is made of `gate` and `up`
record ExpertsScript(DecoderConfig config, ScriptText text, String gatedUp) {
    /// Tensors that the script's list has for every expert: both opening projections as one, and the last; their biases then.
    static int tensors(Experts experts) {
        return experts.biases() ? 4 : 2;
    }

    /// Experts of `normed2`.
    ///
    /// @return the expression of what they make, `[n, d]`
    String lines() {
        var experts = config.form().feedForward().experts().orElseThrow();
        int chosen = experts.chosen();
        text.line(
                "scores = torch.to(torch.linear(normed2, %s%s), 6)"
                        .formatted(
                                ScriptText.slot(Slot.ROUTER),
                                experts.biases() ? ", " + ScriptText.slot(Slot.ROUTER_BIAS) : ""));
        text.line("best, order = torch.sort(scores, stable=True, dim=1, descending=True)");
        text.line("choices = torch.reshape(torch.slice(order, 1, 0, %d), [-1])".formatted(chosen));
        text.line(
                "shares = "
                        + (experts.normalised()
                                ? "torch.softmax(torch.slice(best, 1, 0, %d), 1)".formatted(chosen)
                                : "torch.slice(torch.softmax(best, 1), 1, 0, %d)"
                                        .formatted(chosen)));
        text.line(
                "made = torch.new_zeros(normed2, [torch.mul(n, %d), %d])"
                        .formatted(chosen, config.hiddenSize()));
        int first = Slot.values().length;
        text.line("for expert in range(%d):".formatted(experts.count()));
        text.line("  at = torch.reshape(torch.nonzero(torch.eq(choices, expert)), [-1])");
        text.line("  if torch.gt(torch.size(at, 0), 0):");
        text.line(
                "    woke = torch.index_select(normed2, 0, torch.floor_divide(at, %d))"
                        .formatted(chosen));
        text.line(
                "    own = torch.add(torch.mul(expert, %d), %d)"
                        .formatted(tensors(experts), first));
        text.line(
                "    gate, up = torch.chunk(%s, 2, 1)"
                        .formatted(
                                text.linear(
                                        "woke",
                                        "w[own]",
                                        "w[torch.add(own, 2)]",
                                        experts.biases())));
        text.line("    inner = " + gatedUp);
        var made =
                text.linear(
                        "inner", "w[torch.add(own, 1)]", "w[torch.add(own, 3)]", experts.biases());
        text.line("    made = torch.index_copy(made, 0, at, %s)".formatted(made));
        text.line(
                "weighed = torch.mul(torch.view(made, [n, %d, %d]), torch.unsqueeze(torch.to(shares, %d), 2))"
                        .formatted(chosen, config.hiddenSize(), text.type()));
        text.line("mixed = torch.sum(weighed, [1])");
        if (experts.sharedSize().isEmpty()) {
            return "mixed";
        }
        text.line(
                "sharedgate, sharedup = torch.chunk(%s, 2, 1)"
                        .formatted(linear("normed2", ScriptText.slot(Slot.SHARED_GATE_UP))));
        text.line("gate = sharedgate");
        text.line("up = sharedup");
        text.line("shared = " + linear(gatedUp, ScriptText.slot(Slot.SHARED_DOWN)));
        text.line(
                "open = torch.sigmoid(torch.linear(normed2, %s))"
                        .formatted(ScriptText.slot(Slot.SHARED_EXPERT_GATE)));
        return "torch.add(mixed, torch.mul(shared, open))";
    }

    private String linear(String x, String matrix) {
        return text.linear(x, matrix, "None", false);
    }
}
