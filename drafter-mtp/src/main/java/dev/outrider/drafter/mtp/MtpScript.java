package dev.outrider.drafter.mtp;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.torch.LayerScript;
import dev.outrider.training.Parameter;
import dev.outrider.training.head.HeadParameters;
import java.util.ArrayList;
import java.util.List;

/// Parameters and TorchScript of multi-token prediction modules. Needs the methods of `TrainingScripts.linear`,
/// `TrainingScripts.learned` and [LayerScript].
///
/// A module has [#PER_MODULE] parameters: the norms of the embedding and of the state, the projection of both, embedding
/// first, a decoder layer, the final norm. Embedding and head are the target's.
///
/// Rows are T + 1 tokens. With S steps, columns 0 to n - 1 = T - S - 1 are learned in every step: step k (from 1) reads
/// token `t + k` at column t and predicts token `t + k + 1`.
///
/// Several modules attend causally, each among its own columns, at position t. A single module that learns several steps
/// attends as it will when it is chained: step k stands at position `t + k - 1` and sees the first step's columns up to t,
/// made from true states, and its own column's earlier steps.
///
/// @see "DeepSeek-AI 2024 (DeepSeek-V3), section 2.2; Li et al. 2025 (EAGLE-3), section 3.1 (training-time test)"
final class MtpScript {
    /// Number of parameters of one module.
    static final int PER_MODULE = 4 + LayerScript.PARAMETERS;

    private final DecoderConfig config;
    private final MtpModules modules;

    /// @param config  the target's sizes; the modules' layers have the same
    MtpScript(DecoderConfig config, MtpModules modules) {
        this.config = config;
        this.modules = modules;
    }

    /// Returns the parameters, named as DeepSeek-V3 names them: modules count after the target's layers.
    List<Parameter> parameters() {
        var list = new ArrayList<Parameter>();
        for (int module = 0; module < modules.modules(); module++) {
            add(list, "model.layers." + (config.layers() + module) + ".");
        }
        return list;
    }

    private void add(List<Parameter> list, String prefix) {
        int hidden = config.hiddenSize();
        list.add(HeadParameters.norm(prefix + "enorm.weight", hidden));
        list.add(HeadParameters.norm(prefix + "hnorm.weight", hidden));
        list.add(
                HeadParameters.matrix(2 * hidden, HeadParameters.part(prefix + "eh_proj", hidden)));
        list.addAll(HeadParameters.ordinary(config, prefix));
        list.add(HeadParameters.norm(prefix + "shared_head.norm.weight", hidden));
    }

    /// Returns the method `mtp(state, tokens, mask, embedding, head, p, cos, sin)`: per step the logits `[m, V]` that predict its m learned
    /// tokens, from the target's states `[B, T, h]`, the rows' tokens and which of them are learned, `[B, T+1]` each; with it
    /// `mtp_labels(tokens, mask, step)`, these tokens `[m]`, and `mtp_teacher(logits, tokens, mask, step)`, the target's logits
    /// `[m, V]` that predict the same tokens, out of all `[B*T, V]`.
    ///
    /// @param first index of the first module's first parameter in `p`
    String methods(int first) {
        var script = new StringBuilder(columnAttention()).append(places());
        script.append(
                """
                  def mtp(self: __torch__.M, state: Tensor, tokens: Tensor, mask: Tensor, embedding: Tensor, head: Tensor, p: List[Tensor], cos: Tensor, sin: Tensor) -> List[Tensor]:
                    n = torch.sub(torch.size(state, 1), %d)
                    f = torch.slice(state, 1, 0, n)
                    keys = annotate(List[Tensor], [])
                    values = annotate(List[Tensor], [])
                    out = annotate(List[Tensor], [])
                """
                        .formatted(modules.steps()));
        for (int step = 1; step <= modules.steps(); step++) {
            script.append(step(step, first + modules.module(step - 1) * PER_MODULE));
        }
        script.append("    return out\n").append(labels());
        return script.toString();
    }

