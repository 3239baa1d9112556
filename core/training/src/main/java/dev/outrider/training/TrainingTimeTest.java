package dev.outrider.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.common.Require;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The training-time test of a drafter that answers mask tokens, for a batch of rows: a slot of depth 0 at every place, which reads
/// the text, and slots of depths 1, 2, .., which read masks, at random places that are the same for the same rows. A place that has
/// a slot of some depth has slots of all smaller depths, so that every guess sees the same as in drafting: the slots of depth 0 up
/// to its place, and the shallower ones of its place.
///
/// Shapes: B rows of W tokens, N slots a row, those of one depth together and the shallowest first. The text's slot at place t is
/// at position t; a slot of depth d at place t is at position t + d.
///
/// @param rows   rows to learn
/// @param plan   depths, and how many places each keeps
/// @param ahead  number of tokens by which a slot's token is ahead of its place: 1 if it is paired with a feature of the place
/// @param places `[B][depths][]`: places of each depth, ascending
/// @see "An et al. 2025 (PARD), section 3.3; Hui et al. 2026 (P-EAGLE), section 4"
@SuppressWarnings("ArrayRecordComponent")
public record TrainingTimeTest(TokenRows rows, DepthPlan plan, int ahead, int[][][] places) {
    private static final float HIDDEN = -1e30f;

    /// @param seed of the run
    /// @throws IllegalArgumentException if a row is too short
    public static TrainingTimeTest draw(TokenRows rows, DepthPlan plan, int ahead, long seed) {
        requireRoom(rows.width(), plan, ahead);
        int all = rows.width() - ahead;
        int[] kept = plan.kept(all);
        var random = new SplittableRandom(31 * seed + Arrays.hashCode(rows.tokens()));
        var places = new int[rows.rows()][plan.depths()][];
        for (var row : places) {
            int[] anchors = shuffled(all - plan.depths() + 1, random);
            for (int depth = 0; depth < row.length; depth++) {
                row[depth] =
                        depth == 0
                                ? ascending(all)
                                : Arrays.stream(anchors, 0, kept[depth]).sorted().toArray();
            }
        }
        return new TrainingTimeTest(rows, plan, ahead, places);
    }

    /// @param width tokens of a row
    /// @throws IllegalArgumentException if that is too short for the depths
    public static void requireRoom(int width, DepthPlan plan, int ahead) {
        Require.that(
                width - ahead > plan.depths(),
                "rows of %d tokens are too short for %d depths",
                width,
                plan.depths());
    }

    private static int[] ascending(int count) {
        var numbers = new int[count];
        Arrays.setAll(numbers, index -> index);
        return numbers;
    }

    private static int[] shuffled(int count, SplittableRandom random) {
        int[] numbers = ascending(count);
        for (int last = count - 1; last > 0; last--) {
            int other = random.nextInt(last + 1);
            int swapped = numbers[last];
            numbers[last] = numbers[other];
            numbers[other] = swapped;
        }
        return numbers;
    }

    /// Returns N.
    public int slots() {
        return Arrays.stream(places[0]).mapToInt(depth -> depth.length).sum();
    }

    /// Returns the program's inputs, in the order of `slots.torchscript`:
    ///
    /// 0. tokens, `[B, N]`
    /// 1. positions, `[B, N]`
    /// 2. what slots see of each other, `[B, 1, N, N]`, 0 or nearly minus infinity
    /// 3. for each slot, the position whose distribution it learns, counted over all rows, `[B N]`
    /// 4. whether its token is learned, 1 or 0, `[B N]`
    public List<NDArray> inputs(PtNDManager manager) {
        int count = rows.rows();
        int width = rows.width();
        int slots = slots();
        var tokens = new long[count * slots];
        var positions = new long[count * slots];
        var mask = new float[count * slots * slots];
        Arrays.fill(mask, HIDDEN);
        var truths = new long[count * slots];
        var learned = new long[count * slots];
        for (int row = 0; row < count; row++) {
            int at = row * slots;
            for (int depth = 0; depth < plan.depths(); depth++) {
                for (int place : places[row][depth]) {
                    int position = place + depth;
                    tokens[at] =
                            depth == 0
                                    ? rows.tokens()[row * width + place + ahead]
                                    : plan.maskToken();
                    positions[at] = position;
                    see(mask, at, row, place, depth);
                    int truth = position + ahead;
                    truths[at] = (long) row * width + truth;
                    // The last position's token is after the row, and is learned if the row's last
                    // token is.
                    int label = row * width + Math.min(truth + 1, width - 1);
                    learned[at] = rows.learned()[label] ? 1 : 0;
                    at++;
                }
            }
        }
        return List.of(
                manager.create(tokens, new Shape(count, slots)),
                manager.create(positions, new Shape(count, slots)),
                manager.create(mask, new Shape(count, 1, slots, slots)),
                manager.create(truths),
                manager.create(learned));
    }

    private void see(float[] mask, int at, int row, int place, int depth) {
        int slots = slots();
        int line = at * slots;
        Arrays.fill(mask, line, line + place + 1, 0);
        int first = 0;
        for (int other = 0; other <= depth; other++) {
            if (other > 0) {
                mask[line + first + Arrays.binarySearch(places[row][other], place)] = 0;
            }
            first += places[row][other].length;
        }
    }

    /// The depths of a drafter that answers mask tokens, and the number of places that each depth keeps.
    ///
    /// @see "An et al. 2025 (PARD), section 3.3, conditional drop tokens; Hui et al. 2026 (P-EAGLE), section 4"
    public record DepthPlan(
            @Doc("Guesses that are practised, the first one, which reads no mask, included.")
                    @Default("8")
                    int depths,
            @Doc("Token that stands for what is to be guessed, best one that texts hardly have.")
                    int maskToken,
            @Doc("Of the places of a depth, the share that the next depth keeps, in (0, 1].")
                    @Default("0.7")
                    double retention,
            @Doc("Share of all places that every depth keeps at least, in (0, 1].") @Default("0.2")
                    double leastRetention) {
        private static final int MAX_DEPTHS = 64;

        public DepthPlan {
            Require.between("depths", depths, 2, MAX_DEPTHS);
            Require.that(maskToken >= 0, "'maskToken' must be a token, got %s", maskToken);
            Require.that(
                    retention > 0 && retention <= 1 && leastRetention > 0 && leastRetention <= 1,
                    "'retention' (%s) and 'leastRetention' (%s) must be in (0, 1]",
                    retention,
                    leastRetention);
        }

        /// Returns the names of the validation measures of every guess: how often its best token is the target's, then how probably
        /// the target accepts a drawn one.
        public List<String> measures() {
            return Stream.of("agreement", "acceptance")
                    .flatMap(name ->
                            IntStream.rangeClosed(1, depths).mapToObj(guess -> name + guess))
                    .toList();
        }

        /// Returns the number of places of a row that are kept at each depth, from depth 0: `[depths]`.
        ///
        /// @param places number of places of depth 0; more than [#depths]
        int[] kept(int places) {
            var kept = new int[depths];
            kept[0] = places;
            int anchors = places - depths + 1;
            for (int depth = 1; depth < depths; depth++) {
                double share = Math.max(Math.pow(retention, depth), leastRetention);
                kept[depth] = Math.max(1, (int) (anchors * share));
            }
            return kept;
        }
    }
}
