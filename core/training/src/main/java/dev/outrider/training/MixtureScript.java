package dev.outrider.training;

/// TorchScript of a layer with experts that is trained. It has seven parameters: attention norm, fused q-k-v, output, norm of the
/// experts, router, and the experts' gate-up and down matrices one below the other. Needs the methods of [LayerScript].
///
/// Shapes: n rows of all sequences, E experts, of which a row wakes k.
///
/// @see "Jiang et al. 2024 (Mixtral), section 2.1; Fedus et al. 2022, equations 4 to 6"
final class MixtureScript {
    /// Parameters of a layer.
    static final int PARAMETERS = 7;

    private MixtureScript() {}

    /// The method `mixed(x, norm, router, gate_up, down, balance)`: the residual stream after the experts. What it appends to `balance`
    /// is 1 where all experts are equally busy, and E where one does everything.
    static String methods(DecoderShape shape, MixtureShape mixture) {
        return """
          def mixed(self: __torch__.M, x: Tensor, norm: Tensor, router: Tensor, gate_up: Tensor, down: Tensor, balance: List[Tensor]) -> Tensor:
            h = torch.reshape(torch.rms_norm(x, [HIDDEN], norm, EPS), [-1, HIDDEN])
            scores = torch.linear(h, router)
            best, order = torch.topk(scores, CHOSEN, 1)
            shares = torch.reshape(torch.softmax(best, 1), [-1])
            choices = torch.reshape(order, [-1])
            openings = torch.chunk(gate_up, EXPERTS, 0)
            closings = torch.chunk(down, EXPERTS, 0)
            made = torch.zeros_like(h)
            for expert in range(EXPERTS):
              at = torch.reshape(torch.nonzero(torch.eq(choices, expert)), [-1])
              rows = torch.floor_divide(at, CHOSEN)
              g, u = torch.chunk(self.linear(torch.index_select(h, 0, rows), openings[expert]), 2, -1)
              y = self.linear(torch.mul(torch.silu(g), u), closings[expert])
              share = torch.unsqueeze(torch.index_select(shares, 0, at), 1)
              made = torch.index_add(made, 0, rows, torch.mul(y, share))
            busy = torch.div(torch.to(torch.bincount(choices, None, EXPERTS), 6), torch.size(choices, 0))
            wanted = torch.mean(torch.softmax(scores, 1), [0])
            _0 = torch.append(balance, torch.mul(torch.sum(torch.mul(busy, wanted)), EXPERTS))
            return torch.add(x, torch.view_as(made, x))
        """
                .replace("HIDDEN", "" + shape.hiddenSize())
                .replace("EPS", "" + shape.normEpsilon())
                .replace("EXPERTS", "" + mixture.experts())
                .replace("CHOSEN", "" + mixture.chosen());
    }

    /// Statements that take `x` through a causal layer; `c` and `s` are the angles.
    ///
    /// @param first index of the layer's first parameter in `p`
    static String causalLayer(int first) {
        return """
            q, k, v = self.attention_input(x, p[%d], p[%d], c, s)
            x = self.attended(x, self.causal(q, k, v), p[%d])
            x = self.mixed(x, p[%d], p[%d], p[%d], p[%d], balance)
        """
                .formatted(first, first + 1, first + 2, first + 3, first + 4, first + 5, first + 6);
    }
}
