package dev.outrider.drafter.lookahead;

import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.Generation;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetModel;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Runs the real decode loop with contract checks.
final class Decoding {
    private Decoding() {}

    static Decoder with(TargetModel target, Drafter drafter) {
        return new Decoder(
                target,
                Optional.of(drafter),
                new SampleAndMatchRule(),
                FixedLength.drafterLimit(),
                true,
                () -> 0);
    }

    static int[] plainGreedy(TargetModel target, int[] prompt, int tokens) {
        return Decoder.plain(target, new SampleAndMatchRule(), () -> 0)
                .decode(request(prompt, tokens), randomness())
                .tokens();
    }

    static Generation greedy(TargetModel target, Drafter drafter, int[] prompt, int tokens) {
        return greedy(target, drafter, prompt, tokens, _ -> {});
    }

    /// @param rounds receives every round
    static Generation greedy(
            TargetModel target,
            Drafter drafter,
            int[] prompt,
            int tokens,
            Consumer<RoundCompleted> rounds) {
        return with(target, drafter)
                .decode(
                        request(prompt, tokens),
                        randomness(),
                        event -> {
                            switch (event) {
                                case RoundCompleted round -> rounds.accept(round);
                                case DecodeEvent.BeamPassCompleted _,
                                        DecodeEvent.Prefilled _,
                                        DecodeEvent.PluginFailed _,
                                        DecodeEvent.Finished _ -> {}
                            }
                        },
                        () -> false);
    }

    private static DecodeRequest request(int[] prompt, int tokens) {
        return new DecodeRequest(prompt, tokens, SamplingPolicy.argmax(), List.of(), false);
    }

    private static RandomnessSource randomness() {
        return RandomnessSource.of(new KeyedRandomStreams(1, 0));
    }
}
