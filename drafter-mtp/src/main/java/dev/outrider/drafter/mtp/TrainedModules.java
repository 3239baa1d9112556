package dev.outrider.drafter.mtp;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.drafting.head.HeadJson;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.torch.LayerScript;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.Parameter;
import dev.outrider.training.TokenRows;
import dev.outrider.training.TrainingScripts;
import dev.outrider.training.head.HeadParameters;
import dev.outrider.training.head.TrainedHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

/// Multi-token prediction modules in training: they learn from the text, from the target's distributions, or from both.
///
/// Validation measures, per step: `overlap`, the mean of `sum min(p, q)`, which is how often a token drawn from the module
/// would be accepted at temperature 1 after true tokens; and `agreement`, how often both have the same most probable
/// token.
final class TrainedModules implements TrainedHead {
    private static final String LOGITS =
            "    z = self.mtp(x[1], x[0], x[3], c[0], c[1], p, c[2], c[3])\n";

    private final FrozenTarget target;
    private final MtpTraining settings;
    private final MtpModules modules;
    private final MtpScript script;

    /// @throws IllegalArgumentException if rows are too short for the last step to learn anything
    TrainedModules(FrozenTarget target, MtpTraining settings) {
        modules = settings.modules();
        modules.requireRoom(settings.keys().training().contextTokens());
        this.target = target;
        this.settings = settings;
        script = new MtpScript(target.config(), modules);
    }

    @Override
    public Map<String, String> facts() {
        return Map.of(
                "modules", modules.toString(),
                "softLabels", Double.toString(settings.softLabels()),
                "divergence", settings.divergence().toString());
    }

    @Override
    public List<Parameter> parameters() {
        return script.parameters();
    }

    @Override
    public String program() {
        return TrainingScripts.linear(settings.keys().training().precision())
                + LayerScript.methods(target.config())
                + TrainingScripts.softLoss(settings.divergence())
                + TrainingScripts.learned()
                + script.methods(0)
                + loss()
                + measuring();
    }

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
        return new HeadParameters(target, config, 0)
                .constants(new Shape(config.maxPositions(), 1, config.headSize()), manager);
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
    public String configJson(int endOfText) {
        var target = this.target.config();
        var layers = HeadJson.layersLike(target).tiedHead(target.tiedHead()).build();
        return HeadJson.text(
                modules.describe(
                        HeadJson.ofLayers(layers, endOfText, settings.keys().storage().type())));
    }
}
