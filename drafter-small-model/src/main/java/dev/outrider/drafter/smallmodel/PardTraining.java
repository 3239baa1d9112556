package dev.outrider.drafter.smallmodel;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.common.Require;
import dev.outrider.drafting.head.HeadJson;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.torch.TorchScript;
import dev.outrider.training.Divergence;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.MaskedDecoder;
import dev.outrider.training.Parameter;
import dev.outrider.training.RowSource;
import dev.outrider.training.TokenRows;
import dev.outrider.training.TrainingScripts;
import dev.outrider.training.TrainingTimeTest;
import dev.outrider.training.TrainingTimeTest.DepthPlan;
import dev.outrider.training.head.HeadParameters;
import dev.outrider.training.head.HeadTrainer;
import dev.outrider.training.head.HeadTraining;
import dev.outrider.training.head.TrainedHead;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The configuration of `train pard`.
public record PardTraining(
        @Inline FrozenTargetKeys keys,
        @Doc("Folder of the draft model that learns on; it has the target's tokenizer.") Path start,
        @Doc("The guesses in a row that are learned.") DepthPlan masks,
        @Doc("How the model's distribution is compared with the target's.") @Default("forward-kl")
                Divergence divergence)
        implements HeadTraining {
    @Override
    public TrainedHead head(FrozenTarget target, RowSource rows) {
        var model = MaskedDecoder.read(start);
        return new TrainedPard(target, model, this);
    }

    /// `train pard`.
    public static final class Trainer extends HeadTrainer<PardTraining> {
        public Trainer() {
            super(
                    "pard",
                    PardTraining.class,
                    "Trains a draft model on to answer mask tokens, for drafts in one pass.",
                    "A finished draft model learns the target's distributions for several tokens at once: of the next token at every place, and of further ones, from masks, at fewer and fewer places drawn at random.",
                    "train pard --config configs/training/pard.yaml");
        }
    }

    /// A draft model that learns to answer mask tokens from a target's distributions. Confined to one thread. Owns the target.
    ///
    /// The inputs of its program are those of [TrainingTimeTest] and the target's logits of all positions, `[B W, V]`; the
    /// constants are cosines and signed sines; the parameters are those of [MaskedDecoder].
    ///
    /// @see "An et al. 2025 (PARD), sections 3.2 and 3.3; there the draft model learns the text that the target wrote"
    static final class TrainedPard implements TrainedHead {
        /// A slot reads the token of its place.
        static final int AHEAD = 0;

        private final FrozenTarget target;
        private final MaskedDecoder model;
        private final PardTraining settings;

        /// @param target closed with this
        /// @param model  the draft model, which is trained further
        /// @throws IllegalArgumentException if rows are too short or too long, or the target has another vocabulary
        TrainedPard(FrozenTarget target, MaskedDecoder model, PardTraining settings) {
            int tokens = model.shape().vocabularySize();
            Require.that(
                    tokens == target.config().vocabularySize(),
                    "'start' has %d tokens, the target %d",
                    tokens,
                    target.config().vocabularySize());
            HeadParameters.requireMask(target, settings.masks().maskToken());
            TrainingTimeTest.requireRoom(width(settings), settings.masks(), AHEAD);
            Require.that(
                    width(settings) <= model.shape().maxPositions(),
                    "rows of %d tokens for a model of %d positions",
                    width(settings),
                    model.shape().maxPositions());
            this.target = target;
            this.model = model;
            this.settings = settings;
        }

        @Override
        public Map<String, String> facts() {
            return Map.of(
                    "masks", settings.masks().toString(),
                    "divergence", settings.divergence().toString(),
                    "start", model.digest());
        }

        @Override
        public List<Parameter> parameters() {
            return model.parameters().list();
        }

        @Override
        public String program() {
            return model.methods(settings.keys().training().precision())
                    + TrainingScripts.slots(
                            settings.masks(), width(settings), AHEAD, settings.divergence())
                    + TorchScript.resource(PardTraining.class, "pard");
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
            var slots =
                    TrainingTimeTest.draw(
                            rows, settings.masks(), AHEAD, settings.keys().training().seed());
            var inputs = new ArrayList<>(slots.inputs(manager));
            inputs.add(target.forward(rows, Set.of(), true, manager).logits().orElseThrow());
            return inputs;
        }

        @Override
        public String configJson(int endOfText) {
            var json = HeadJson.parsed(model.configJson(settings.keys().storage(), endOfText));
            json.put("pard_token", settings.masks().maskToken());
            json.put("spd_type", "pard");
            return HeadJson.text(json);
        }

        @Override
        public Optional<Path> tokenizer() {
            return Optional.of(model.tokenizer());
        }

        private static int width(PardTraining settings) {
            return settings.keys().training().contextTokens() + 1;
        }
    }
}
