package dev.outrider.drafter.medusa.sequence;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.drafter.medusa.HeadPlan;
import dev.outrider.drafter.medusa.TrainedHeads;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Weight;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.Parameter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/// A recurrent head, which learns several guesses in a row after the text's own tokens. Blocks start as the identity, the projection as
/// the target's head on the hidden state.
///
/// @see "Cheng et al. 2024 (ReDrafter), sections 3.1 and 3.4"
record TrainedRedrafter(HeadPlan plan, RecurrencePlan recurrence) implements TrainedHeads {
    private static final double DEVIATION = 0.02;
    private static final long SEED = 1;

    @Override
    public Map<String, String> facts() {
        var facts = new LinkedHashMap<String, String>();
        facts.put("heads", plan.toString());
        facts.put("recurrence", recurrence.toString());
        return facts;
    }

    @Override
    public List<Parameter> parameters(FrozenTarget target) {
        int hidden = target.config().hiddenSize();
        int exit = recurrence.exit(hidden);
        if (plan.projection() == HeadPlan.Projection.TARGET && exit != hidden) {
            throw new IllegalArgumentException(
                    "the target's projection reads %d numbers, but 'recurrence.exitSize' is %d"
                            .formatted(hidden, exit));
        }
        var list = new ArrayList<Parameter>();
        if (exit != 2 * hidden) {
            list.add(
                    Parameter.of(
                            RedrafterNames.INPUT + ".weight",
                            new Parameter.Initial.Given(input(exit, hidden)),
                            exit,
                            2L * hidden));
            list.add(zeros(RedrafterNames.INPUT + ".bias", exit));
        }
        for (int layer = 0; layer < plan.layers(); layer++) {
            var name = RedrafterNames.block(layer);
            list.add(zeros(name + ".weight", exit, exit));
            list.add(zeros(name + ".bias", exit));
        }
        if (plan.projection() == HeadPlan.Projection.OWN) {
            list.add(
                    Parameter.of(
                            RedrafterNames.projection(plan.layers()),
                            new Parameter.Initial.Given(projection(target, exit)),
                            target.config().vocabularySize(),
                            exit));
        }
        if (recurrence.rnn()) {
            var normal = new Parameter.Initial.Normal(1 / Math.sqrt(hidden));
            list.add(
                    Parameter.of(
                            RedrafterNames.STATE + ".weight",
                            new Parameter.Initial.Normal(0.5 / Math.sqrt(hidden)),
                            hidden,
                            hidden));
            list.add(zeros(RedrafterNames.STATE + ".bias", hidden));
            list.add(Parameter.of(RedrafterNames.TOKEN, normal, hidden, hidden));
        }
        return list;
    }

    @Override
    public List<NDArray> constants(FrozenTarget target, PtNDManager manager) {
        var constants = new ArrayList<NDArray>();
        constants.add(
                recurrence.rnn()
                        ? TokenScale.embeddings(target, manager)
                        : target.weight(Weight.EMBEDDING, 0, manager));
        if (plan.projection() == HeadPlan.Projection.TARGET) {
            constants.add(target.weight(Weight.HEAD, 0, manager));
        }
        return constants;
    }

    @Override
    public String program(DecoderConfig decoder) {
        return program(decoder.hiddenSize()).heads();
    }

    @Override
    public List<float[]> finished(FrozenTarget target, List<float[]> values) {
        if (!recurrence.rnn()) {
            return values;
        }
        int hidden = target.config().hiddenSize();
        int token = program(hidden).state() + 2;
        var finished = new ArrayList<>(values);
        finished.set(token, TokenScale.folded(values.get(token), hidden, 0, TokenScale.of(target)));
        return finished;
    }

    @Override
    public String configJson(DecoderConfig decoder, String target) {
        return RedrafterConfigJson.of(plan, recurrence, decoder);
    }

    private RedrafterProgram program(int hidden) {
        return new RedrafterProgram(plan, recurrence, hidden);
    }

    /// The identity on the hidden state as far as it goes, deviates on the draft state.
    private static float[] input(int exit, int hidden) {
        var values = onState(exit, hidden, 2 * hidden);
        for (int row = 0; row < Math.min(exit, hidden); row++) {
            values[row * 2 * hidden + row] = 1;
        }
        return values;
    }

    /// The target's head on what stands for the hidden state, deviates on the rest.
    private static float[] projection(FrozenTarget target, int exit) {
        int hidden = target.config().hiddenSize();
        var values = onState(target.config().vocabularySize(), hidden, exit);
        try (var manager = TensorRuntime.newManager()) {
            float[] head = target.weight(Weight.HEAD, 0, manager).toFloatArray();
            for (int token = 0; token < target.config().vocabularySize(); token++) {
                System.arraycopy(
                        head, token * hidden, values, token * exit, Math.min(exit, hidden));
            }
        }
        return values;
    }

    /// A matrix of zeros, and of deviates in the columns from `first` on.
    private static float[] onState(int rows, int first, int columns) {
        var random = new SplittableRandom(SEED);
        var values = new float[rows * columns];
        for (int i = 0; i < values.length; i++) {
            values[i] = i % columns < first ? 0 : (float) (random.nextGaussian() * DEVIATION);
        }
        return values;
    }

    private static Parameter zeros(String name, long... shape) {
        return Parameter.of(name, new Parameter.Initial.Constant(0), shape);
    }
}
