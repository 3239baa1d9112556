package dev.outrider.audit;

import dev.outrider.common.sampling.DistributionBuffer;
import dev.outrider.common.sampling.Distributions;
import dev.outrider.common.sampling.OperatorChain;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.engine.processing.ProcessorChain.ProcessedLogits;
import dev.outrider.engine.scoring.TextRows;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.target.TargetModel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// The distributions of several models at every place of an existing text. Confined to one thread.
///
/// All end-of-sequence tokens count as one, the first: a server may not say which of them ended a text.
final class Oracle {
    private final List<TargetModel> models;
    private final ProcessorChain processors;
    private final int vocabulary;
    private final int[] ends;
    private final Map<Setting, Sampler> samplers = new HashMap<>();
    private final Map<Setting, Sampler> known =
            new IdentityHashMap<>(); // hashing a setting takes long

    /// @param models     the target, then others of the same vocabulary; the caller's
    /// @param processors of the target's logits; its operators are not read
    Oracle(List<TargetModel> models, ProcessorChain processors) {
        this.models = List.copyOf(models);
        this.processors = processors;
        var description = models.getFirst().description();
        this.vocabulary = description.vocabularySize();
        this.ends = description.endOfSequence().stream().mapToInt(each -> each).sorted().toArray();
        for (var each : models) {
            if (each.description().vocabularySize() != vocabulary) {
                throw ErrorCode.DRAFTER_VOCABULARY_MISMATCH.error(
                        "model '%s' has %d tokens and the target %d, expected the same"
                                .formatted(
                                        each.description().name(),
                                        each.description().vocabularySize(),
                                        vocabulary),
                        "Name a model with the target's tokenizer.");
            }
        }
    }

    int vocabulary() {
        return vocabulary;
    }

    /// Returns the token that represents a token: itself, or the first end-of-sequence token for all of them.
    int merged(int token) {
        return Arrays.binarySearch(ends, token) >= 0 ? ends[0] : token;
    }

    /// Ids of tokens that end a text, in order.
    int[] ends() {
        return ends.clone();
    }

    /// Shows every place of a text, in order.
    ///
    /// @param source tokens of an encoder
    /// @param text   token ids after the prompt
    void read(int[] prompt, List<Integer> source, int[] text, Consumer<Place> reader) {
        if (text.length == 0) {
            return;
        }
        samplers.values().forEach(Sampler::begin);
        int[] all = IntStream.concat(Arrays.stream(prompt), Arrays.stream(text)).toArray();
        require(all);
        new TextRows(models, source)
                .read(
                        all,
                        prompt.length,
                        (at, logits) ->
                                reader.accept(
                                        new Place(all, prompt.length, at - prompt.length, logits)));
    }

    private void require(int[] all) {
        for (int token : all) {
            if (token < 0 || token >= vocabulary) {
                throw ErrorCode.TOKEN_OUT_OF_RANGE.error(
                        "the text has the token %d, but the target's last one is %d"
                                .formatted(token, vocabulary - 1),
                        "Name the weights that the server claims to serve.");
            }
        }
    }

    private Sampler sampler(Setting setting) {
        return known.computeIfAbsent(setting, each -> samplers.computeIfAbsent(each, Sampler::new));
    }

    /// One setting of the sampling, and its state along the text.
    private final class Sampler {
        private final Setting setting;
        private final ProcessedLogits processed;
        private int reached = -1;
        private double state;
        private final Map<Integer, double[]> late = new HashMap<>();
        private double[] here = new double[0];

        Sampler(Setting setting) {
            this.setting = setting;
            var chain = OperatorChain.of(setting.operators(), vocabulary, endTokens());
            this.processed =
                    new ProcessorChain(processors.processors(), false, chain).on(vocabulary);
            begin();
        }

        void begin() {
            reached = -1;
            state = processed.operators().firstState();
        }

        double[] at(Place place) {
            if (reached != place.index) {
                if (place.index > 0 && reached == place.index - 1) {
                    double written = here[merged(place.all[place.prompt + place.index - 1])];
                    // The surprise of a token that is possible only by rounding is unknown.
                    state = written > 0 ? processed.operators().nextState(state, written) : state;
                }
                reached = place.index;
                late.clear();
                here = made(place.logits(setting.model()), place.history(0));
            }
            return here;
        }

