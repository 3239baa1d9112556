package dev.outrider.experiment.lab;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.node.MissingNode;
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
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// How many guesses each round of another engine kept. Immutable.
///
/// @param texts   at least one, each with a round
/// @param longest guesses that a round kept or, where the file says it, that were drafted
/// @param ordered whether rounds are in their order; otherwise the file has only their counts
public record ForeignRounds(Path file, List<Rounds> texts, int longest, boolean ordered) {
    private static final int MAX_BYTES = 256 << 20;
    private static final int MAX_TOKENS = 1 << 24;
    private static final int MAX_COUNTED = 1 << 16;
    private static final double ROUNDING = 1e-6;
    private static final ObjectReader READER = new ObjectMapper().readerFor(JsonNode.class);

    private static final List<String> TOTALS =
            List.of(
                    "idxs",
                    "decoding_steps",
                    "draft_n_accepted",
                    "spec_verify_ct",
                    "spec_accept_length",
                    "spec_decode_acceptance_length",
                    "avg_decoded_tokens_per_iter");

    /// The rounds of one text.
    ///
    /// @param prompt that it continues
    /// @param kept   guesses of each round
    record Rounds(String prompt, int... kept) {
        int tokens() {
            return Arrays.stream(kept).sum() + kept.length;
        }

        int between(int least, int most) {
            return (int) Arrays.stream(kept).filter(each -> each >= least && each <= most).count();
        }
    }

