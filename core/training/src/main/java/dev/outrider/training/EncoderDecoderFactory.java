package dev.outrider.training;

import dev.outrider.common.NamedService;
import java.util.Optional;

/// Trains `encoder-decoder`. Thread-safe.
public final class EncoderDecoderFactory extends NamedService<EncoderDecoderTraining>
        implements TrainerFactory<EncoderDecoderTraining> {
    /// Used by [java.util.ServiceLoader].
    public EncoderDecoderFactory() {
        super(
                "encoder-decoder",
                EncoderDecoderTraining.class,
                "Trains an encoder-decoder like T5 from scratch on pairs of the made-up corpus, or distils it from a larger one.",
                "Writes a Hugging Face folder with the loss curve beside the model.",
                "train encoder-decoder --config configs/training/t5-target.yaml",
                "train encoder-decoder --config configs/training/t5-small.yaml --resume");
    }

    @Override
    public Optional<String> train(EncoderDecoderTraining config, TrainingContext context) {
        return Trainings.encoderDecoder(config, context);
    }
}
