package dev.outrider.training;

import java.util.List;
import java.util.Optional;

/// Trains `encoder-decoder`. Thread-safe.
public final class EncoderDecoderFactory implements TrainerFactory<EncoderDecoderTraining> {
    @Override
    public String name() {
        return "encoder-decoder";
    }

    @Override
    public Class<EncoderDecoderTraining> configType() {
        return EncoderDecoderTraining.class;
    }

    @Override
    public String description() {
        return "Trains an encoder-decoder like T5 from scratch on pairs of the made-up corpus, or distils it from a larger one.";
    }

    @Override
    public String details() {
        return "Writes a Hugging Face folder with the loss curve beside the model.";
    }

    @Override
    public List<String> examples() {
        return List.of(
                "train encoder-decoder --config configs/training/t5-target.yaml",
                "train encoder-decoder --config configs/training/t5-small.yaml --resume");
    }

    @Override
    public Optional<String> train(EncoderDecoderTraining config, TrainingContext context) {
        return Trainings.encoderDecoder(config, context);
    }
}
