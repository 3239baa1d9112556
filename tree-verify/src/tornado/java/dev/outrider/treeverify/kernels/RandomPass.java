package dev.outrider.treeverify.kernels;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.RopeTable;
import dev.outrider.treeverify.WeightFormat;
import dev.outrider.treeverify.pass.PassStaging;
import dev.outrider.treeverify.pass.ProgramShape;
import java.util.BitSet;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import uk.ac.manchester.tornado.api.common.TornadoDevice;

/// A random shape and a random pass, and trials of kernels over them. Confined to one thread.
final class RandomPass {
    static final int MAX_ROWS = 20;
    static final int WORDS = 2;
    static final int CACHE_ROWS = 300;
    static final int MOVES = 6;
    static final float EPSILON = 1e-5f;

    private final TornadoDevice device;
    private final SplittableRandom random;
    private final DecoderConfig config;
    private final ProgramShape shape;
    private final PassStaging staging;
    private final RopeTable rope;

    RandomPass(TornadoDevice device, long seed) {
        this.device = device;
        random = new SplittableRandom(seed);
        config = randomConfig();
        shape = new ProgramShape(config, MAX_ROWS, WORDS, CACHE_ROWS, MOVES);
        staging = randomPass();
        rope = RopeTable.of(config, config.maxPositions());
    }

    DecoderConfig config() {
        return config;
    }

    ProgramShape shape() {
        return shape;
    }

    PassStaging staging() {
        return staging;
    }

    RopeTable rope() {
        return rope;
    }

    /// A trial with random numbers of its own.
    KernelTrial trial(String kernel) {
        return new KernelTrial(kernel, device, random.split());
    }

    /// A trial of a kernel that reads a matrix.
    KernelTrial trial(String kernel, WeightFormat format) {
        return trial(format == WeightFormat.F32 ? kernel : kernel + ", 16 bits");
    }

    /// The kernels of attention, with so few groups that some go through several chunks.
    AttentionChecks attention(int keyChunk) {
        return new AttentionChecks(
                this::trial,
                shape.withKeyChunk(keyChunk),
                staging,
                1 + random.nextInt(2 * config.heads()));
    }

    private DecoderConfig randomConfig() {
        int keyHeads = 1 + random.nextInt(3);
        int heads = keyHeads * (1 + random.nextInt(4));
        return DecoderConfig.builder().vocabularySize(40 + random.nextInt(90)).hiddenSize(10 + random.nextInt(150)).intermediateSize(10 + random.nextInt(150)).layers(2).heads(heads).keyValueHeads(keyHeads).headSize(2 * (1 + random.nextInt(48))).maxPositions(CACHE_ROWS).normEpsilon(EPSILON).tiedHead(true).slidingWindow(random.nextBoolean() ? OptionalInt.of(1 + random.nextInt(120)) : OptionalInt.empty()).build();
    }

    /// Rows of two sequences: prompt tokens of one, a tree of the other.
    private PassStaging randomPass() {
        var pass = new PassStaging(shape);
        int sources = 40 + random.nextInt(20);
        for (int move = random.nextInt(MOVES + 1); move > 0; move--) {
            pass.move(sources + 2 * move, sources + move);
        }
        int prompt = random.nextInt(MAX_ROWS);
        int before = random.nextInt(90);
        for (int row = 0; row < prompt; row++) {
            boolean last = row == prompt - 1;
            pass.add(token(), before + row, 5, before + row, before + row + 1, new BitSet(), last);
        }
        int nodes = random.nextInt(MAX_ROWS - prompt + 1);
        int length = random.nextInt(90);
        int earlier = random.nextInt(64);
        var masks = new BitSet[nodes];
        for (int node = 0; node < nodes; node++) {
            masks[node] = new BitSet();
            if (node > 0) {
                masks[node].or(masks[random.nextInt(node)]);
            } else {
                masks[node].set(0, earlier);
            }
            masks[node].set(earlier + node);
            pass.add(
                    token(),
                    length + masks[node].cardinality() - 1,
                    // After the other sequence's rows.
                    120,
                    length + earlier + node,
                    length,
                    masks[node],
                    random.nextBoolean());
        }
        return pass;
    }

    private int token() {
        return random.nextInt(config.vocabularySize());
    }
}
