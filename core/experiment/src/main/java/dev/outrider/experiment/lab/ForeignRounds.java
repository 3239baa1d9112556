package dev.outrider.experiment.lab;

import static java.util.Arrays.stream;

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
    private static final int SHOWN = 8;
    private static final int MAX_BYTES = 256 << 20;
    private static final int MAX_TOKENS = 1 << 20;

    /// Rounds that stand for vLLM's counters.
    private static final int MAX_COUNTED = 1 << 16;

    private static final ObjectReader READER = new ObjectMapper().readerFor(JsonNode.class);

    /// The rounds of one answer.
    ///
    /// @param prompt that it continues
    /// @param kept   guesses of each round
    record Rounds(String prompt, int... kept) {
        long tokens() {
            return stream(kept).asLongStream().sum() + kept.length;
        }
    }

    /// Reads lines, a list or one object: answers of Spec-Bench's, SpecForge's or SGLang's layout, or a result of vLLM's `bench serve`.
    ///
    /// @throws OutriderException `DATA_INVALID`, `IO_FAILED`
    public static ForeignRounds read(Path file) {
        var texts = new ArrayList<Rounds>();
        int number = 0;
        try (var entries = READER.<JsonNode>readValues(BoundedFile.bytes(file, MAX_BYTES))) {
            while (entries.hasNextValue()) {
                number++;
                var entry = entries.nextValue();
                var prompt = entry.path("question_id").asText("entry " + number);
                var choices = entry.path("choices");
                for (var answer : choices.isArray() ? choices : List.of(entry)) {
                    // A block of one token is plain decoding.
                    if (answer.path("block_size").asInt(2) > 1) {
                        texts.add(new Rounds(prompt, kept(answer)));
                    }
                }
            }
            texts.removeIf(text -> text.kept().length == 0);
            long tokens = texts.stream().mapToLong(Rounds::tokens).sum();
            int longest = texts.stream().flatMapToInt(text -> stream(text.kept())).max().orElse(0);
            Require.that(
                    tokens <= MAX_TOKENS && longest > 0 && longest <= Recording.MAX_DEPTH,
                    "%d tokens, and %d guesses kept by a round; expected at most %d, and 1 to %d",
                    tokens,
                    longest,
                    MAX_TOKENS,
                    Recording.MAX_DEPTH);
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
        long written = stream(turns).asLongStream().sum();
        long off = written == 0 ? 0 : stream(all).asLongStream().sum() - written;
        // Most count the token after the guesses too; others have a token more for each round.
        int more = Math.abs(off + all.length) < Math.abs(off) ? 0 : 1;
        Require.that(
                Math.abs(off + (1L - more) * all.length)
                        <= turns.length * (stream(all).max().orElse(0) + 1L),
                "lengths of %d rounds add up to %d more than new_tokens, expected 0 or -%1$d",
                all.length,
                off);
        Require.that(stream(all).allMatch(each -> each >= more), "a round of 0 tokens, expected 1");
        return stream(all).map(length -> length - more).toArray();
    }

    /// Rounds of a histogram, or of vLLM's shares of drafts that keep a position, in an order of no meaning.
    private static int[] counted(JsonNode answer) {
        var meta = answer.has("meta_info") ? answer.path("meta_info") : answer;
        var histogram = first(meta, "spec_correct_drafts_histogram", "spec_accept_histogram");
        var rates = answer.path("spec_decode_per_position_acceptance_rates");
        Require.that(
                histogram.isArray() || rates.isArray(),
                "no accept_lengths, spec_accept_histogram or spec_decode_per_position_acceptance_rates; totals, such as draft_n_accepted, do not say what shorter drafts keep");
        double drafts = Math.min(MAX_COUNTED, answer.path("spec_decode_num_drafts").asDouble());
        int[] counts =
                histogram.isArray()
                        ? numbers(histogram).toArray()
                        : IntStream.rangeClosed(0, rates.size())
                                .mapToDouble(level -> rate(rates, level) - rate(rates, level + 1))
                                .mapToInt(share -> (int) Math.round(drafts * share))
                                .toArray();
        Require.that(
                stream(counts).allMatch(each -> each >= 0)
                        && stream(counts).asLongStream().sum() <= MAX_TOKENS,
                "%s rounds by guesses kept, expected counts of at most %d rounds",
                Arrays.toString(Arrays.copyOf(counts, Math.min(counts.length, SHOWN))),
                MAX_TOKENS);
        var kept = new ArrayList<Integer>();
        for (int guesses = 0; guesses < counts.length; guesses++) {
            kept.addAll(Collections.nCopies(counts[guesses], guesses));
        }
        Collections.shuffle(kept, new SplittableRandom(1));
        return kept.stream().mapToInt(Integer::intValue).toArray();
    }

    private static double rate(JsonNode rates, int position) {
        return position == 0
                ? 1
                : rates.path(position - 1).asDouble(position > rates.size() ? 0 : -1);
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
        boolean count = node.isInt() && node.asInt() >= 0 && node.asInt() <= MAX_TOKENS;
        Require.that(count, "%s in a list of counts, expected 0 to %d", node, MAX_TOKENS);
        return IntStream.of(node.asInt());
    }
}
