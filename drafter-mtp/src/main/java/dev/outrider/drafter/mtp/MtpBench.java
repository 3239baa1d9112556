package dev.outrider.drafter.mtp;

import dev.outrider.drafter.mtp.MtpConfig.ConcatOrder;
import dev.outrider.drafting.bench.BenchWatch;
import dev.outrider.drafting.bench.DraftTimes;
import dev.outrider.drafting.bench.FeatureTiming;
import dev.outrider.drafting.bench.HeadBench;
import dev.outrider.drafting.bench.TimedTarget;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;

/// The configuration of `bench-draft mtp`.
public record MtpBench(
        @Doc("What drafts are timed against.") @Default("{}") TimedTarget target,
        @Doc("Steps of a chain.") @Default("5") int length,
        @Doc("Times each variant is measured.") @Default("20") int turns) {
    /// Returns how a module of DeepSeek's layout makes its input.
    static FusionConfig fusion(DecoderConfig target) {
        return Layout.DEEPSEEK.fusion(target, ConcatOrder.EMBEDDING_FIRST, Layout.Storage.SHARED);
    }

    /// `bench-draft mtp`.
    public static final class Bench extends HeadBench<MtpBench> {
        public Bench() {
            super(
                    MtpHead.NAME,
                    MtpBench.class,
                    "Times a chain of steps of one multi-token prediction module against a target pass of one row.",
                    "A step's share of a pass is c. The bound is what the bytes of both allow: a step reads one layer and a whole vocabulary projection.",
                    "bench-draft mtp --shape tinyllama-1.1b");
        }

        @Override
        protected Plan plan(MtpBench config) {
            return FeatureTiming.chain(
                    "MTP",
                    config.target(),
                    fusion(config.target().decoder()),
                    config.length(),
                    config.turns());
        }

        @Override
        public DraftTimes times(String drafter, TimedTarget target, int length, BenchWatch watch) {
            return perStep(new MtpBench(target, length, 20), watch);
        }
    }
}
