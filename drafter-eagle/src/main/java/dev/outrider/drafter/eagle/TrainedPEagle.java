package dev.outrider.drafter.eagle;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.drafting.head.HeadJson;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Weight;
import dev.outrider.torch.LayerScript;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.Parameter;
import dev.outrider.training.TokenRows;
import dev.outrider.training.TrainingScripts;
import dev.outrider.training.TrainingTimeTest;
import dev.outrider.training.head.HeadParameters;
import dev.outrider.training.head.TrainedHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A P-EAGLE head in training; it reads the target's embedding. It begins as an EAGLE-3 head does: its feature is the
/// last captured state, its last norm and its head are the target's.
///
/// Shapes of the program as in [dev.outrider.training.TrainingTimeTest]; d hidden size, a captured states, D head size.
/// Inputs: those of the practised depths, then the target's states after the final norm and the captured ones,
/// `[B, W, d]` each. Constants: the target's embedding and head `[V, d]`, cosines and signed sines `[positions, D]`.
/// Parameters: the mask's feature `[1, 1, a d]`, fc, norm of the feature, norm of the embedding, q-k-v, output, norm,
/// gate-up, down; for each further layer those of [LayerScript]; last norm, head.
///
/// @see "Hui et al. 2026 (P-EAGLE), sections 3 and 4"
final class TrainedPEagle implements TrainedHead {
    /// A slot pairs the feature of a place with the next token.
    static final int AHEAD = 1;

    private static final int FIRST_LAYER = 9;
    private static final int TRUTH = 5;

    private final FrozenTarget target;
    private final FrozenTargetKeys keys;
    private final PEaglePlan plan;
    private final DecoderConfig layers;
    private final HeadParameters parts;

    /// @throws IllegalArgumentException if rows are too short, or the target has fewer layers than are captured, or no
    ///                                  mask token
    TrainedPEagle(FrozenTarget target, FrozenTargetKeys keys, PEaglePlan plan) {
        var config = target.config();
        HeadParameters.requireLayers(target, plan.capturedLayers());
        HeadParameters.requireMask(target, plan.depths().maskToken());
        TrainingTimeTest.requireRoom(keys.training().contextTokens() + 1, plan.depths(), AHEAD);
        this.target = target;
        this.keys = keys;
        this.plan = plan;
        layers =
                HeadJson.layersLike(config)
                        .layers(plan.layers())
                        .intermediateSize(
                                plan.intermediateSize() == 0
                                        ? config.intermediateSize()
                                        : plan.intermediateSize())
                        .build();
        parts = new HeadParameters(target, layers, keys.training().seed());
    }

    @Override
    public Map<String, String> facts() {
        return Map.of("head", plan.toString());
    }

    @Override
    public List<Parameter> parameters() {
        int hidden = layers.hiddenSize();
        var sizes = parts.capturedSizes(plan.capturedLayers());
        var list = new ArrayList<Parameter>();
        list.add(
                Parameter.of(
                        EagleLayout.Mask.TENSOR,
                        new Parameter.Initial.Normal(1),
                        1,
                        1,
                        (long) sizes.size() * hidden));
        list.addAll(TrainedEagle.wide(parts, "layers.0.", sizes));
        for (int layer = 1; layer < plan.layers(); layer++) {
            list.addAll(HeadParameters.ordinary(layers, "layers.%d.".formatted(layer)));
        }
        list.add(parts.copied("norm.weight", Weight.FINAL_NORM, hidden));
        list.add(parts.copied("lm_head.weight", Weight.HEAD, layers.vocabularySize(), hidden));
        return list;
    }

    @Override
    public String program() {
        var training = keys.training();
        return TrainingScripts.linear(training.precision())
                + LayerScript.methods(layers)
                + TrainingScripts.slots(
                        plan.depths(), training.contextTokens() + 1, AHEAD, plan.divergence())
                + stream()
                + judged();
    }

    @Override
    public List<String> measures() {
        return plan.depths().measures();
    }

    @Override
    public List<NDArray> constants(PtNDManager manager) {
        return parts.constants(
                new Shape(keys.training().contextTokens(), layers.headSize()), manager);
    }

    @Override
    public List<NDArray> inputs(TokenRows rows, PtNDManager manager) {
        var outputs = HeadParameters.states(target, rows, plan.capturedLayers(), manager);
        var slots = TrainingTimeTest.draw(rows, plan.depths(), AHEAD, keys.training().seed());
        var inputs = new ArrayList<>(slots.inputs(manager));
        inputs.add(outputs.hidden(HeadParameters.FEATURE));
        inputs.addAll(HeadParameters.captured(outputs, plan.capturedLayers()));
        return inputs;
    }

