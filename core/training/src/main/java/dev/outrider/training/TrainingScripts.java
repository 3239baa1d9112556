package dev.outrider.training;

import dev.outrider.torch.LayerScript;
import dev.outrider.torch.TorchDecoder;
import dev.outrider.torch.TorchScript;
import dev.outrider.training.DecoderShape.MixtureShape;
import dev.outrider.training.TrainingConfig.Distillation;
import dev.outrider.training.TrainingTimeTest.DepthPlan;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/// The TorchScript programs of trainings, composed of the resource files of this package and of `dev.outrider.torch`. The files
/// explain methods, shapes and constants.
public final class TrainingScripts {
    private TrainingScripts() {}

    private static String resource(String name) {
        return TorchScript.resource(TrainingScripts.class, name);
    }

    /// The method `linear(x, w)`: `x` times the transpose of `w`, in a precision.
    public static String linear(TrainingConfig.Precision precision) {
        return LayerScript.linear(precision.isBfloat16());
    }

    /// The methods `divergence(log_q, teacher)` and `soft_loss(z, teacher)`: mean over rows of the divergence of the distribution of
    /// log-probabilities or logits from that of the teacher's logits, `[n, V]` each.
    public static String softLoss(Divergence divergence) {
        return resource("divergence")
                + TorchScript.constants(Map.of("divergence_kind", divergence.ordinal()));
    }

    /// The method `learned(z, mask)`: the rows of `z` where the mask is not 0.
    public static String learned() {
        return resource("learned");
    }

    /// The methods `share(one, other)` and `overlap(z, y)`: how often two lists of tokens are equal, and for each row the
    /// probability that a drawn token is accepted.
    public static String measures() {
        return resource("measures");
    }

    /// The methods `backward(value, share, p)` and `accumulate(sum, more)` of a step.
    static String backward() {
        return resource("step");
    }

    /// The method `gradients(p, x, c)` of a program that has `loss`: the loss, then a gradient for each parameter.
    public static String gradients() {
        return backward() + resource("gradients");
    }

    /// The method `over_steps(losses)`: the weighted mean of the losses of consecutive guesses.
    ///
    /// @param decay weight of a loss relative to the one before it
    public static String steps(double decay) {
        return resource("steps") + TorchScript.constants(Map.of("decay", decay));
    }

    /// The method `column_attention(q, keys, values)` of a training-time test with several steps at every column.
    public static String columns() {
        return resource("columns");
    }

    /// The methods `loss` and `measures` of a training-time test with slots ([TrainingTimeTest]); they need methods `guesses`
    /// and `truth`, as `slots.torchscript` describes them.
    ///
    /// @param width      tokens of a row
    /// @param ahead      as in [TrainingTimeTest]
    /// @param divergence of the two distributions
    public static String slots(DepthPlan plan, int width, int ahead, Divergence divergence) {
        int[] kept = plan.kept(width - ahead);
        return softLoss(divergence)
                + learned()
                + measures()
                + resource("slots")
                + TorchScript.constants(
                        Map.of(
                                "slots", IntStream.of(kept).sum(),
                                "slots_by_depth", Arrays.stream(kept).boxed().toList()));
    }

    /// The program of a decoder that learns from text.
    ///
    /// @param teaching  the distillation from a teacher
    static String decoder(
            DecoderShape shape,
            TrainingConfig.Precision precision,
            Optional<Distillation> teaching) {
        return TorchDecoder.methods(shape.decoder(), precision.isBfloat16())
                + learned()
                + mainLoss(teaching)
                + resource("labels")
                + resource("decoder-loss")
                + TorchScript.constants(
                        Map.of(
                                "balance_weight",
                                shape.mixture().map(MixtureShape::balance).orElse(0.0)));
    }

    /// The program of an encoder-decoder.
    static String encoderDecoder(
            EncoderDecoderShape shape,
            TrainingConfig.Precision precision,
            Optional<Distillation> teaching) {
        return encoderDecoderPass(shape, precision)
                + mainLoss(teaching)
                + resource("encoder-decoder-loss");
    }

    /// The method `logits(p, x, c)` of an encoder-decoder: the logits of every token of the answers, `[n, V]`.
    static String encoderDecoderPass(
            EncoderDecoderShape shape, TrainingConfig.Precision precision) {
        return linear(precision)
                + LayerScript.methods(shape.decoder())
                + resource("encoder-decoder")
                + TorchScript.constants(
                        Map.of(
                                "encoder_layers", shape.encoderLayers(),
                                "decoder_layers", shape.decoderLayers(),
                                "head_scale", shape.decoder().form().scales().head(),
                                "tied", shape.tiedEmbeddings()));
    }

    private static String mainLoss(Optional<Distillation> teaching) {
        return softLoss(teaching.map(Distillation::divergence).orElse(Divergence.FORWARD_KL))
                + resource("main-loss")
                + TorchScript.constants(
                        Map.of("soft_weight", teaching.map(Distillation::weight).orElse(-1.0)));
    }
}
