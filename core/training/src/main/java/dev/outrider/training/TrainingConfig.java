package dev.outrider.training;

import java.nio.file.Path;
import java.util.Optional;

/// How a decoder, or heads on one, are trained. Everything that decides the result is here, in the [Learner] and in the
/// documents.
///
/// @param seed             of the initial weights
/// @param rows             sequences in a step
/// @param contextTokens    tokens predicted in a sequence
/// @param learningRate     schedule, which also holds the number of steps
/// @param optimizer        AdamW's constants
/// @param precision        in which numbers linear layers multiply
/// @param threads          threads of one tensor operation
/// @param validateEvery    steps between validation losses
/// @param validationRows   sequences of the validation loss
/// @param checkpointEvery  steps between checkpoints
/// @param distillation     a teacher whose predictions are learned too
public record TrainingConfig(
        long seed,
        int rows,
        int contextTokens,
        LearningRate learningRate,
        Optimizer optimizer,
        Precision precision,
        int threads,
        int validateEvery,
        int validationRows,
        int checkpointEvery,
        Optional<Distillation> distillation) {
    public TrainingConfig {
        requirePositive("rows", rows);
        requirePositive("contextTokens", contextTokens);
        requirePositive("threads", threads);
        requirePositive("validateEvery", validateEvery);
        requirePositive("validationRows", validationRows);
        requirePositive("checkpointEvery", checkpointEvery);
    }

    /// The teacher, if anything is learned from it.
    public Optional<Distillation> teaching() {
        return distillation.filter(settings -> settings.weight() > 0);
    }

    /// The same with another number of threads, which changes nothing but the time and the last bits.
    public TrainingConfig withThreads(int count) {
        return new TrainingConfig(
                seed,
                rows,
                contextTokens,
                learningRate,
                optimizer,
                precision,
                count,
                validateEvery,
                validationRows,
                checkpointEvery,
                distillation);
    }

    /// The same as a file in `folder` records it: paths are relative to the folder, so that the file says the same wherever the
    /// folders lie.
    public TrainingConfig relativeTo(Path folder) {
        return new TrainingConfig(
                seed,
                rows,
                contextTokens,
                learningRate,
                optimizer,
                precision,
                threads,
                validateEvery,
                validationRows,
                checkpointEvery,
                distillation.map(teaching -> teaching.relativeTo(folder)));
    }

    /// In which numbers linear layers multiply. Parameters, norms, attention and the loss are 32-bit always.
    public enum Precision {
        FLOAT32,
        /// Inputs and weights of linear layers are rounded to bfloat16: about a third faster where the processor multiplies them.
        BFLOAT16_LINEAR
    }

    /// Constants of AdamW (Loshchilov and Hutter 2019).
    ///
    /// @param beta1       decay of the first moment
    /// @param beta2       decay of the second moment
    /// @param weightDecay of matrices; norms have none
    /// @param clipNorm    longest gradient; longer ones are scaled down
    public record Optimizer(double beta1, double beta2, double weightDecay, double clipNorm) {
        public Optimizer {
            if (!(beta1 >= 0 && beta1 < 1) || !(beta2 >= 0 && beta2 < 1)) {
                throw new IllegalArgumentException(
                        "beta1 %s and beta2 %s must be in [0, 1)".formatted(beta1, beta2));
            }
            if (!(weightDecay >= 0) || !(clipNorm > 0)) {
                throw new IllegalArgumentException(
                        "weightDecay %s may not be negative and clipNorm %s must be positive"
                                .formatted(weightDecay, clipNorm));
            }
        }

        /// The values that work for small decoders.
        public static Optimizer standard() {
            return new Optimizer(0.9, 0.95, 0.1, 1.0);
        }
    }

    /// Soft labels (Hinton et al. 2015): the loss is `(1 - weight)` cross-entropy with the text plus `weight`
    /// cross-entropy with the teacher's distribution at temperature 1.
    ///
    /// @param teacher folder of a decoder in the Hugging Face layout; its vocabulary must be the student's
    /// @param weight  0 to 1
    public record Distillation(Path teacher, double weight) {
        public Distillation {
            if (!(weight >= 0 && weight <= 1)) {
                throw new IllegalArgumentException(
                        "weight %s must be between 0 and 1".formatted(weight));
            }
        }

        private Distillation relativeTo(Path folder) {
            var from = folder.toAbsolutePath().normalize();
            return new Distillation(from.relativize(teacher.toAbsolutePath().normalize()), weight);
        }
    }

    private static void requirePositive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(
                    "%s is %d; expected at least 1".formatted(name, value));
        }
    }
}
