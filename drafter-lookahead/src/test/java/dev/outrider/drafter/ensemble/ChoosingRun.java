package dev.outrider.drafter.ensemble;

import dev.outrider.drafter.ensemble.DrafterSelector.SelectorExperience;
import dev.outrider.drafter.ensemble.VirtualDrafter.Script;
import dev.outrider.drafter.ensemble.VirtualMachine.Costs;
import dev.outrider.engine.acceptance.GreedyRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.DraftLengthPlan;
import dev.outrider.engine.length.ExpectedGainLength;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.length.HeuristicLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.run.DraftLengthPolicy;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// Sequences decoded on a virtual machine by the real loop.
final class ChoosingRun {
    /// Maximum depth.
    static final int MAX = 12;

    private static final int SEQUENCES = 30;
    private static final int TOKENS = 128;

    private ChoosingRun() {}

    /// A compared variant.
    ///
    /// @param drafter on a machine
    /// @param lengths of one run
    record Side(
            String name,
            Function<VirtualMachine, Drafter> drafter,
            Supplier<DraftLengthPlan> lengths) {}

    /// Returns a variant with a fixed depth.
    static Side fixed(Script script, int length) {
        return side("K = " + length, script, () -> new FixedLength(length));
    }

    static Side heuristic(Script script) {
        return side("heuristic", script, () -> new HeuristicLength(4, MAX, 1));
    }

    static Side expectedGain(Script script) {
        return side(
                "expected-gain",
                script,
                () -> shared(new ExpectedGainLength(4, MAX, 0.01).shared()));
    }

    static Side ucb(Script script) {
        return side("ucb", script, () -> new UpperBounds(8)::start);
    }

    /// Returns a choice between one drafter at three lengths and plain decoding.
    static Side choice(Script script) {
        return choice(List.of(script, script, script), List.of(2, 4, 8));
    }

    /// Returns a choice between several drafters and plain decoding.
    static Side choice(List<Script> scripts, List<Integer> lengths) {
        return new Side(
                "choice",
                machine -> {
                    var parts = new ArrayList<Drafter>();
                    for (int part = 0; part < scripts.size(); part++) {
                        parts.add(
                                new VirtualDrafter(machine, lengths.get(part), scripts.get(part)));
                    }
                    return choice(parts);
                },
                FixedLength::drafterLimit);
    }

    private static Drafter choice(List<Drafter> parts) {
        var experience = new SelectorExperience(parts.size(), 0.01);
        var names = IntStream.range(0, parts.size()).mapToObj(part -> "part " + part).toList();
        return new Ensemble(
                parts.stream().map(Drafter::traits).reduce(DrafterTraits::or).orElseThrow(),
                parts,
                sessions -> new ChoiceSession(sessions, names, new DrafterSelector(experience)));
    }

    private static Side side(String name, Script script, Supplier<DraftLengthPlan> lengths) {
        return new Side(name, machine -> new VirtualDrafter(machine, MAX, script), lengths);
    }

    private static DraftLengthPlan shared(Supplier<DraftLengthPolicy> policies) {
        return policies::get;
    }

    /// Returns the nanoseconds per token, the mean of several runs.
    static double timePerToken(Side side, Costs costs, int seeds) {
        return IntStream.range(0, seeds)
                .mapToDouble(seed -> timePerToken(side, costs, (long) seed))
                .average()
                .orElseThrow();
    }

    private static double timePerToken(Side side, Costs costs, long seed) {
        var machine = new VirtualMachine(costs, seed);
        try (var drafter = side.drafter().apply(machine)) {
            var decoder =
                    new Decoder(
                            new VirtualTarget(machine),
                            Optional.of(drafter),
                            new GreedyRule(),
                            side.lengths().get(),
                            false,
                            machine);
            var request = DecodeRequest.of(new int[] {0, 0}, TOKENS, SamplingPolicy.argmax());
            for (int sequence = 0; sequence < SEQUENCES; sequence++) {
                decoder.decode(
                        request, RandomnessSource.of(new KeyedRandomStreams(seed, sequence)));
            }
        }
        return (double) machine.nanos() / (SEQUENCES * TOKENS);
    }
}
