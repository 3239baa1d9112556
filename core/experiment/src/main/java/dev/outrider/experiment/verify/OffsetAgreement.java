package dev.outrider.experiment.verify;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Counts how often a draft's guesses are the target's tokens at their own position, one before it and one after it. A guess counts
/// if the text has all three, so that the offsets are compared on the same guesses.
///
/// Guess 1 is one position after the draft's root; its token one before is the root itself. Not thread-safe.
public final class OffsetAgreement {
    /// The offsets, in the order of tables.
    public static final List<Integer> OFFSETS = List.of(-1, 0, 1);

    /// Share of the guesses by which one offset must lead, so that a frequent token does not count as agreement.
    private static final double MIN_LEAD = 0.1;

    /// Standard errors by which it must lead; more than usual, because guesses of one draft are not independent.
    private static final double MIN_ERRORS = 4;

    private final List<int[]> slots = new ArrayList<>();
    private final List<Integer> counted = new ArrayList<>();
    private final Map<Integer, Integer> guessed = new HashMap<>();
    private final Map<Integer, Integer> written = new HashMap<>();

    /// Counts one draft.
    ///
    /// @param text    token ids, prompt included
    /// @param root    place of the draft's root in the text
    /// @param guesses token ids, that of depth 1 first
    void add(int[] text, int root, int... guesses) {
        int most = Math.min(guesses.length, text.length - root - 2);
        for (int slot = 0; slot < most; slot++) {
            if (slots.size() == slot) {
                slots.add(new int[OFFSETS.size()]);
                counted.add(0);
            }
            int place = root + 1 + slot;
            for (int index = 0; index < OFFSETS.size(); index++) {
                if (guesses[slot] == text[place + OFFSETS.get(index)]) {
                    slots.get(slot)[index]++;
                }
            }
            counted.set(slot, counted.get(slot) + 1);
            guessed.merge(guesses[slot], 1, Integer::sum);
            written.merge(text[place], 1, Integer::sum);
        }
    }

    /// Guesses of a draft that were counted at least once.
    public int slots() {
        return slots.size();
    }

    /// Returns the number of guesses in a slot.
    ///
    /// @param slot 0 for the first guess of a draft
    public int counted(int slot) {
        return counted.get(slot);
    }

    /// Returns the number of guesses in all slots.
    public int counted() {
        return counted.stream().mapToInt(Integer::intValue).sum();
    }

    /// Share of a slot's guesses that are the target's token at an offset.
    public double agreement(int slot, int offset) {
        return slots.get(slot)[OFFSETS.indexOf(offset)] / (double) counted(slot);
    }

    /// The same of all slots together; 0 without guesses.
    public double agreement(int offset) {
        return agreed(offset) / (double) Math.max(1, counted());
    }

    /// Returns the share that would agree if the same guesses stood at random places: the sum over tokens of their frequency among
    /// guesses times their frequency in the text.
    public double chance() {
        double all = Math.max(1, counted());
        return guessed.entrySet().stream()
                .mapToDouble(each ->
                        each.getValue() / all * written.getOrDefault(each.getKey(), 0) / all)
                .sum();
    }

    /// Returns the conclusion.
    public Alignment alignment() {
        int best = OFFSETS.stream().max(Comparator.comparing(this::agreed)).orElseThrow();
        double next =
                OFFSETS.stream()
                        .filter(offset -> offset != best)
                        .mapToDouble(this::agreed)
                        .max()
                        .orElseThrow();
        double other = Math.max(next, chance() * counted());
        double lead = agreed(best) - other;
        boolean clear =
                lead >= MIN_LEAD * counted()
                        && lead >= MIN_ERRORS * Math.sqrt(agreed(best) + other)
                        && lead > 0;
        if (!clear) {
            return Alignment.CHANCE;
        }
        return switch (best) {
            case -1 -> Alignment.ONE_BEFORE;
            case 0 -> Alignment.RIGHT;
            default -> Alignment.ONE_AFTER;
        };
    }

    /// Returns whether guesses agree at their own place clearly less often than those of another reading of the same drafter.
    public boolean clearlyBelow(OffsetAgreement other) {
        double lead = other.agreement(0) - agreement(0);
        return lead >= MIN_LEAD && lead >= MIN_ERRORS * Math.hypot(error(), other.error());
    }

    /// Standard error of the agreement at offset 0.
    private double error() {
        return Math.sqrt(agreement(0) * (1 - agreement(0)) / Math.max(1, counted()));
    }

    private int agreed(int offset) {
        int index = OFFSETS.indexOf(offset);
        return slots.stream().mapToInt(slot -> slot[index]).sum();
    }

    /// The conclusion from the agreement at the offsets.
    public enum Alignment {
        /// Guess k is the target's token k.
        RIGHT,

        /// Guess k is the target's token k - 1.
        ONE_BEFORE,

        /// Guess k is the target's token k + 1.
        ONE_AFTER,

        /// No offset agrees clearly more often than the others and than guesses at random places.
        CHANCE
    }
}
