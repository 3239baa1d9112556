package dev.outrider.nn.jit;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Assembles the instructions of x86-64 that kernels need. Vector registers have 512 bits and numbers from 0 to 31
/// (AVX-512), or 256 bits and numbers from 0 to 15 (AVX2). Confined to its thread.
///
/// @see "Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, sections 2.3 (VEX), 2.7 (EVEX) and 3 to 5"
public final class Assembler {
    /// Bytes of a vector register of AVX-512, and of AVX2.
    public static final int AVX_512 = 64;

    public static final int AVX2 = 32;

    private static final int LOW = 7;
    private static final int EVEX = 0x62;
    private static final int VEX = 0xc4;
    private static final int LENGTH_256 = 0x04;
    private static final int TWO_REGISTERS = 0xc0;
    private static final int BASE_AND_OFFSET = 0x80;
    private static final int FROM_NEXT = 0x05;
    private static final int LENGTH_512 = 0x40;
    private static final int WIDE = 0x48;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final int vector;
    private boolean begun;

    /// Makes an assembler of a function without code.
    ///
    /// @param vector [#AVX_512] or [#AVX2]
    public Assembler(int vector) {
        this.vector = vector;
    }

    /// Registers of a function's arguments, in their order, and three that are free.
    public enum Register {
        FIRST(7),
        SECOND(6),
        THIRD(2),
        FOURTH(1),
        FIFTH(8),
        SIXTH(9),
        FREE(0),
        SPARE(10),
        OTHER(11);

        private final int number;

        Register(int number) {
            this.number = number;
        }
    }

    /// Shifts of 32-bit lanes.
    public enum Shift {
        LEFT(6),
        RIGHT(2),
        RIGHT_WITH_SIGN(4);

        private final int number;

        Shift(int number) {
            this.number = number;
        }
    }

    /// Operations of vectors: destination, first source, second source.
    public enum Operation {
        /// Bitwise and.
        AND(1, 1, 0, 0xdb),
        /// Bitwise exclusive or.
        XOR(1, 1, 0, 0xef),
        /// Bitwise or.
        OR(1, 1, 0, 0xeb),
        /// Sums of 16-bit integers, and of 32-bit ones.
        ADD_SHORTS(1, 1, 0, 0xfd),
        ADD_INTEGERS(1, 1, 0, 0xfe),
        /// The lower halves of products of 16-bit integers.
        MULTIPLY_SHORTS(1, 1, 0, 0xd5),
        /// Sums of two products of 16-bit integers for each 32-bit lane.
        DOT_SHORTS(1, 1, 0, 0xf5),
        /// Sums of two products of an unsigned byte of the first source and a signed byte of the second for each 16-bit lane.
        DOT_BYTES(2, 1, 0, 0x04),
        /// The second source's signed bytes without their sign. The first source must be register 0.
        SIZES(2, 1, 0, 0x1c),
        /// Signed bytes of the first source, with the sign of the second source's, or zero where that is zero (AVX2).
        SIGN(2, 1, 0, 0x08),
        /// Eight bits of the second source's 64 bits for each byte, from the bit on that the byte of the first source names.
        MULTISHIFT(2, 1, 1, 0x83),
        /// Adds products of four unsigned bytes of the first source and four signed bytes of the second to each 32-bit lane.
        DOT(2, 1, 0, 0x50),
        /// The destination, or the bits that both sources have.
        OR_AND(3, 1, 0, 0x25, 0xf8), // the truth table of a | (b & c)
        /// The 32-bit integers of both sources in 16 bits: for each 128 bits those of the first source, then of the second.
        PACK(2, 1, 0, 0x2b),
        /// The first and the third 64 bits of the second source (AVX2). The first source must be register 0.
        JOIN(3, 1, 1, 0x00, 0x08),
        /// The second source's 32-bit integers as floats. The first source of this and the next one must be register 0.
        TO_FLOATS(1, 0, 0, 0x5b),
        /// The 16-bit floats in the second source's first half as 32-bit floats.
        WIDEN(2, 1, 0, 0x13),
        /// Products of floats.
        MULTIPLY(1, 0, 0, 0x59),
        /// Adds products of floats to the destination; rounded once.
        ADD_PRODUCT(2, 1, 0, 0xb8),
        /// Subtracts products of floats from the destination; rounded once.
        SUBTRACT_PRODUCT(2, 1, 0, 0xbc);

        private final int map;
        private final int prefix;
        private final int wide;
        private final int code;
        private final int immediate;

        Operation(int map, int prefix, int wide, int code) {
            this(map, prefix, wide, code, 0);
        }

        Operation(int map, int prefix, int wide, int code, int immediate) {
            this.map = map;
            this.prefix = prefix;
            this.wide = wide;
            this.code = code;
            this.immediate = immediate;
        }
    }

    /// Stores a constant before the code.
    ///
    /// @param bytes as many as a vector register has
    /// @return the constant's place, for [#constant]
    public int keep(byte[] bytes) {
        if (begun || bytes.length != vector) {
            throw new IllegalStateException("constants come first, a vector each");
        }
        int place = this.bytes.size();
        this.bytes.writeBytes(bytes);
        return place;
    }

    /// Begins the code.
    ///
    /// @return the place of its first instruction
    public int begin() {
        begun = true;
        return bytes.size();
    }

    /// Returns the place of the next instruction.
    public int here() {
        return bytes.size();
    }

