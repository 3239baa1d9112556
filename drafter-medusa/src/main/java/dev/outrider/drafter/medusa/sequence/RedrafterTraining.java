package dev.outrider.drafter.medusa.sequence;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.common.Require;
import dev.outrider.drafter.medusa.sequence.RedrafterCheckpoint.RedrafterNames;
import dev.outrider.drafting.head.HeadJson;
import dev.outrider.nn.network.Weight;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.torch.TorchScript;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.Parameter;
import dev.outrider.training.RowSource;
import dev.outrider.training.head.HeadParameters;
import dev.outrider.training.head.HeadTrainer;
import dev.outrider.training.head.HeadTraining;
import dev.outrider.training.head.TokenHeads;
import dev.outrider.training.head.TokenScale;
import dev.outrider.training.head.TrainedHead;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/// The configuration of `train redrafter`.
public record RedrafterTraining(
        @Inline FrozenTargetKeys keys,
        @Doc("The head; it learns 'count' guesses in a row.") TokenHeads.Plan heads,
        @Doc("How it takes tokens in.") @Default("{}") Recurrence recurrence)
        implements HeadTraining {
    @Override
    public TrainedHead head(FrozenTarget target, RowSource rows) {
        return new TrainedRedrafter(target, keys, heads, recurrence);
    }

    /// `train redrafter`.
    public static final class Trainer extends HeadTrainer<RedrafterTraining> {
        public Trainer() {
            super(
                    "redrafter",
                    RedrafterTraining.class,
                    "Trains ReDrafter's recurrent head on a target that stays as it is.",
                    "As train medusa, but one head makes all guesses; it reads a state that goes from token to token, in training along the text.",
                    "train redrafter --config configs/training/redrafter.yaml");
        }
    }

    /// A recurrent head in training: it learns several consecutive guesses after the text's own tokens. Blocks are initialised with
    /// the identity, and the projection with the target's head on the hidden state. Guess i reads the hidden state of position t
    /// and the state after tokens t + 1 to t + i + 1; the weights are the same for all guesses.
    ///
    /// Parameters: a weight `[x, 2 d]` and a bias `[x]` of the input if x, the width of the blocks' input, is not 2 d; a weight
    /// `[x, x]` and a bias `[x]` per block; a projection `[V, x]` of its own; U `[d, d]`, b `[d]` and W `[d, d]` of the recurrence.
    /// Constants: embeddings `[V, d]`, then the target's head `[V, d]` if there is no projection.
    ///
    /// @see "Cheng et al. 2024 (ReDrafter), sections 3.1 and 3.4"
    static final class TrainedRedrafter extends TokenHeads {
        private static final double DEVIATION = 0.02;
        private static final long SEED = 1;

        private final Recurrence recurrence;

        /// @throws IllegalArgumentException if the target's projection does not read the head's width
        TrainedRedrafter(
                FrozenTarget target, FrozenTargetKeys keys, Plan plan, Recurrence recurrence) {
            super(target, keys, plan);
            this.recurrence = recurrence;
            int exit = recurrence.exit(hidden());
            Require.that(
                    plan.projection() != Projection.TARGET || exit == hidden(),
                    "the target's projection reads %d numbers, but 'recurrence.exitSize' is %d",
                    hidden(),
                    exit);
        }

        @Override
        public Map<String, String> facts() {
            var facts = new LinkedHashMap<>(super.facts());
            facts.put("recurrence", recurrence.toString());
            return facts;
        }

        @Override
        public List<Parameter> parameters() {
            int hidden = hidden();
            int exit = recurrence.exit(hidden);
            var list = new ArrayList<Parameter>();
            if (exit != 2 * hidden) {
                var input = RedrafterNames.INPUT;
                list.add(
                        Parameter.of(
                                input + ".weight",
                                new Parameter.Initial.Given(input(exit, hidden)),
                                exit,
                                2L * hidden));
                list.add(HeadParameters.zeros(input + ".bias", exit));
            }
            for (int layer = 0; layer < plan().layers(); layer++) {
                addZeros(list, RedrafterNames.blockName(layer), exit, exit);
            }
            if (plan().projection() == Projection.OWN) {
                list.add(
                        Parameter.of(
                                RedrafterNames.projectionName(plan().layers()) + ".weight",
                                new Parameter.Initial.Given(head(exit)),
                                vocabulary(),
                                exit));
            }
            if (recurrence.rnn()) {
                var state = RedrafterNames.STATE;
                list.add(normal(state + ".weight", 0.5 / Math.sqrt(hidden)));
                list.add(HeadParameters.zeros(state + ".bias", hidden));
                list.add(normal(RedrafterNames.TOKEN + ".weight", 1 / Math.sqrt(hidden)));
            }
            return list;
        }

        private Parameter normal(String name, double deviation) {
            return Parameter.of(name, new Parameter.Initial.Normal(deviation), hidden(), hidden());
        }

        @Override
        public List<NDArray> constants(PtNDManager manager) {
            var constants = new ArrayList<NDArray>();
            constants.add(
                    recurrence.rnn()
                            ? TokenScale.embeddings(target(), manager)
                            : weight(Weight.EMBEDDING, manager));
            constants.addAll(super.constants(manager));
            return constants;
        }

        @Override
        public List<float[]> finished(List<float[]> values) {
            if (!recurrence.rnn()) {
                return values;
            }
            int token = state() + 2;
            var finished = new ArrayList<>(values);
            finished.set(
                    token,
                    TokenScale.folded(values.get(token), hidden(), 0, TokenScale.of(target())));
            return finished;
        }

        @Override
        public String configJson(int endOfText) {
            var json = HeadJson.object();
            json.put("model_type", "recurrent_drafting_drafter");
            json.put("exit_dim", recurrence.exit(hidden()));
            json.put("num_draft_layers", plan().layers());
            json.put("rnn", recurrence.rnn());
            return HeadJson.text(describe(json));
        }

        /// Index of the first block's weight.
        private int firstBlock() {
            return recurrence.exit(hidden()) == 2 * hidden() ? 0 : 2;
        }

        /// Index of the projection.
        private int projection() {
            return firstBlock() + 2 * plan().layers();
        }

        /// Index of U.
        private int state() {
            return projection() + (plan().projection() == Projection.OWN ? 1 : 0);
        }

        @Override
        protected String heads() {
            return TorchScript.resource(TrainedRedrafter.class, "redrafter")
                    + constants(plan())
                    + TorchScript.constants(
                            Map.of(
                                    "first_block", firstBlock(),
                                    "state", state(),
                                    "recurrent", recurrence.rnn()));
        }

        /// Returns the identity on the hidden state, up to the width, and random numbers on the draft state.
        private static float[] input(int exit, int hidden) {
            var values = onState(exit, hidden, 2 * hidden);
            for (int row = 0; row < Math.min(exit, hidden); row++) {
                values[row * 2 * hidden + row] = 1;
            }
            return values;
        }

        /// Returns the target's head on the part of the hidden state, and random numbers on the rest.
        private float[] head(int exit) {
            int hidden = hidden();
            var values = onState(vocabulary(), hidden, exit);
            try (var manager = TensorRuntime.newManager()) {
                float[] head = weight(Weight.HEAD, manager).toFloatArray();
                for (int token = 0; token < vocabulary(); token++) {
                    System.arraycopy(
                            head, token * hidden, values, token * exit, Math.min(exit, hidden));
                }
            }
            return values;
        }

        /// Returns a matrix of zeros, with random numbers in the columns from `first` on.
        private static float[] onState(int rows, int first, int columns) {
            var random = new SplittableRandom(SEED);
            var values = new float[rows * columns];
            for (int i = 0; i < values.length; i++) {
                values[i] = i % columns < first ? 0 : (float) (random.nextGaussian() * DEVIATION);
            }
            return values;
        }
    }

    /// The way in which a trained recurrent head reads tokens.
    ///
    /// @see "Cheng et al. 2024 (ReDrafter), section 3.1"
    public record Recurrence(
            @Doc(
                            "Whether the draft state is SiLU(U s + W e + b); otherwise it is the sum of the tokens' embeddings.")
                    @Default("true")
                    boolean rnn,
            @Doc(
                            "Width of what the blocks read; twice the hidden size, hidden state and draft state end to end, when it is not"
                                    + " given.")
                    Optional<Integer> exitSize) {
        public Recurrence {
            if (exitSize.filter(size -> size < 1).isPresent()) {
                throw new IllegalArgumentException(
                        "'exitSize' must be at least 1, got " + exitSize.get());
            }
        }

        /// Returns the width of the blocks' input.
        ///
        /// @param hidden the target's hidden size
        int exit(int hidden) {
            return exitSize.orElse(2 * hidden);
        }
    }
}
