package dev.outrider.experiment.lab;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.outrider.common.BoundedFile;
import dev.outrider.common.FailureReason;
import dev.outrider.common.Require;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/// How many guesses each round of another engine kept. Immutable.
///
/// @param texts   at least one, each with a round
/// @param longest guesses that a round kept, at least 1
public record ForeignRounds(Path file, List<Rounds> texts, int longest) {
    private static final int MAX_BYTES = 256 << 20;
    private static final int MAX_TOKENS = 1 << 24;

    /// Rounds that stand for vLLM's counters.
    private static final int MAX_COUNTED = 1 << 16;

    private static final double ROUNDING = 1e-6;
    private static final ObjectReader READER = new ObjectMapper().readerFor(JsonNode.class);

    /// The rounds of one answer.
    ///
    /// @param prompt that it continues
    /// @param kept   guesses of each round
    record Rounds(String prompt, int... kept) {
        long tokens() {
            return Arrays.stream(kept).asLongStream().sum() + kept.length;
        }
    }

    /// Reads lines, a list or one object: answers of Spec-Bench's, SpecForge's or SGLang's layout, or a result of vLLM's `bench serve`.
    ///
    /// @throws OutriderException `DATA_INVALID`, `IO_FAILED`
    public static ForeignRounds read(Path file) {
        var texts = new ArrayList<Rounds>();
        int number = 0;
        long tokens = 0;
        int longest = 0;
        try (var entries = READER.<JsonNode>readValues(BoundedFile.bytes(file, MAX_BYTES))) {
            while (entries.hasNextValue()) {
                number++;
                var entry = entries.nextValue();
                var choices = entry.path("choices");
                for (var answer : choices.isArray() ? choices : List.of(entry)) {
                    var prompt = entry.path("question_id").asText("entry " + number);
                    // A block of one token is plain decoding.
                    boolean plain = answer.path("block_size").asInt(2) == 1;
                    var text = new Rounds(prompt, plain ? new int[0] : kept(answer));
                    if (text.kept().length > 0) {
                        texts.add(text);
                    }
                    tokens += text.tokens();
                    longest = Math.max(longest, Arrays.stream(text.kept()).max().orElse(0));
                    Require.that(
                            longest <= Recording.MAX_DEPTH && tokens <= MAX_TOKENS,
                            "%d tokens so far, and %d guesses in a round; expected at most %d and %d",
                            tokens,
                            longest,
                            MAX_TOKENS,
                            Recording.MAX_DEPTH);
                }
            }
            Require.that(longest > 0, "no round kept a guess, expected rounds with drafts");
            return new ForeignRounds(file, List.copyOf(texts), longest);
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw new OutriderException(
                    ErrorCode.DATA_INVALID,
                    "'%s' is no file of rounds: entry %d: %s"
                            .formatted(file, number, e.getMessage()),
                    "docs/guide/laboratory.md#rounds-of-other-engines says what is read.",
                    e);
        } catch (IOException e) {
            throw FailureReason.reading(file, e);
        }
    }

    private static int[] kept(JsonNode answer) {
        var lengths = first(answer, "accept_lengths", "acceptance_lengths");
        if (!lengths.isArray()) {
            return counted(answer);
        }
        int[] all = numbers(lengths).toArray();
        int[] turns = numbers(first(answer, "new_tokens", "tokens")).toArray();
        long sum = Arrays.stream(all).asLongStream().sum();
        long written = Arrays.stream(turns).asLongStream().sum();
        // Most count the token after the guesses too; others have a token more for each round.
        boolean guesses = Math.abs(sum + all.length - written) < Math.abs(sum - written);
        int more = guesses && written > 0 ? 0 : 1;
        long off = Math.abs(sum + (1L - more) * all.length - written);
        Require.that(
                written == 0 || off <= turns.length * (Arrays.stream(all).max().orElse(0) + 1L),
                "lengths add up to %d in %d rounds, and new_tokens to %d; expected the same, or one more a round",
                sum,
                all.length,
                written);
        Require.that(
                Arrays.stream(all).min().orElse(1) >= more, "a round of 0 tokens, expected 1");
        return Arrays.stream(all).map(length -> length - more).toArray();
    }

    /// Rounds of a histogram, or of vLLM's shares of drafts that keep a position, in an order of no meaning.
    private static int[] counted(JsonNode answer) {
        var meta = answer.path("meta_info").isObject() ? answer.path("meta_info") : answer;
        var histogram = first(meta, "spec_correct_drafts_histogram", "spec_accept_histogram");
        var rates = answer.path("spec_decode_per_position_acceptance_rates");
        Require.that(
                histogram.isArray() || rates.isArray(),
                "no accept_lengths, spec_accept_histogram or spec_decode_per_position_acceptance_rates; totals, such as draft_n_accepted, do not say what shorter drafts keep");
        int[] counts = numbers(histogram).toArray();
        if (rates.isArray()) {
            double drafts = Math.min(MAX_COUNTED, answer.path("spec_decode_num_drafts").asDouble());
            counts = new int[rates.size() + 1];
            double before = 1;
            for (int level = 0; level < counts.length; level++) {
                double rate = level < rates.size() ? rates.path(level).asDouble(-1) : 0;
                Require.that(
                        rate >= 0 && rate <= before + ROUNDING,
                        "rate %s of position %d, expected 0 to %s",
                        rate,
                        level + 1,
                        before);
                counts[level] = (int) Math.round(Math.max(0, drafts * (before - rate)));
                before = rate;
            }
        }
        var kept = new ArrayList<Integer>();
        for (int guesses = 0; guesses < counts.length; guesses++) {
            Require.that(
                    kept.size() + (long) counts[guesses] <= MAX_TOKENS,
                    "more than %d rounds, expected fewer",
                    MAX_TOKENS);
            kept.addAll(Collections.nCopies(counts[guesses], guesses));
        }
        Collections.shuffle(kept, new SplittableRandom(1));
        return kept.stream().mapToInt(Integer::intValue).toArray();
    }

    private static JsonNode first(JsonNode from, String name, String other) {
        return from.has(name) ? from.path(name) : from.path(other);
    }

    /// Those of lists in a list too; none of what is missing.
    private static IntStream numbers(JsonNode node) {
        if (node.isArray() || node.isMissingNode()) {
            return StreamSupport.stream(node.spliterator(), false)
                    .flatMapToInt(ForeignRounds::numbers);
        }
        Require.that(
                node.isInt() && node.asInt() >= 0 && node.asInt() <= MAX_TOKENS,
                "%s in a list of counts, expected 0 to %d",
                node,
                MAX_TOKENS);
        return IntStream.of(node.asInt());
    }
}
