package dev.outrider.engine.processing;

import dev.outrider.common.sampling.DistributionBuffer;
import dev.outrider.common.sampling.Distributions;
import dev.outrider.common.sampling.OperatorChain;
import dev.outrider.common.sampling.OperatorRow;
import dev.outrider.engine.plugins.PluginContext;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.target.LogitsProcessor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/// The logits processors of an experiment, in order. The target's distribution is made from their output, for plain decoding and
/// every variant alike. Thread-safe.
///
/// @param processors applied in this order
/// @param checked    whether every processor is called twice, to check that it is a function of its arguments
/// @param operators  make a distribution of the processed logits, together with a policy
public record ProcessorChain(
        List<ProcessorChain.Named> processors, boolean checked, OperatorChain operators) {
    public ProcessorChain {
        processors = List.copyOf(processors);
    }

    /// Processors before a policy alone.
    public ProcessorChain(List<ProcessorChain.Named> processors, boolean checked) {
        this(processors, checked, OperatorChain.none());
    }

    /// The same, with other processors.
    public ProcessorChain withProcessors(List<Named> others) {
        return new ProcessorChain(others, checked, operators);
    }

    /// A processor by its name in configurations.
    public record Named(String name, LogitsProcessor processor) {}

    /// Leaves logits as they are.
    public static ProcessorChain none() {
        return new ProcessorChain(List.of(), false);
    }

    /// Whether logits stay as they are and the policy alone makes distributions of them.
    public boolean isEmpty() {
        return processors.isEmpty() && operators.isEmpty();
    }

    /// Room for one thread to process logits in.
    ///
    /// @param vocabulary number of tokens V
    public ProcessedLogits on(int vocabulary) {
        return new ProcessedLogits(this, vocabulary);
    }

    /// Applies a chain of processors to copies of rows of logits. Confined to one thread.
    public static final class ProcessedLogits {
        private final ProcessorChain chain;
        private final int vocabulary;
        private final MemorySegment row;
        private final MemorySegment again;
        private final OperatorRow operated;

        ProcessedLogits(ProcessorChain chain, int vocabulary) {
            this.chain = chain;
            this.vocabulary = vocabulary;
            this.row = room(!chain.processors().isEmpty());
            this.again = room(!chain.processors().isEmpty() && chain.checked());
            this.operated =
                    new OperatorRow(
                            chain.operators(), chain.operators().isEmpty() ? 0 : vocabulary);
        }

        private MemorySegment room(boolean needed) {
            return needed
                    ? Arena.ofAuto().allocate(ValueLayout.JAVA_FLOAT, vocabulary)
                    : MemorySegment.NULL;
        }

        /// Whether anything is changed, so that [#of], [#fill] and [#mode] need the history.
        public boolean usesHistory() {
            return !chain.isEmpty();
        }

        /// Returns the operators, which distributions also depend on, for the states of [#fill].
        public OperatorChain operators() {
            return chain.operators();
        }

        /// Computes the distribution at one position.
        ///
        /// @param policy  makes it of the processed logits
        /// @param logits  shape `[V]` 32-bit floats; not changed
        /// @param history the tokens before the position
        /// @param state   the operators' there
        /// @param result  overwritten
        /// @throws OutriderException as [#of]
        public void fill(
                SamplingPolicy policy,
                MemorySegment logits,
                TokenHistory history,
                double state,
                DistributionBuffer result) {
            var processed = of(logits, history);
            if (chain.operators().isEmpty()) {
                result.fill(policy, processed, history);
            } else {
                operated.fill(policy, processed, history, state, result);
            }
        }

        /// The most probable token at temperature 0, the lowest id among equals.
        ///
        /// @param logits  shape `[V]` 32-bit floats; not changed
        /// @param history the tokens before the position
        /// @throws OutriderException as [#of]
        public int mode(SamplingPolicy policy, MemorySegment logits, TokenHistory history) {
            var processed = of(logits, history);
            return chain.operators().isEmpty()
                    ? Distributions.mode(policy, processed, vocabulary, history)
                    : operated.mode(policy, processed, history);
        }

        /// Returns the logits whose largest [#mode] returns, after operators and processors. Shared: valid until the next call.
        ///
        /// @param logits  shape `[V]` 32-bit floats; not changed
        /// @param history the tokens before the position
        /// @throws OutriderException as [#of]
        public double[] greedyScores(
                SamplingPolicy policy, MemorySegment logits, TokenHistory history) {
            var processed = of(logits, history);
            return chain.operators().isEmpty()
                    ? Distributions.greedyScores(policy, processed, vocabulary, history)
                    : operated.greedyScores(policy, processed, history);
        }

        /// The processed row; the given one if there is nothing to do. Operators are not applied.
        ///
        /// @param logits  shape `[V]` 32-bit floats; not changed
        /// @param history the tokens before the position
        /// @return valid until the next call
        /// @throws OutriderException `PLUGIN_FAILED`, `CONTRACT_BROKEN`, with the processor's name
        public MemorySegment of(MemorySegment logits, TokenHistory history) {
            if (chain.processors().isEmpty()) {
                return logits;
            }
            row.copyFrom(logits.asSlice(0, row.byteSize()));
            for (var each : chain.processors()) {
                if (chain.checked()) {
                    again.copyFrom(row);
                    apply(each, again, history);
                }
                apply(each, row, history);
                if (chain.checked()) {
                    requireSame(each);
                }
                requireLogits(each);
            }
            return row;
        }

        private static void apply(Named each, MemorySegment logits, TokenHistory history) {
            try {
                PluginContext.during(
                        each.processor(),
                        () -> {
                            each.processor().process(logits, history);
                            return true;
                        });
            } catch (OutriderException known) {
                throw known;
            } catch (Exception | Error e) {
                throw ErrorCode.PLUGIN_FAILED.error(
                        "logits processor '%s' failed after %d tokens: %s"
                                .formatted(each.name(), tokens(history), e),
                        "Report it to its author, or leave it out of 'processors'.",
                        e);
            }
        }

        private void requireSame(Named each) {
            long at = row.mismatch(again);
            if (at >= 0) {
                long token = at / Float.BYTES;
                throw broken(
                        each,
                        "made %s and then %s of the same logit of token %d, expected a function of its arguments"
                                .formatted(
                                        again.getAtIndex(ValueLayout.JAVA_FLOAT, token),
                                        row.getAtIndex(ValueLayout.JAVA_FLOAT, token),
                                        token));
            }
        }

        private void requireLogits(Named each) {
            boolean possible = false;
            for (int token = 0; token < vocabulary; token++) {
                float logit = row.getAtIndex(ValueLayout.JAVA_FLOAT, token);
                if (!(logit < Float.POSITIVE_INFINITY)) {
                    throw broken(
                            each,
                            "made %s of the logit of token %d, expected a finite number or minus infinity"
                                    .formatted(logit, token));
                }
                possible |= logit > Float.NEGATIVE_INFINITY;
            }
            if (!possible) {
                throw broken(
                        each,
                        "made all %d tokens impossible, expected a finite logit"
                                .formatted(vocabulary));
            }
        }

        private static OutriderException broken(Named each, String what) {
            return ErrorCode.CONTRACT_BROKEN.error(
                    "logits processor '%s' %s".formatted(each.name(), what),
                    "This is a bug in the processor: report it to its author.");
        }

        private static int tokens(TokenHistory history) {
            return history.length() + history.path().length;
        }
    }
}
