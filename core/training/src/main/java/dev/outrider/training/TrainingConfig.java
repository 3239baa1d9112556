package dev.outrider.training;

import dev.outrider.common.Require;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import java.nio.file.Path;
import java.util.Optional;

/// The settings of the training of a decoder, or of heads on a decoder. These settings, the [Learner] and the documents decide the
/// result.
///
/// @param seed             of the initial weights
/// @param rows             sequences in a step
/// @param contextTokens    tokens predicted in a sequence
/// @param learningRate     schedule, which also holds the number of steps
/// @param optimizer        AdamW's constants
/// @param precision        number format in which linear layers multiply
/// @param threads          threads of one tensor operation
/// @param validateEvery    steps between validation losses
/// @param validationRows   sequences of the validation loss
/// @param checkpointEvery  steps between checkpoints
/// @param distillation     a teacher whose predictions are learned too
/// @param accumulate       number of batches of `rows` whose gradients make one step: the memory of one batch, with a step as for
///                         all of them
/// @param best             whether the finished model has the best parameters of all validations rather than the last
/// @param passes           whether passes of the target are stored first
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
        Optional<Distillation> distillation,
        @Doc("Batches of 'rows' whose gradients make one step; memory is needed for one of them.")
                @Default("1")
                int accumulate,
        @Doc(
                        "Keeps the parameters of the best validation, and may end the run early. Left out: the last step's are kept.")
                Optional<Best> best,
        @Doc(
                        "Keeps passes of the target or teacher in a folder and learns from these. Left out: each is computed when it is learned from.")
                Optional<PassSettings> passes) {
    public TrainingConfig {
        Require.atLeast("accumulate", accumulate, 1);
        Require.atLeast("rows", rows, 1);
        Require.atLeast("contextTokens", contextTokens, 1);
        Require.atLeast("threads", threads, 1);
        Require.atLeast("validateEvery", validateEvery, 1);
        Require.atLeast("validationRows", validationRows, 1);
        Require.atLeast("checkpointEvery", checkpointEvery, 1);
    }

    /// Returns the teacher, if the student learns from it.
    public Optional<Distillation> teaching() {
        return distillation.filter(settings -> settings.weight() > 0);
    }

    /// Returns these settings in the form of a file in `folder`: paths are relative to the folder, so that the file is the same
    /// for every place of the folders.
    public TrainingConfig relativeTo(Path folder) {
        return with(
                threads,
                distillation.map(teaching -> teaching.relativeTo(folder)),
                passes.map(stored -> stored.relativeTo(folder)));
    }

    /// Returns the same with another number of threads, which changes only the time and the last bits.
    TrainingConfig withThreads(int count) {
        return with(count, distillation, passes);
    }

    /// Returns the same with passes stored first.
    TrainingConfig withPasses(PassSettings stored) {
        return with(threads, distillation, Optional.of(stored));
    }

    private TrainingConfig with(
            int threads, Optional<Distillation> distillation, Optional<PassSettings> passes) {
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
                distillation,
                accumulate,
                best,
                passes);
    }

    /// The number format in which linear layers multiply. Parameters, norms, attention and the loss are always 32-bit.
    public enum Precision {
        FLOAT32,
        /// Inputs and weights of linear layers are rounded to bfloat16, and a teacher computes in it: faster if the processor
        /// multiplies such numbers.
        BFLOAT16_LINEAR;

        /// Returns the number format in which a teacher computes.
        dev.outrider.nn.network.Precision passes() {
            return isBfloat16()
                    ? dev.outrider.nn.network.Precision.BF16
                    : dev.outrider.nn.network.Precision.F32;
        }

        /// Whether linear layers multiply bfloat16 numbers.
        boolean isBfloat16() {
            return this == BFLOAT16_LINEAR;
        }
    }

    /// Constants of AdamW (Loshchilov and Hutter 2019).
    ///
    /// @param beta1       decay of the first moment
    /// @param beta2       decay of the second moment
    /// @param weightDecay of matrices; norms have none
    /// @param clipNorm    longest gradient; longer ones are scaled down
    public record Optimizer(double beta1, double beta2, double weightDecay, double clipNorm) {
        public Optimizer {
            Require.that(
                    beta1 >= 0 && beta1 < 1 && beta2 >= 0 && beta2 < 1,
                    "beta1 %s and beta2 %s must be in [0, 1)",
                    beta1,
                    beta2);
            Require.that(
                    weightDecay >= 0 && clipNorm > 0,
                    "weightDecay %s may not be negative and clipNorm %s must be positive",
                    weightDecay,
                    clipNorm);
        }

        /// The values that work for small decoders.
        public static Optimizer standard() {
            return new Optimizer(0.9, 0.95, 0.1, 1.0);
        }
    }

    /// Knowledge distillation: the loss is `(1 - weight)` cross-entropy with the text plus `weight` times a divergence from the
    /// teacher's distribution at temperature 1.
    ///
    /// @param teacher    folder of a decoder in the Hugging Face layout; its vocabulary must be the student's
    /// @param weight     0 to 1
    /// @param divergence of the student from the teacher
    /// @see "Hinton et al. 2015, section 2; Zhou et al. 2024 (DistillSpec), section 4.1"
    public record Distillation(
            Path teacher,
            double weight,
            @Doc("How the student's distribution is compared with the teacher's.")
                    @Default("forward-kl")
                    Divergence divergence) {
        public Distillation {
            Require.share("weight", weight);
        }

        private Distillation relativeTo(Path folder) {
            return new Distillation(relative(teacher, folder), weight, divergence);
        }
    }

    /// The settings of a finished model with the parameters of the least validation loss, not the last ones.
    ///
    /// @param patience most consecutive validations without an improvement; one more ends the run. 0: the run goes to its end
    public record Best(
            @Doc(
                            "Validations in a row without a better one after which the run ends; 0: it goes to its end.")
                    @Default("0")
                    int patience) {
        public Best {
            Require.atLeast("patience", patience, 0);
        }
    }

    private static Path relative(Path path, Path folder) {
        return folder.toAbsolutePath().normalize().relativize(path.toAbsolutePath().normalize());
    }

    /// Linear warm-up, then a cosine down to a fraction of the peak.
    ///
    /// @param peak          the highest rate; positive
    /// @param finalFraction the last step's rate as a fraction of the peak; 0 to 1
    /// @param warmupSteps   steps until the peak is reached; 0 or more
    /// @param steps         steps of the whole run; more than `warmupSteps`
    public record LearningRate(double peak, double finalFraction, int warmupSteps, int steps) {
        public LearningRate {
            Require.that(
                    peak > 0 && finalFraction >= 0 && finalFraction <= 1,
                    "peak %s must be positive and finalFraction %s between 0 and 1",
                    peak,
                    finalFraction);
            Require.that(
                    warmupSteps >= 0 && steps > warmupSteps,
                    "steps (%d) must exceed warmupSteps (%d), which may not be negative",
                    steps,
                    warmupSteps);
        }

        /// The rate of a step, counted from 1.
        public double at(long step) {
            if (step <= warmupSteps) {
                return peak * step / warmupSteps;
            }
            double progress = Math.min(1, (double) (step - warmupSteps) / (steps - warmupSteps));
            double cosine = (1 + Math.cos(Math.PI * progress)) / 2;
            return peak * (finalFraction + (1 - finalFraction) * cosine);
        }
    }

    /// The configuration of a store of the target's passes.
    ///
    /// @param store     folder of the store
    /// @param tokens    at least this many are stored; training repeats them
    /// @param top       number of logits of a token that are stored; 0 for all
    /// @param gigabytes the most that the store may use
    public record PassSettings(
            @Doc("Folder where passes of the target or teacher are kept; made if it is not there.")
                    Path store,
            @Doc(
                            "Tokens whose passes are kept, rounded up to whole batches; training goes over them again and again.")
                    long tokens,
            @Doc(
                            "Largest logits of a token that are kept, with the exact mass of the others; 0: all of them.")
                    @Default("0")
                    int top,
            @Doc(
                            "Most gigabytes (10^9 bytes) that the store may have. Left out: what the disk holds.")
                    Optional<Double> gigabytes) {
        public PassSettings {
            Require.between("tokens", tokens, 1, 1_000_000_000_000L);
            Require.atLeast("top", top, 0);
            gigabytes.ifPresent(most -> Require.positive("gigabytes", most));
        }

        /// Returns the number of stored rows.
        ///
        /// @param config its rows of a batch and tokens of a row
        long rows(TrainingConfig config) {
            long batch = (long) config.rows() * config.contextTokens();
            return (tokens + batch - 1) / batch * config.rows();
        }

        /// Returns the same in the form of a file in `folder`.
        PassSettings relativeTo(Path folder) {
            var from = folder.toAbsolutePath().normalize();
            return new PassSettings(
                    from.relativize(store.toAbsolutePath().normalize()), tokens, top, gigabytes);
        }
    }
}
