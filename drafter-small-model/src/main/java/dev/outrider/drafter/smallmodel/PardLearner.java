package dev.outrider.drafter.smallmodel;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.training.TrainingScripts;
import dev.outrider.training.FinishedModel;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.Learner;
import dev.outrider.training.MaskedDecoder;
import dev.outrider.training.ParameterSet;
import dev.outrider.training.TrainingTimeTest;
import dev.outrider.training.TokenRows;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A draft model that learns to answer mask tokens from a target's distributions. Confined to one thread. Owns the target.
///
/// Inputs of its program are those of [TrainingTimeTest] and the target's logits of all positions, `[B W, V]`; constants cosines and
/// signed sines; parameters those of [MaskedDecoder].
///
/// @see "An et al. 2025 (PARD), sections 3.2 and 3.3; there the text is learned, which the target wrote"
final class PardLearner implements Learner {
    /// A slot reads the token of its place.
    static final int AHEAD = 0;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final FrozenTarget target;
    private final MaskedDecoder model;
    private final PardTraining settings;
    private final ParameterSet parameters;

    /// @param target closed with this
    /// @param model  what learns on
    /// @throws IllegalArgumentException if rows are too short or too long, or the target has another vocabulary
    PardLearner(FrozenTarget target, MaskedDecoder model, PardTraining settings) {
        int tokens = model.shape().vocabularySize();
        if (tokens != target.config().vocabularySize()) {
            throw new IllegalArgumentException(
                    "'start' has %d tokens, the target %d"
                            .formatted(tokens, target.config().vocabularySize()));
        }
        if (settings.masks().maskToken() >= tokens) {
            throw new IllegalArgumentException(
                    "maskToken %d of %d tokens".formatted(settings.masks().maskToken(), tokens));
        }
        TrainingTimeTest.requireRoom(width(settings), settings.masks(), AHEAD);
        if (width(settings) > model.shape().maxPositions()) {
            throw new IllegalArgumentException(
                    "rows of %d tokens for a model of %d positions"
                            .formatted(width(settings), model.shape().maxPositions()));
        }
        this.target = target;
        this.model = model;
        this.settings = settings;
        parameters = model.parameters();
    }

    @Override
    public Map<String, String> facts() {
        var facts = new LinkedHashMap<String, String>();
        facts.put("masks", settings.masks().toString());
        facts.put("divergence", settings.divergence().toString());
        facts.put("start", model.digest());
        facts.put("targetDigest", target.digest());
        return facts;
    }

    @Override
    public ParameterSet parameters() {
        return parameters;
    }

    @Override
    public String program() {
        return model.methods(settings.training().precision())
                + TrainingScripts.slots(
                        settings.masks(), width(settings), AHEAD, settings.divergence())
                + """
                  def guesses(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> Tensor:
                    positions = torch.reshape(x[1], [-1])
                    return self.head(self.masked_stream(x[0], positions, x[2], p, c[0], c[1]), p)
                  def truth(self: __torch__.M, x: List[Tensor]) -> Tensor:
                    return torch.index_select(x[5], 0, x[3])
                  def loss(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> Tensor:
                    return self.slots_loss(self.guesses(p, x, c), self.truth(x), x[4])
                  def measures(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> List[Tensor]:
                    z = self.guesses(p, x, c)
                    y = self.truth(x)
                    out = [self.slots_loss(z, y, x[4])]
                    more = self.slots_measures(z, y)
                    for each in range(torch.len(more)):
                      _0 = torch.append(out, more[each])
                    return out
                """;
    }

    @Override
    public List<String> measures() {
        return settings.masks().measures();
    }

    @Override
    public List<NDArray> constants(PtNDManager manager) {
        return model.angles(width(settings), manager);
    }

    @Override
    public List<NDArray> inputs(TokenRows rows, PtNDManager manager) {
        var slots = TrainingTimeTest.draw(rows, settings.masks(), AHEAD, settings.training().seed());
        var inputs = new ArrayList<>(slots.inputs(manager));
        inputs.add(target.forward(rows, Set.of(), true, manager).logits().orElseThrow());
        return inputs;
    }

    @Override
    public Optional<FrozenTarget> frozen() {
        return Optional.of(target);
    }

    /// A checkpoint as the authors' trainer writes them: an ordinary one with the mask token's number.
    @Override
    public FinishedModel finished(List<float[]> values, int endOfText) {
        try {
            var json = (ObjectNode) JSON.readTree(model.configJson(settings.storage(), endOfText));
            json.put("pard_token", settings.masks().maskToken());
            json.put("spd_type", "pard");
            return new FinishedModel(
                    JSON.writerWithDefaultPrettyPrinter().writeValueAsString(json) + "\n",
                    parameters.stored(values, settings.storage()),
                    Optional.of(model.tokenizer()));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a configuration just written cannot be read", e);
        }
    }

    @Override
    public void close() {
        target.close();
    }

    private static int width(PardTraining settings) {
        return settings.training().contextTokens() + 1;
    }
}