    /// Loads a constant.
    public void constant(int to, int place) {
        prefix(1, 2, 0, to, 0, 0);
        put(0x6f, FROM_NEXT | (to & LOW) << 3);
        word(place - here() - Integer.BYTES);
    }

    /// Appends an operation whose second source is a constant.
    public void applyConstant(Operation operation, int to, int first, int place) {
        prefix(operation.map, operation.prefix, operation.wide, to, first, 0);
        put(operation.code, FROM_NEXT | (to & LOW) << 3);
        word(place - here() - Integer.BYTES);
    }

    /// Loads a vector.
    public void load(int to, Register base, int offset) {
        memory(1, 2, 0x6f, to, base, offset);
    }

    /// Stores a vector.
    public void store(Register base, int offset, int from) {
        memory(1, 2, 0x7f, from, base, offset);
    }

    /// Loads bytes as unsigned integers of 16 bits.
    public void loadBytesAsShorts(int to, Register base, int offset) {
        memory(2, 1, 0x30, to, base, offset);
    }

    /// Loads bytes as integers of 32 bits.
    ///
    /// @param signed whether bytes have a sign
    public void loadBytesAsIntegers(int to, Register base, int offset, boolean signed) {
        memory(2, 1, signed ? 0x21 : 0x31, to, base, offset);
    }

    /// Shifts every 32-bit lane.
    public void shift(Shift shift, int to, int from, int bits) {
        prefix(1, 1, 0, shift.number, to, from);
        put(0x72, TWO_REGISTERS | shift.number << 3 | from & LOW, bits);
    }

    /// Collects the lower 16 bits of every 32-bit lane in the first half of a register (AVX-512).
    public void narrow(int to, int from) {
        prefix(2, 2, 0, from, 0, to);
        put(0x33, TWO_REGISTERS | (from & LOW) << 3 | to & LOW);
    }

    /// Asks for the line of memory at a place, in the second-level cache.
    public void prefetch(Register base, int offset) {
        put(0x40 | base.number >> 3, 0x0f, 0x18, BASE_AND_OFFSET | 2 << 3 | base.number & LOW);
        word(offset);
    }

    /// Loads 32 bits into every lane.
    public void broadcast(int to, Register base, int offset) {
        memory(2, 1, 0x58, to, base, offset);
    }

    /// Appends an operation on registers.
    public void apply(Operation operation, int to, int first, int second) {
        prefix(operation.map, operation.prefix, operation.wide, to, first, second);
        put(operation.code, TWO_REGISTERS | (to & LOW) << 3 | second & LOW);
        if (operation.immediate != 0) {
            put(operation.immediate);
        }
    }

    /// Appends an operation whose second source is a vector in memory.
    public void applyVector(Operation operation, int to, int first, Register base, int offset) {
        prefix(operation.map, operation.prefix, operation.wide, to, first, base.number);
        place(operation.code, to, base, offset);
    }

    /// Sets a register to a number.
    public void set(Register register, int number) {
        put(WIDE | register.number >> 3, 0xc7, TWO_REGISTERS | register.number & LOW);
        word(number);
    }

    /// Copies a register.
    public void copy(Register to, Register from) {
        registers(0x89, to, from);
    }

    /// Adds a register to another one.
    public void add(Register to, Register from) {
        registers(0x01, to, from);
    }

    private void registers(int code, Register to, Register from) {
        put(
                WIDE | from.number >> 3 << 2 | to.number >> 3,
                code,
                TWO_REGISTERS | (from.number & LOW) << 3 | to.number & LOW);
    }

    /// Adds a number to a register.
    public void add(Register register, int number) {
        put(WIDE | register.number >> 3, 0x81, TWO_REGISTERS | register.number & LOW);
        word(number);
    }

    /// Continues at a place if the last sum is not zero.
    public void repeat(int place) {
        put(0x0f, 0x85);
        word(place - here() - Integer.BYTES);
    }

    /// Returns from the function.
    public void finish() {
        put(0xc5, 0xf8, 0x77, 0xc3); // vzeroupper, ret
    }

    /// Returns the constants and the code.
    public byte[] bytes() {
        return bytes.toByteArray();
    }

    private void memory(int map, int prefix, int code, int vector, Register base, int offset) {
        prefix(map, prefix, 0, vector, 0, base.number);
        place(code, vector, base, offset);
    }

    private void place(int code, int vector, Register base, int offset) {
        put(code, BASE_AND_OFFSET | (vector & LOW) << 3 | base.number & LOW);
        word(offset);
    }

    private void prefix(int map, int prefix, int wide, int reg, int first, int rm) {
        if (vector == AVX2) {
            put(
                    VEX,
                    ((reg >> 3) << 7 | (rm >> 3) << 5) ^ 0xe0 | map,
                    wide << 7 | (~first & 0xf) << 3 | LENGTH_256 | prefix);
            return;
        }
        int upper = (reg >> 3 & 1) << 7 | (rm >> 4 & 1) << 6 | (rm >> 3 & 1) << 5;
        put(
                EVEX,
                (upper | (reg >> 4 & 1) << 4) ^ 0xf0 | map,
                wide << 7 | (~first & 0xf) << 3 | 4 | prefix,
                LENGTH_512 | (~first >> 4 & 1) << 3);
    }

    private void put(int... values) {
        for (int value : values) {
            bytes.write(value);
        }
    }

    private void word(int value) {
        var word = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(value);
        bytes.writeBytes(word.array());
    }
}
