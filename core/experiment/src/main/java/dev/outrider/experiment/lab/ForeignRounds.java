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
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/// The number of accepted guesses of each round of another engine. Immutable.
///
/// @param texts   at least one, each with a round
/// @param drafted guesses of a round's draft, from the file, or the most that a round accepted; at least 1
/// @param ordered whether rounds are in their order
public record ForeignRounds(Path file, List<Rounds> texts, int drafted, boolean ordered) {
    private static final int SHOWN = 8;
    private static final int MAX_BYTES = 256 << 20;
    private static final int MAX_TOKENS = 1 << 20;

    /// The most rounds that are made from vLLM's counters.
    private static final int MAX_COUNTED = 1 << 16;

    private static final ObjectReader READER = new ObjectMapper().readerFor(JsonNode.class);

    /// The rounds of one answer.
    ///
    /// @param prompt id of the prompt
    /// @param kept   guesses of each round
    record Rounds(String prompt, int... kept) {
        long tokens() {
            return stream(kept).asLongStream().sum() + kept.length;
        }
    }

    /// Lengths of the rounds of one answer, as a file gives them.
    ///
    /// @param tokens of each turn; empty if they are not known
    private record Lengths(String prompt, int[] all, int[] tokens) {
        /// Returns how much the sum of the lengths exceeds the tokens.
        long off() {
            long written = stream(tokens).asLongStream().sum();
            return written == 0 ? 0 : stream(all).asLongStream().sum() - written;
        }
    }

    /// Reads lines, a list or one object: answers of Spec-Bench's, SpecForge's or SGLang's layout, or a result of vLLM's `bench serve`.
    ///
    /// @throws OutriderException `DATA_INVALID`, `IO_FAILED`
    public static ForeignRounds read(Path file) {
        var texts = new ArrayList<Rounds>();
        var lengths = new ArrayList<Lengths>();
        var blocks = new TreeSet<Integer>();
        int drafted = 0;
        int number = 0;
        try (var entries = READER.<JsonNode>readValues(BoundedFile.bytes(file, MAX_BYTES))) {
            while (entries.hasNextValue()) {
                number++;
                var entry = entries.nextValue();
                var prompt = entry.path("question_id").asText("entry " + number);
                var choices = entry.path("choices");
                for (var answer : choices.isArray() ? choices : List.of(entry)) {
                    int block = answer.path("block_size").asInt(0);
                    var rounds = first(answer, "accept_lengths", "acceptance_lengths");
                    if (block == 1) {
                        continue; // plain decoding
                    }
                    blocks.add(block);
                    drafted = Math.max(drafted, block - 1);
                    if (rounds.isArray()) {
                        var turns = numbers(first(answer, "new_tokens", "tokens")).toArray();
                        lengths.add(new Lengths(prompt, numbers(rounds).toArray(), turns));
                    } else {
                        int[] counts = counts(answer);
                        drafted = Math.max(drafted, counts.length - 1);
                        texts.add(new Rounds(prompt, shuffled(counts)));
                    }
                }
            }
            Require.that(blocks.size() <= 1, "block sizes %s, expected one", blocks);
            boolean ordered = texts.isEmpty();
            texts.addAll(rounds(lengths));
            texts.removeIf(text -> text.kept().length == 0);
            long tokens = texts.stream().mapToLong(Rounds::tokens).sum();
            int longest = texts.stream().flatMapToInt(text -> stream(text.kept())).max().orElse(0);
            drafted = Math.max(drafted, longest);
            Require.that(
                    tokens <= MAX_TOKENS && longest > 0 && drafted <= Recording.MAX_DEPTH,
                    "%d tokens, and %d guesses kept by a round; expected at most %d, and 1 to %d",
                    tokens,
                    longest,
                    MAX_TOKENS,
                    Recording.MAX_DEPTH);
            return new ForeignRounds(file, List.copyOf(texts), drafted, ordered);
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw ErrorCode.DATA_INVALID.error(
                    "'%s' is no file of rounds: entry %d: %s"
                            .formatted(file, number, e.getMessage()),
                    "docs/guide/laboratory.md#rounds-of-other-engines says what is read.",
                    e);
        } catch (IOException e) {
            throw FailureReason.reading(file, e);
        }
    }

    /// Returns the accepted guesses of rounds. In most files a length includes the token after the guesses; in other files it does
    /// not.
    private static List<Rounds> rounds(List<Lengths> lengths) {
        long off = lengths.stream().mapToLong(Lengths::off).sum();
        long rounds =
                lengths.stream()
                        .filter(each -> each.tokens().length > 0)
                        .mapToLong(each -> each.all().length)
                        .sum();
        int more = Math.abs(off + rounds) < Math.abs(off) ? 0 : 1;
        for (var each : lengths) {
            int[] all = each.all();
            long sum = stream(all).asLongStream().sum() + (1L - more) * all.length;
            long slack = each.tokens().length * (stream(all).max().orElse(0) + 1L);
            Require.that(
                    each.tokens().length == 0
                            || Math.abs(each.off() + (1L - more) * all.length) <= slack,
                    "the lengths of %d rounds add up to %d tokens, but new_tokens to %d",
                    all.length,
                    sum,
                    stream(each.tokens()).asLongStream().sum());
            Require.that(
                    stream(all).allMatch(length -> length >= more),
                    "a round of 0 tokens, expected 1");
        }
        return lengths.stream()
                .map(each ->
                        new Rounds(
                                each.prompt(),
                                stream(each.all()).map(length -> length - more).toArray()))
                .toList();
    }

    /// Returns the number of rounds by accepted guesses: from a histogram, or from vLLM's shares of drafts that keep a position.
    private static int[] counts(JsonNode answer) {
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
        return counts;
    }

    /// Returns rounds in a random order, because the file has no order.
    private static int[] shuffled(int... counts) {
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

    /// Tokens of all texts.
    public long tokens() {
        return texts.stream().mapToLong(Rounds::tokens).sum();
    }

    private static JsonNode first(JsonNode from, String name, String other) {
        return from.hasNonNull(name) ? from.path(name) : from.path(other);
    }

    /// Returns the numbers of a node, lists in lists included; none if the node is missing.
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
