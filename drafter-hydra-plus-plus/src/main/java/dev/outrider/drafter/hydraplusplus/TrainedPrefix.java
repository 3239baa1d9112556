package dev.outrider.drafter.hydraplusplus;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.drafting.head.HeadJson;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Weight;
import dev.outrider.torch.LayerScript;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.torch.TorchScript;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.Parameter;
import dev.outrider.training.TokenRows;
import dev.outrider.training.TrainingScripts;
import dev.outrider.training.head.HeadParameters;
import dev.outrider.training.head.TrainedHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The prefix layer and the heads in training; `hydra-plus-plus.torchscript` has the forward pass and the loss. Heads begin as the
/// identity on the prefix layer's state, projections of their own as the target's. Embeddings are scaled to the size of hidden
/// states while heads learn; at the end the scale goes into the matrices that read them.
///
/// @see "Ankner et al. 2024 (Hydra), section 4"
final class TrainedPrefix implements TrainedHead {
    /// Parameters of the prefix layer, its norm included.
    private static final int PREFIX = LayerScript.PARAMETERS + 1;

    private final FrozenTarget target;
    private final FrozenTargetKeys keys;
    private final PrefixPlan plan;
    private final DecoderConfig layer;
    private final HeadParameters parts;
    private final double stateSize;
    private final double scale;

    /// @throws IllegalArgumentException if rows are too short for the last head to learn anything
    TrainedPrefix(FrozenTarget target, FrozenTargetKeys keys, PrefixPlan plan) {
        int context = keys.training().contextTokens();
        if (context <= plan.count()) {
            throw new IllegalArgumentException(
                    "contextTokens (%d) must exceed the number of heads (%d)"
                            .formatted(context, plan.count()));
        }
        this.target = target;
        this.keys = keys;
        this.plan = plan;
        layer = PrefixLayout.layerFor(target.config());
        parts = new HeadParameters(target, layer, keys.training().seed());
        try (var manager = TensorRuntime.newManager()) {
            stateSize = size(target.weight(Weight.FINAL_NORM, 0, manager).toFloatArray());
            double embedding = size(target.weight(Weight.EMBEDDING, 0, manager).toFloatArray());
            scale = embedding > 0 ? stateSize / embedding : 1;
        }
    }

    @Override
    public Map<String, String> facts() {
        return Map.of("heads", plan.toString());
    }

    @Override
    public List<Parameter> parameters() {
        int hidden = layer.hiddenSize();
        var list =
                new ArrayList<>(
                        HeadParameters.ordinary(layer, PrefixLayout.LAYER.replace("N", "0")));
        list.add(
                Parameter.of(
                        PrefixLayout.NORM,
                        new Parameter.Initial.Constant((float) stateSize),
                        hidden));
        for (int head = 0; head < plan.count(); head++) {
            int read = (head + 2) * hidden;
            addZeros(list, PrefixLayout.block(head, 0), hidden, read);
            list.add(identity(PrefixLayout.residual(head) + ".weight", hidden, read));
            list.add(HeadParameters.zeros(PrefixLayout.residual(head) + ".bias", hidden));
            if (plan.blocks() > 1) {
                addZeros(list, PrefixLayout.block(head, 1), hidden, hidden);
            }
            if (plan.ownProjection()) {
                int tokens = layer.vocabularySize();
                var name = PrefixLayout.projection(head);
                list.add(parts.copied(name + ".weight", Weight.HEAD, tokens, hidden));
                list.add(HeadParameters.zeros(name + ".bias", tokens));
            }
        }
        return list;
    }

    @Override
    public String program() {
        double total =
                IntStream.range(0, plan.count())
                        .mapToDouble(head -> Math.pow(plan.decay(), head))
                        .sum();
        return TrainingScripts.linear(keys.training().precision())
                + TrainingScripts.softLoss(plan.divergence())
                + TrainingScripts.learned()
                + LayerScript.methods(layer)
                + TorchScript.resource(TrainedPrefix.class, "hydra-plus-plus")
                + TorchScript.constants(
                        Map.of(
                                "guesses", plan.count(),
                                "blocks", plan.blocks(),
                                "own_projection", plan.ownProjection(),
                                "prefix_parameters", PREFIX,
                                "head_parameters", perHead(),
                                "first_weight", 1 / total,
                                "decay", plan.decay()));
    }

    @Override
    public List<String> measures() {
        return Stream.of("agreement", "acceptance")
                .flatMap(name ->
                        IntStream.rangeClosed(1, plan.count()).mapToObj(guess -> name + guess))
                .toList();
    }

    @Override
    public List<NDArray> constants(PtNDManager manager) {
        int positions = keys.training().contextTokens() + 1;
        var constants =
                new ArrayList<>(
                        parts.constants(new Shape(positions, 1, layer.headSize()), manager));
        constants.set(0, constants.getFirst().mul((float) scale));
        return constants;
    }

    @Override
    public List<NDArray> inputs(TokenRows rows, PtNDManager manager) {
        var outputs = target.forward(rows, Set.of(HeadParameters.FEATURE), true, manager);
        return List.of(
                outputs.hidden(HeadParameters.FEATURE),
                rows.array(manager),
                outputs.logits().orElseThrow(),
                rows.mask(manager));
    }

    @Override
    public List<float[]> finished(List<float[]> values) {
        int hidden = layer.hiddenSize();
        var finished = new ArrayList<>(values);
        for (int head = 0; head < plan.count(); head++) {
            int first = PREFIX + head * perHead();
            for (int matrix : new int[] {first, first + 2}) {
                float[] scaled = values.get(matrix).clone();
                for (int i = 0; i < scaled.length; i++) {
                    scaled[i] *= i % ((head + 2) * hidden) < hidden ? 1 : (float) scale;
                }
                finished.set(matrix, scaled);
            }
        }
        return finished;
    }

    @Override
    public String configJson(int endOfText) {
        var json = HeadJson.ofLayers(layer, endOfText, keys.storage().type());
        json.put("hydra_num_heads", plan.count());
        json.put("hydra_num_layers", plan.blocks());
        json.put("hydra_head_arch", "prefix-mlp");
        json.put("grounded_heads", true);
        json.put("hidden_state_offset", 0);
        json.put("base_model_name_or_path", keys.targetName());
        return HeadJson.text(json);
    }

    private int perHead() {
        return 4 + (plan.blocks() > 1 ? 2 : 0) + (plan.ownProjection() ? 2 : 0);
    }

    private static void addZeros(List<Parameter> list, String name, int rows, int columns) {
        list.add(HeadParameters.zeros(name + ".weight", rows, columns));
        list.add(HeadParameters.zeros(name + ".bias", rows));
    }

    private static Parameter identity(String name, int rows, int columns) {
        var values = new float[rows * columns];
        for (int row = 0; row < rows; row++) {
            values[row * columns + row] = 1;
        }
        return Parameter.of(name, new Parameter.Initial.Given(values), rows, columns);
    }

    /// Returns the root mean square.
    private static double size(float[] values) {
        double sum = 0;
        for (float value : values) {
            sum += (double) value * value;
        }
        return Math.sqrt(sum / values.length);
    }
}
