package dev.outrider.nn.jit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.jit.Assembler.Operation;
import dev.outrider.nn.jit.Assembler.Register;
import dev.outrider.nn.jit.Assembler.Shift;
import java.util.HexFormat;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Instructions have the bytes that the GNU assembler gives them; `vpandd %zmm3, %zmm18, %zmm9` and so on.
class AssemblerTest {
    private static final int OFFSET = 0x12345;

    @Test
    void operationsOnRegisters() {
        check("62716d40dbcb", code -> code.apply(Operation.AND, 9, 18, 3));
        check("62816d48efcf", code -> code.apply(Operation.XOR, 17, 2, 31));
        check("62a2bd4083c2", code -> code.apply(Operation.MULTISHIFT, 16, 24, 18));
        check("62b27d4050fb", code -> code.apply(Operation.DOT, 7, 16, 19));
        check("62a3654025c5f8", code -> code.apply(Operation.OR_AND, 16, 19, 21));
        check("62f17c485bf5", code -> code.apply(Operation.TO_FLOATS, 6, 0, 5));
        check("62a27d4813db", code -> code.apply(Operation.WIDEN, 19, 0, 19));
        check("62a1644059ff", code -> code.apply(Operation.MULTIPLY, 23, 19, 23));
        check("62726d48b8e1", code -> code.apply(Operation.ADD_PRODUCT, 12, 2, 1));
        check("62b24540bce6", code -> code.apply(Operation.SUBTRACT_PRODUCT, 4, 23, 22));
        check("62b16540" + "72d210", code -> code.shift(Shift.RIGHT, 19, 18, 16));
        check("62b15540" + "72f410", code -> code.shift(Shift.LEFT, 21, 20, 16));
        check("62a27e4833d3", code -> code.narrow(19, 18));
        check("62523d4804f5", code -> code.apply(Operation.DOT_BYTES, 14, 8, 13));
        check("62d17d48fdc6", code -> code.apply(Operation.ADD_SHORTS, 0, 0, 14));
        check("62716d48d5f9", code -> code.apply(Operation.MULTIPLY_SHORTS, 15, 2, 1));
        check("62512d48f5d9", code -> code.apply(Operation.DOT_SHORTS, 11, 10, 9));
        check("62512d48fed9", code -> code.apply(Operation.ADD_INTEGERS, 11, 10, 9));
        check("62d13548" + "72e010", code -> code.shift(Shift.RIGHT_WITH_SIGN, 9, 8, 16));
    }

    @Test
    void operationsOnMemory() {
        check("62e17e486f9745230100", code -> code.load(18, Register.FIRST, OFFSET));
        check("62517e487f8845230100", code -> code.store(Register.FIFTH, OFFSET, 9));
        check("62e27d48309645230100", code -> code.loadBytesAsShorts(18, Register.SECOND, OFFSET));
        check(
                "62e27d4821be45230100",
                code -> code.loadBytesAsIntegers(23, Register.SECOND, OFFSET, true));
        check(
                "62e27d48319f45230100",
                code -> code.loadBytesAsIntegers(19, Register.FIRST, OFFSET, false));
        check(
                "62726d48b89145230100",
                code -> code.applyVector(Operation.ADD_PRODUCT, 10, 2, Register.FOURTH, OFFSET));
    }

