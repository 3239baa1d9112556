package dev.outrider.treeverify.pass;

import dev.outrider.nn.gguf.GgufType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/// Random blocks of GGUF's formats, with all levels and all counts, including those that rounding does not use.
public final class RandomBlocks {
    private RandomBlocks() {}

    /// Returns blocks whose numbers have approximately the given standard deviation and a mean of zero.
    public static byte[] of(GgufType type, int blocks, double deviation, SplittableRandom random) {
        var data = ByteBuffer.allocate(blocks * type.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        random.nextBytes(data.array());
        int place =
                switch (type) {
                    case Q2_K -> 80;
                    case Q3_K -> 108;
                    case Q6_K -> 208;
                    default -> 0;
                };
        double unit =
                deviation
                        * switch (type) {
                            case Q2_K -> 0.05;
                            case Q3_K -> 0.02;
                            case Q4_K -> 0.004;
                            case Q5_K -> 0.002;
                            case Q6_K -> 0.0007;
                            case Q8_0 -> 0.014;
                            case Q5_0, Q5_1 -> 0.11;
                            default -> 0.22;
                        };
        double middle = ((1 << (type.name().charAt(1) - '0')) - 1) / 2.0;
        for (int block = 0; block < blocks; block++) {
            int at = block * type.bytes() + place;
            double drawn = unit * (0.5 + random.nextDouble());
            if (type == GgufType.MXFP4) {
                data.put(at, (byte) (Math.getExponent(drawn) + 127));
                continue;
            }
            double sign = type.offsets() || random.nextBoolean() ? 1 : -1;
            data.putShort(at, Float.floatToFloat16((float) (sign * drawn)));
            if (type.offsets()) {
                double offset = type.groups() > 1 ? middle * drawn : -middle * drawn;
                data.putShort(at + 2, Float.floatToFloat16((float) offset));
            }
        }
        return data.array();
    }
}