    @Override
    public String configJson(int endOfText) {
        var layer = HeadJson.ofLayers(layers, endOfText, keys.storage().type());
        var root = HeadJson.object();
        root.putArray("architectures").add("PEagleSpeculator");
        root.put("speculators_model_type", "peagle");
        var method = root.putObject("speculators_config");
        method.put("algorithm", "peagle");
        method.putArray("proposal_methods")
                .addObject()
                .put("proposal_type", "greedy")
                .put("speculative_tokens", plan.depths().depths());
        method.put("default_proposal_method", "greedy");
        method.putObject("verifier").put("name_or_path", keys.targetName());
        root.set("transformer_layer_config", layer);
        root.put("draft_vocab_size", layers.vocabularySize());
        var ids = root.putArray("eagle_aux_hidden_state_layer_ids");
        plan.capturedLayers().forEach(ids::add);
        root.put("mask_token_id", plan.depths().maskToken());
        root.put("norm_before_residual", false);
        root.put("norm_before_fc", false);
        root.put("fc_norm", false);
        root.put("tie_word_embeddings", false);
        root.set("torch_dtype", layer.path("torch_dtype"));
        return HeadJson.text(root);
    }

    /// Returns `stream(p, tokens, positions, mask, states, embedding, cos, sin)`: the residual stream of all slots after
    /// the layers, `[B, N, d]`. The text's slots come first and have the states of their places; the others have the
    /// mask's feature.
    private String stream() {
        var text =
                new StringBuilder(
                        """
                          def stream(self: __torch__.M, p: List[Tensor], tokens: Tensor, positions: Tensor, mask: Tensor, states: Tensor, embedding: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
                            c = torch.unsqueeze(torch.embedding(cos, positions), 2)
                            s = torch.unsqueeze(torch.embedding(sin, positions), 2)
                            e = torch.embedding(embedding, tokens)
                            B = torch.size(states, 0)
                            masks = torch.sub(torch.size(tokens, 1), torch.size(states, 1))
                            g = torch.cat([self.linear(states, p[1]), torch.expand(self.linear(p[0], p[1]), [B, masks, HIDDEN])], 1)
                            u = torch.cat([torch.rms_norm(e, [HIDDEN], p[3], EPS), torch.rms_norm(g, [HIDDEN], p[2], EPS)], -1)
                            q, k, v = self.project(u, p[4], c, s)
                            x = self.layer_output(g, self.among(q, k, v, mask), p[5], p[6], p[7], p[8])
                        """);
        for (int layer = 1; layer < plan.layers(); layer++) {
            text.append(
                    LayerScript.maskedLayer(FIRST_LAYER + (layer - 1) * LayerScript.PARAMETERS));
        }
        return filled(text.append("    return x\n").toString());
    }

    private String judged() {
        int lastNorm = FIRST_LAYER + (plan.layers() - 1) * LayerScript.PARAMETERS;
        var captured =
                IntStream.range(0, plan.capturedLayers().size())
                        .mapToObj(state -> "x[%d]".formatted(TRUTH + 1 + state))
                        .collect(Collectors.joining(", "));
        return filled(
                """
                  def guesses(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> Tensor:
                    n = torch.sub(torch.size(x[TRUTH], 1), AHEAD)
                    states = torch.contiguous(torch.slice(torch.cat([CAPTURED], -1), 1, 0, n))
                    s = self.stream(p, x[0], x[1], x[2], states, c[0], c[2], c[3])
                    z = self.linear(torch.rms_norm(s, [HIDDEN], p[NORM], EPS), p[LAST])
                    return torch.reshape(z, [-1, torch.size(z, 2)])
                  def truth(self: __torch__.M, x: List[Tensor], c: List[Tensor]) -> Tensor:
                    return self.linear(torch.index_select(torch.reshape(x[TRUTH], [-1, HIDDEN]), 0, x[3]), c[1])
                  def loss(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> Tensor:
                    return self.slots_loss(self.guesses(p, x, c), self.truth(x, c), x[4])
                  def measures(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> List[Tensor]:
                    z = self.guesses(p, x, c)
                    y = self.truth(x, c)
                    out = [self.slots_loss(z, y, x[4])]
                    more = self.slots_measures(z, y)
                    for each in range(torch.len(more)):
                      _0 = torch.append(out, more[each])
                    return out
                """
                        .replace("CAPTURED", captured)
                        .replace("NORM", "" + lastNorm)
                        .replace("LAST", "" + (lastNorm + 1)));
    }

    private String filled(String text) {
        return text.replace("TRUTH", "" + TRUTH)
                .replace("AHEAD", "" + AHEAD)
                .replace("HIDDEN", "" + layers.hiddenSize())
                .replace("EPS", "" + layers.normEpsilon());
    }
}
