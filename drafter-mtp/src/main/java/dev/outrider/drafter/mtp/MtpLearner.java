package dev.outrider.drafter.mtp;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.network.RopeTable;
import dev.outrider.nn.network.Weight;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.training.Divergence;
import dev.outrider.training.FinishedModel;
import dev.outrider.training.FrozenTarget;
import dev.outrider.torch.LayerScript;
import dev.outrider.training.Learner;
import dev.outrider.training.ParameterSet;
import dev.outrider.training.TokenRows;
import dev.outrider.training.TrainingConfig;
import dev.outrider.training.TrainingPlan;
import dev.outrider.training.TrainingScripts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;

/// Multi-token prediction modules that learn on a frozen target: from the text, from the target's distributions, or from both.
///
/// Validation measures, per step: `overlap`, the mean of `sum min(p, q)`, which is how often a token drawn from the module
/// would be accepted at temperature 1 after true tokens; and `agreement`, how often both have the same most probable token.
final class MtpLearner implements Learner {
    private final FrozenTarget target;
    private final MtpModules modules;
    private final Settings settings;
    private final MtpScript script;

    /// How modules learn on a frozen target.
    ///
    /// @param softLabels    weight of the divergence from the target's distributions, 0 to 1; the text's has the rest
    /// @param divergence    from those distributions
    /// @param precision     in which numbers linear layers multiply
    /// @param contextTokens tokens predicted in a row, more than there are steps
    /// @param storage       numbers in the finished modules
    public record Settings(
            double softLabels,
            Divergence divergence,
            TrainingConfig.Precision precision,
            int contextTokens,
            TrainingPlan.Storage storage) {
        public Settings {
            if (!(softLabels >= 0 && softLabels <= 1)) {
                throw new IllegalArgumentException(
                        "softLabels %s is not between 0 and 1".formatted(softLabels));
            }
        }
    }

    /// @param target closed with the learner
    /// @throws IllegalArgumentException if rows are too short for the last step to learn anything
    public MtpLearner(FrozenTarget target, MtpModules modules, Settings settings) {
        modules.requireRoom(settings.contextTokens());
        this.target = target;
        this.modules = modules;
        this.settings = settings;
        script = new MtpScript(target.config(), modules);
    }

    @Override
    public Map<String, String> facts() {
        var facts = new LinkedHashMap<String, String>();
        facts.put("modules", modules.toString());
        facts.put("softLabels", Double.toString(settings.softLabels()));
        facts.put("divergence", settings.divergence().toString());
        facts.put("targetDigest", target.digest());
        return facts;
    }

    @Override
    public ParameterSet parameters() {
        return new ParameterSet(script.parameters());
    }

    @Override
    public String program() {
        return TrainingScripts.linear(settings.precision())
                + LayerScript.methods(target.config())
                + TrainingScripts.softLoss(settings.divergence())
                + TrainingScripts.learned()
                + script.methods(0)
                + loss()
                + measuring();
    }

    private static final String LOGITS =
            "    z = self.mtp(x[1], x[0], x[3], c[0], c[1], p, c[2], c[3])\n";

    private String loss() {
        var terms = new StringJoiner(", ");
        for (int step = 0; step < modules.steps(); step++) {
            double weight = modules.weight(step);
            double soft = settings.softLabels();
            if (soft < 1) {
                terms.add("torch.mul(%s, %s)".formatted(hard(step), weight * (1 - soft)));
            }
            if (soft > 0) {
                terms.add(
                        "torch.mul(self.soft_loss(z[%d], %s), %s)"
                                .formatted(step, teacher(step), weight * soft));
            }
        }
        return "  def loss(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> Tensor:\n"
                + LOGITS
                + "    return torch.sum(torch.stack([%s]))\n".formatted(terms);
    }

    private String measuring() {
        var loss = new StringJoiner(", ");
        var others = new StringJoiner(", ");
        for (int step = 0; step < modules.steps(); step++) {
            loss.add("torch.mul(%s, %s)".formatted(hard(step), modules.weight(step)));
            others.add(
                    "torch.mean(torch.sum(torch.minimum(torch.softmax(z[%d], -1), torch.softmax(%s, -1)), [-1]))"
                            .formatted(step, teacher(step)));
            others.add(
                    "torch.mean(torch.to(torch.eq(torch.argmax(z[%d], -1), torch.argmax(%s, -1)), 6))"
                            .formatted(step, teacher(step)));
        }
        return "  def measures(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> List[Tensor]:\n"
                + LOGITS
                + "    return [torch.sum(torch.stack([%s])), %s]\n".formatted(loss, others);
    }

    private static String hard(int step) {
        return "torch.cross_entropy_loss(z[%d], self.mtp_labels(x[0], x[3], %d))"
                .formatted(step, step + 1);
    }

    private static String teacher(int step) {
        return "self.mtp_teacher(x[2], x[0], x[3], %d)".formatted(step + 1);
    }

    @Override
    public List<String> measures() {
        var names = new ArrayList<String>();
        for (int step = 1; step <= modules.steps(); step++) {
            names.add("overlap" + step);
            names.add("agreement" + step);
        }
        return names;
    }

    @Override
    public List<NDArray> constants(PtNDManager manager) {
        var config = target.config();
        var angles = RopeTable.of(config, config.maxPositions());
        var sizes = new Shape(config.maxPositions(), 1, config.headSize());
        return List.of(
                target.weight(Weight.EMBEDDING, 0, manager),
                target.weight(Weight.HEAD, 0, manager),
                manager.create(angles.headCosines(), sizes),
                manager.create(angles.headSignedSines(), sizes));
    }

    @Override
    public List<NDArray> inputs(TokenRows rows, PtNDManager manager) {
        HiddenState state =
                modules.normed()
                        ? new HiddenState.AfterFinalNorm()
                        : new HiddenState.AfterLayer(target.config().layers());
        var outputs = target.forward(rows.inputs(), Set.of(state), true, manager);
        return List.of(
                rows.array(manager),
                outputs.hidden(state),
                outputs.logits().orElseThrow(),
                rows.mask(manager));
    }

    @Override
    public Optional<FrozenTarget> frozen() {
        return Optional.of(target);
    }

    @Override
    public FinishedModel finished(List<float[]> values, int endOfText) {
        return new FinishedModel(
                MtpConfigJson.ofModules(target.config(), modules, endOfText, settings.storage()),
                parameters().stored(values, settings.storage()),
                Optional.empty());
    }

    @Override
    public void close() {
        target.close();
    }
}