        double[] made(MemorySegment logits, TokenHistory history) {
            var buffer = new DistributionBuffer(vocabulary);
            processed.fill(setting.policy(), logits, setting.reads().of(history), state, buffer);
            var distribution = buffer.distribution();
            for (int index = 1; index < ends.length; index++) {
                distribution[ends[0]] += distribution[ends[index]];
                distribution[ends[index]] = 0;
            }
            return distribution;
        }
    }

    private Set<Integer> endTokens() {
        return models.getFirst().description().endOfSequence();
    }

    /// A place of a text, while it is shown.
    final class Place {
        private final int[] all;
        private final int prompt;
        private final int index;
        private final IntFunction<MemorySegment> logits;
        private final BitSet prompted = new BitSet();
        private final BitSet written = new BitSet();

        Place(int[] all, int prompt, int index, IntFunction<MemorySegment> logits) {
            this.all = all;
            this.prompt = prompt;
            this.index = index;
            this.logits = logits;
        }

        /// Returns where a token occurred before: 0 nowhere, 1 in the prompt alone, 2 in the written text.
        int seen(int token) {
            if (prompted.isEmpty()) {
                Arrays.stream(all, 0, prompt).forEach(prompted::set);
                Arrays.stream(all, prompt, prompt + index).forEach(written::set);
            }
            return written.get(token) ? 2 : prompted.get(token) ? 1 : 0;
        }

        /// Returns the number of tokens of the text before it.
        int index() {
            return index;
        }

        /// Returns the token that was written here.
        int token() {
            return merged(all[prompt + index]);
        }

        /// The tokens before it.
        ///
        /// @param missing number of last tokens that are left out
        TokenHistory history(int missing) {
            int length = prompt + index - Math.min(missing, index);
            return new TokenHistory(all, length, new int[0], prompt);
        }

        MemorySegment logits(int model) {
            return logits.apply(model);
        }

        /// Returns the distribution here, shape `[V]`. Shared: do not write to it.
        double[] distribution(Setting setting) {
            return sampler(setting).at(this);
        }

        /// Returns the distribution of a server whose history lacks the last tokens.
        double[] stale(Setting setting, int missing) {
            var sampler = sampler(setting);
            var now = sampler.at(this);
            return missing == 0
                    ? now
                    : sampler.late.computeIfAbsent(
                            missing, _ -> sampler.made(logits(setting.model()), history(missing)));
        }

        /// Returns whether the written token is impossible, but would be possible with a slightly larger logit.
        boolean edge(Setting setting, double gap) {
            int token = token();
            if (distribution(setting)[token] > 0) {
                return false;
            }
            var row = logits(setting.model());
            var raised = Arena.ofAuto().allocate(ValueLayout.JAVA_FLOAT, vocabulary);
            raised.copyFrom(row.asSlice(0, raised.byteSize()));
            float logit = raised.getAtIndex(ValueLayout.JAVA_FLOAT, token);
            raised.setAtIndex(ValueLayout.JAVA_FLOAT, token, (float) (logit + gap));
            return sampler(setting).made(raised, history(0))[token] > 0;
        }

        /// Returns by how much the written token's logit is below the largest, at temperature 0.
        double gap(Setting setting) {
            double[] values = scores(setting);
            boolean ended = Arrays.binarySearch(ends, token()) >= 0;
            var alike = ended ? Arrays.stream(ends) : IntStream.of(token());
            return Arrays.stream(values).max().orElseThrow()
                    - alike.mapToDouble(each -> values[each]).max().orElseThrow();
        }

        /// The most probable token.
        int mode(Setting setting) {
            return Distributions.argmax(scores(setting));
        }

        private double[] scores(Setting setting) {
            return sampler(setting)
                    .processed
                    .greedyScores(
                            setting.policy(),
                            logits(setting.model()),
                            setting.reads().of(history(0)));
        }
    }
}
