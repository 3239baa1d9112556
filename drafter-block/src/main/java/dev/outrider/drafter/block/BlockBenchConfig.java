package dev.outrider.drafter.block;

import dev.outrider.drafting.bench.TimedTarget;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;

/// What `outrider bench-draft block` reads.
public record BlockBenchConfig(
        @Doc("What drafts are timed against.") @Default("{}") TimedTarget target,
        @Doc("Layers of the backbone.") @Default("2") int layers,
        @Doc("Captured states of a position.") @Default("3") int captured,
        @Doc("Slots of a block.") @Default("8") int blockSize,
        @Doc("Guesses taken from a block, at most its slots.") @Default("5") int length,
        @Doc("Positions of the context that come new with a round.") @Default("3") int fed,
        @Doc("Tokens of the head, 0 for all of the target's.") @Default("0") int draftVocabulary,
        @Doc("Width of a vanilla Markov head's embeddings; 0 for none.") @Default("0")
                int markovRank,
        @Doc("Times each side is measured.") @Default("20") int turns) {}