    /// With the prefix of three bytes.
    @Test
    void avx2HasShorterPrefixes() {
        checkAvx2("c4611ddbcb", code -> code.apply(Operation.AND, 9, 12, 3));
        checkAvx2("c4423d04f5", code -> code.apply(Operation.DOT_BYTES, 14, 8, 13));
        checkAvx2("c4c17dfdc6", code -> code.apply(Operation.ADD_SHORTS, 0, 0, 14));
        checkAvx2("c4616dd5f9", code -> code.apply(Operation.MULTIPLY_SHORTS, 15, 2, 1));
        checkAvx2("c4412df5d9", code -> code.apply(Operation.DOT_SHORTS, 11, 10, 9));
        checkAvx2("c4412dfed9", code -> code.apply(Operation.ADD_INTEGERS, 11, 10, 9));
        checkAvx2("c4412debd9", code -> code.apply(Operation.OR, 11, 10, 9));
        checkAvx2("c4422d2bd9", code -> code.apply(Operation.PACK, 11, 10, 9));
        checkAvx2("c443fd00d908", code -> code.apply(Operation.JOIN, 11, 0, 9));
        checkAvx2("c4e17c5bf5", code -> code.apply(Operation.TO_FLOATS, 6, 0, 5));
        checkAvx2("c4427d13c9", code -> code.apply(Operation.WIDEN, 9, 0, 9));
        checkAvx2("c4c22dbce1", code -> code.apply(Operation.SUBTRACT_PRODUCT, 4, 10, 9));
        checkAvx2("c4617e6f8745230100", code -> code.load(8, Register.FIRST, OFFSET));
        checkAvx2("c4427d1cc8", code -> code.apply(Operation.SIZES, 9, 0, 8));
        checkAvx2("c4422d08d8", code -> code.apply(Operation.SIGN, 11, 10, 8));
        checkAvx2("c4417e7f8845230100", code -> code.store(Register.FIFTH, OFFSET, 9));
        checkAvx2("c4627d58a245230100", code -> code.broadcast(12, Register.THIRD, OFFSET));
        checkAvx2(
                "c4626db89145230100",
                code -> code.applyVector(Operation.ADD_PRODUCT, 10, 2, Register.FOURTH, OFFSET));
        checkAvx2("c4627d308645230100", code -> code.loadBytesAsShorts(8, Register.SECOND, OFFSET));
        checkAvx2(
                "c4627d21ae45230100",
                code -> code.loadBytesAsIntegers(13, Register.SECOND, OFFSET, true));
        checkAvx2("c4c13572d010", code -> code.shift(Shift.RIGHT, 9, 8, 16));
        checkAvx2("c4c12d72f110", code -> code.shift(Shift.LEFT, 10, 9, 16));
        checkAvx2("c4c13572e010", code -> code.shift(Shift.RIGHT_WITH_SIGN, 9, 8, 16));
    }

    @Test
    void integersAndJumps() {
        check("4d89c2", code -> code.copy(Register.SPARE, Register.FIFTH));
        check("4901c3", code -> code.add(Register.OTHER, Register.FREE));
        check("400f189700180000", code -> code.prefetch(Register.FIRST, 0x1800));
        check("4c01c2", code -> code.add(Register.THIRD, Register.FIFTH));
        check("4881c745230100", code -> code.add(Register.FIRST, OFFSET));
        check("4981c1ffffffff", code -> code.add(Register.SIXTH, -1));
        check("48c7c023010000", code -> code.set(Register.FREE, 0x123));
        check(
                "4881c0ffffffff0f85f3ffffff",
                code -> {
                    int start = code.here();
                    code.add(Register.FREE, -1);
                    code.repeat(start);
                });
        check("c5f877c3", Assembler::finish);
    }

    @Test
    void constantsComeBeforeTheCode() {
        var code = new Assembler(Assembler.AVX_512);
        int place = code.keep(new byte[Assembler.AVX_512]);
        int entry = code.begin();
        code.constant(20, place);

        assertThat(entry).isEqualTo(Assembler.AVX_512);
        assertThat(HexFormat.of().formatHex(code.bytes(), entry, code.here()))
                .isEqualTo("62e17e486f25b6ffffff"); // from the next instruction: -64 - 10
        assertThatThrownBy(() -> code.keep(new byte[Assembler.AVX_512]))
                .isInstanceOf(IllegalStateException.class);
    }

    private static void check(String expected, Consumer<Assembler> instruction) {
        check(expected, new Assembler(Assembler.AVX_512), instruction);
    }

    private static void checkAvx2(String expected, Consumer<Assembler> instruction) {
        check(expected, new Assembler(Assembler.AVX2), instruction);
    }

    private static void check(String expected, Assembler code, Consumer<Assembler> instruction) {
        code.begin();
        instruction.accept(code);
        assertThat(HexFormat.of().formatHex(code.bytes())).isEqualTo(expected);
    }
}