    private String step(int step, int at) {
        boolean chained = modules.modules() == 1;
        int shift = chained ? step - 1 : 0;
        return """
            e = torch.embedding(embedding, torch.slice(tokens, 1, STEP, torch.add(n, STEP)))
            a = torch.rms_norm(e, [HIDDEN], p[P0], EPS)
            b = torch.rms_norm(f, [HIDDEN], p[P1], EPS)
            x = self.linear(torch.cat([a, b], -1), p[P2])
            q, k, v = self.attention_input(x, p[P3], p[P4], torch.slice(cos, 0, SHIFT, torch.add(n, SHIFT)), torch.slice(sin, 0, SHIFT, torch.add(n, SHIFT)))
        ATTEND
            x = self.layer_output(x, o, p[P5], p[P6], p[P7], p[P8])
            y = torch.rms_norm(x, [HIDDEN], p[P9], EPS)
            guessing = self.learned(torch.reshape(y, [-1, HIDDEN]), self.mtp_places(mask, STEP))
            _0 = torch.append(out, self.linear(guessing, head))
            f = RECYCLED
        """
                .replace(
                        "ATTEND",
                        chained
                                ? """
                                    _1 = torch.append(keys, k)
                                    _2 = torch.append(values, v)
                                    o = self.column_attention(q, keys, values)\
                                """
                                : "    o = self.causal(q, k, v)")
                .replace("RECYCLED", modules.normed() ? "y" : "x")
                .replace("STEP", "" + step)
                .replace("SHIFT", "" + shift)
                .replace("HIDDEN", "" + config.hiddenSize())
                .replace("VOCABULARY", "" + config.vocabularySize())
                .replace("EPS", "" + config.normEpsilon())
                .replace("P0", "" + at)
                .replace("P1", "" + (at + 1))
                .replace("P2", "" + (at + 2))
                .replace("P3", "" + (at + 3))
                .replace("P4", "" + (at + 4))
                .replace("P5", "" + (at + 5))
                .replace("P6", "" + (at + 6))
                .replace("P7", "" + (at + 7))
                .replace("P8", "" + (at + 8))
                .replace("P9", "" + (at + 9));
    }

    /// Returns attention to the first keys causally and to one key of each later step, that of the same column.
    private String columnAttention() {
        return """
          def column_attention(self: __torch__.M, q: Tensor, keys: List[Tensor], values: List[Tensor]) -> Tensor:
            if torch.eq(torch.len(keys), 1):
              result = self.causal(q, keys[0], values[0])
            else:
              n = torch.size(q, 2)
              scaled = torch.mul(q, SCALE)
              later = torch.triu(torch.ones([n, n], dtype=11), 1)
              scores = [torch.masked_fill(torch.matmul(scaled, torch.transpose(keys[0], 2, 3)), later, -1e+30)]
              for i in range(torch.sub(torch.len(keys), 1)):
                _0 = torch.append(scores, torch.sum(torch.mul(scaled, keys[torch.add(i, 1)]), [3], True))
              weights = torch.softmax(torch.cat(scores, 3), 3)
              result = torch.matmul(torch.slice(weights, 3, 0, n), values[0])
              for i in range(torch.sub(torch.len(keys), 1)):
                own = torch.slice(weights, 3, torch.add(n, i), torch.add(torch.add(n, i), 1))
                result = torch.add(result, torch.mul(own, values[torch.add(i, 1)]))
            return result
        """
                .replace("SCALE", "" + 1 / Math.sqrt(config.headSize()));
    }

    /// Returns the columns of a row that a step predicts, of all rows, flat.
    private String places() {
        return """
          def mtp_places(self: __torch__.M, all: Tensor, step: int) -> Tensor:
            n = torch.sub(torch.size(all, 1), LOST)
            return torch.reshape(torch.slice(all, 1, torch.add(step, 1), torch.add(torch.add(n, step), 1)), [-1])
        """
                .replace("LOST", "" + (modules.steps() + 1));
    }

    private String labels() {
        return """
          def mtp_labels(self: __torch__.M, tokens: Tensor, mask: Tensor, step: int) -> Tensor:
            return self.learned(self.mtp_places(tokens, step), self.mtp_places(mask, step))
          def mtp_teacher(self: __torch__.M, logits: Tensor, tokens: Tensor, mask: Tensor, step: int) -> Tensor:
            B = torch.size(tokens, 0)
            n = torch.sub(torch.size(tokens, 1), LOST)
            all = torch.view(logits, [B, -1, VOCABULARY])
            places = torch.reshape(torch.slice(all, 1, step, torch.add(n, step)), [-1, VOCABULARY])
            return self.learned(places, self.mtp_places(mask, step))
        """
                .replace("LOST", "" + (modules.steps() + 1))
                .replace("VOCABULARY", "" + config.vocabularySize());
    }
}