    /// Reads lines, a list or one object. Each is an answer of Spec-Bench's layout (`accept_lengths` by round; `acceptance_lengths` by turn,
    /// as SpecForge has them), an answer of SGLang with its histogram, or a result of vLLM's `bench serve`.
    ///
    /// @throws OutriderException `DATA_INVALID`, `IO_FAILED`
    public static ForeignRounds read(Path file) {
        var reader = new Reader();
        int number = 0;
        try (var entries = READER.<JsonNode>readValues(BoundedFile.bytes(file, MAX_BYTES))) {
            while (entries.hasNextValue()) {
                reader.entry(entries.nextValue(), ++number);
            }
            return reader.rounds(file);
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

    private static final class Reader {
        private final List<Rounds> texts = new ArrayList<>();
        private boolean ordered = true;
        private int drafted;
        private long tokens;

        // Of texts whose tokens the file counts.
        private long counted;
        private long sum;
        private long size;
        private long slack;

        void entry(JsonNode entry, int number) {
            var named = first(entry, "question_id", "prompt_id", "id");
            var prompt = named.isValueNode() ? named.asText() : "entry " + number;
            var choices = entry.path("choices");
            if (choices.isArray()) {
                // A block of one token is plain decoding.
                items(choices)
                        .filter(choice -> choice.path("block_size").asInt(2) > 1)
                        .forEach(choice -> answer(prompt, choice));
            } else {
                answer(prompt, entry);
            }
        }

        private void answer(String prompt, JsonNode answer) {
            var lengths = first(answer, "accept_lengths", "acceptance_lengths");
            var meta = answer.path("meta_info").isObject() ? answer.path("meta_info") : answer;
            var counts = first(meta, "spec_correct_drafts_histogram", "spec_accept_histogram");
            var rates = answer.path("spec_decode_per_position_acceptance_rates");
            if (lengths.isArray()) {
                var turns = turns(lengths, answer.path("decoding_steps"));
                count(turns, first(answer, "new_tokens", "completion_tokens", "tokens"));
                turns.forEach(turn -> add(prompt, turn));
            } else if (counts.isArray()) {
                var turn = shuffled(numbers(counts, MAX_TOKENS));
                count(List.of(turn), first(meta, "completion_tokens"));
                add(prompt, turn);
            } else if (rates.isArray()) {
                add(prompt, shuffled(counts(rates, answer.path("spec_decode_num_drafts"))));
                drafted = rates.size();
            } else {
                throw new IllegalArgumentException(
                        "it has %s; expected accept_lengths, spec_accept_histogram or spec_decode_per_position_acceptance_rates: what a shorter draft keeps does not follow from totals"
                                .formatted(
                                        TOTALS.stream()
                                                .filter(each -> answer.findValue(each) != null)
                                                .toList()));
            }
        }

        /// A list by turn, or one list that the steps of turns divide.
        private static List<int[]> turns(JsonNode lengths, JsonNode steps) {
            if (lengths.path(0).isArray()) {
                return items(lengths).map(turn -> numbers(turn, Recording.MAX_DEPTH + 1)).toList();
            }
            int[] all = numbers(lengths, Recording.MAX_DEPTH + 1);
            int[] sizes = steps.isArray() ? numbers(steps, MAX_TOKENS) : new int[0];
            if (Arrays.stream(sizes).asLongStream().sum() != all.length) {
                return List.of(all);
            }
            var turns = new ArrayList<int[]>();
            int from = 0;
            for (int turn : sizes) {
                turns.add(Arrays.copyOfRange(all, from, from + turn));
                from += turn;
            }
            return turns;
        }

        /// Rounds of vLLM's counters, at most so many.
        private static int[] counts(JsonNode rates, JsonNode drafts) {
            double rounds = Math.min(MAX_COUNTED, drafts.asDouble(0));
            Require.that(rounds >= 1, "spec_decode_num_drafts is %s, expected a count", drafts);
            Require.that(
                    rates.size() <= Recording.MAX_DEPTH,
                    "%d rates by position, expected at most %d",
                    rates.size(),
                    Recording.MAX_DEPTH);
            var counts = new int[rates.size() + 1];
            double before = 1;
            for (int level = 0; level <= rates.size(); level++) {
                double rate = level == rates.size() ? 0 : rates.get(level).asDouble(-1);
                Require.that(
                        rate >= 0 && rate <= before + ROUNDING,
                        "the rate of position %d is %s, expected 0 to %s, that of the position before",
                        level + 1,
                        rates.path(level),
                        before);
                counts[level] = (int) Math.round(rounds * Math.max(0, before - rate));
                before = rate;
            }
            return counts;
        }

        /// Lengths of rounds, the token after the guesses too, in an order of no meaning.
        ///
        /// @param counts of rounds by the guesses that they kept
        private int[] shuffled(int... counts) {
            long more = 0;
            for (int kept = 0; kept < counts.length; kept++) {
                more += (kept + 1L) * counts[kept];
            }
            requireRoom(more);
            ordered = false;
            var all = new ArrayList<Integer>();
            for (int kept = 0; kept < counts.length; kept++) {
                all.addAll(Collections.nCopies(counts[kept], kept + 1));
            }
            Collections.shuffle(all, new SplittableRandom(texts.size()));
            return all.stream().mapToInt(Integer::intValue).toArray();
        }

        private void requireRoom(long more) {
            Require.that(
                    tokens + more <= MAX_TOKENS,
                    "%d tokens so far, expected at most %d",
                    tokens + more,
                    MAX_TOKENS);
        }

        private void count(List<int[]> turns, JsonNode written) {
            long given =
                    written.isArray()
                            ? Arrays.stream(numbers(written, MAX_TOKENS)).asLongStream().sum()
                            : written.asLong(0);
            if (given > 0) {
                counted += given;
                for (int[] turn : turns) {
                    sum += Arrays.stream(turn).sum();
                    size += turn.length;
                    slack += 1 + Arrays.stream(turn).max().orElse(0);
                }
            }
        }

        private void add(String prompt, int... lengths) {
            if (lengths.length > 0) {
                // With a token for each round, which lengths may leave out.
                long more = Arrays.stream(lengths).asLongStream().sum() + lengths.length;
                requireRoom(more);
                tokens += more;
                texts.add(new Rounds(prompt, lengths));
            }
        }

        /// Spec-Bench's lengths count the correction or bonus, some engines' do not; the tokens of texts tell.
        ForeignRounds rounds(Path file) {
            boolean guesses = counted > 0 && Math.abs(sum + size - counted) < Math.abs(sum - counted);
            long off = Math.abs((guesses ? sum + size : sum) - counted);
            Require.that(
                    counted == 0 || off <= slack,
                    "lengths add up to %d in %d rounds, and texts to %d tokens; expected the same, or as many less as there are rounds",
                    sum,
                    size,
                    counted);
            var kept = new ArrayList<Rounds>();
            int longest = drafted;
            for (var text : texts) {
                int[] each =
                        Arrays.stream(text.kept()).map(length -> length - (guesses ? 0 : 1)).toArray();
                Require.that(
                        Arrays.stream(each).min().orElse(0) >= 0,
                        "'%s' has a round of 0 tokens, expected at least 1",
                        text.prompt());
                longest = Math.max(longest, Arrays.stream(each).max().orElse(0));
                kept.add(new Rounds(text.prompt(), each));
            }
            Require.that(longest > 0, "no round kept a guess, expected rounds with drafts");
            return new ForeignRounds(file, List.copyOf(kept), longest, ordered);
        }

        private static JsonNode first(JsonNode from, String... names) {
            return Stream.of(names)
                    .filter(from::hasNonNull)
                    .findFirst()
                    .map(from::path)
                    .orElse(MissingNode.getInstance());
        }

        private static Stream<JsonNode> items(JsonNode list) {
            return StreamSupport.stream(list.spliterator(), false);
        }

        private static int[] numbers(JsonNode list, int most) {
            return items(list)
                    .mapToInt(each -> {
                        Require.that(
                                each.isInt() && each.asInt() >= 0 && each.asInt() <= most,
                                "%s in a list of counts, expected 0 to %d",
                                each,
                                most);
                        return each.asInt();
                    })
                    .toArray();
        }
    }
}
