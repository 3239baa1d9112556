package dev.outrider.nn.checkpoint;

import static dev.outrider.nn.checkpoint.RawSafetensors.FLOAT;
import static dev.outrider.nn.checkpoint.RawSafetensors.joined;
import static dev.outrider.nn.checkpoint.RawSafetensors.length;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests files that violate the format, and the message for each.
class SafetensorsRefusalsTest {
    @TempDir Path directory;

    @Test
    void saysThatAFileIsNotThere() {
        var path = directory.resolve("absent.safetensors");
        assertThatThrownBy(() -> SafetensorsFile.open(path))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        """
                        CHECKPOINT_NOT_FOUND: there is no file '%s'
                          Check the path, or download the checkpoint again.\
                        """
                                .formatted(path));
    }

    @Test
    void refusesAFileTooShortForItsLength() throws IOException {
        var path = directory.resolve("x.safetensors");
        Files.write(path, new byte[] {1, 2, 3});
        assertThatThrownBy(() -> SafetensorsFile.open(path))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        """
                        SAFETENSORS_CORRUPT: the file '%s' has 3 bytes; expected at least the 8 bytes of the header length
                          Download the file again; if it is your own, write it again.\
                        """
                                .formatted(path));
        Files.write(path, new byte[0]);
        assertThat(refusal(path)).startsWith("has 0 bytes");
    }

    @Test
    void refusesAHeaderLongerThanTheFile() throws IOException {
        assertThat(refusalOfLength(1000))
                .isEqualTo("says that its header has 1000 bytes, but only 2 follow");
    }

    @Test
    void refusesAHeaderLongerThanTheFormatAllows() throws IOException {
        assertThat(refusalOfLength(100_000_001))
                .isEqualTo("says that its header has 100000001 bytes; expected at most 100000000");
        assertThat(refusalOfLength(-1))
                .isEqualTo(
                        "says that its header has 18446744073709551615 bytes; expected at most 100000000");
        assertThat(refusalOfLength(Long.MIN_VALUE))
                .isEqualTo(
                        "says that its header has 9223372036854775808 bytes; expected at most 100000000");
    }

    @Test
    void refusesAHeaderThatDoesNotBeginWithABrace() throws IOException {
        assertThat(refusal("[]")).isEqualTo("has a header that does not begin with '{'");
        assertThat(refusal(" {}")).isEqualTo("has a header that does not begin with '{'");
        assertThat(refusal("")).isEqualTo("has a header that does not begin with '{'");
    }

    @Test
    void refusesAHeaderThatIsNotJson() throws IOException {
        assertThat(refusal("{\"a\":")).startsWith("has a header that is not valid JSON: ");
        assertThat(refusal("{\"a\" 1}")).startsWith("has a header that is not valid JSON: ");
    }

    @Test
    void refusesAHeaderThatIsNotUtf8() throws IOException {
        var bytes = "{\"x\":1}".getBytes(StandardCharsets.UTF_8);
        bytes[2] = (byte) 0xFF;
        var path = directory.resolve("x.safetensors");
        Files.write(path, joined(length(bytes.length), bytes));
        assertThat(refusal(path)).isEqualTo("has a header that is not valid UTF-8");
    }

    @Test
    void refusesTextAfterTheHeader() throws IOException {
        assertThat(refusal("{}{}")).isEqualTo("has text after the header's JSON object");
    }

    @Test
    void refusesDeepNestingQuickly() throws IOException {
        assertThat(refusal("{\"a\":" + "[".repeat(1_000_000)))
                .isEqualTo("describes tensor 'a' by something that is not an object");
        assertThat(refusal("{\"a\":{\"shape\":" + "[".repeat(1_000_000)))
                .isEqualTo(
                        "gives tensor 'a' a shape with an element that is not an integer from 0 to 2^63 - 1");
    }

    @Test
    void refusesATensorDescribedTwice() throws IOException {
        assertThat(refusal(tensors(u8("a", 0, 1), u8("a", 1, 2)), new byte[2]))
                .isEqualTo("describes tensor 'a' twice");
    }

    @Test
    void refusesAKeyGivenTwice() throws IOException {
        assertThat(
                        refusal(
                                "{\"a\":{\"dtype\":\"U8\",\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,1]}}",
                                new byte[1]))
                .isEqualTo("gives tensor 'a' the key 'dtype' twice");
    }

    @Test
    void refusesAMissingOrUnknownKey() throws IOException {
        assertThat(refusal("{\"a\":{\"shape\":[1],\"data_offsets\":[0,1]}}", new byte[1]))
                .isEqualTo("gives tensor 'a' no dtype");
        assertThat(refusal("{\"a\":{\"dtype\":\"U8\",\"data_offsets\":[0,1]}}", new byte[1]))
                .isEqualTo("gives tensor 'a' no shape");
        assertThat(refusal("{\"a\":{\"dtype\":\"U8\",\"shape\":[1]}}", new byte[1]))
                .isEqualTo("gives tensor 'a' no data_offsets");
        assertThat(refusal("{\"a\":{\"strides\":[1]}}"))
                .isEqualTo("gives tensor 'a' the unknown key 'strides'");
    }

    @Test
    void refusesAnUnknownType() throws IOException {
        assertThat(refusal(FLOAT.replace("F32", "F33"), new byte[4]))
                .isEqualTo("gives tensor 'a' the unknown dtype 'F33'");
        assertThat(refusal(FLOAT.replace("F32", "f32"), new byte[4]))
                .isEqualTo("gives tensor 'a' the unknown dtype 'f32'");
        assertThat(refusal(FLOAT.replace("\"F32\"", "{}"), new byte[4]))
                .isEqualTo("gives tensor 'a' a dtype that is not a string");
    }

    @Test
    void refusesSizesThatAreNoNaturalNumbers() throws IOException {
        for (var size :
                List.of("-1", "1.0", "1e3", "\"1\"", "null", "[1]", "9223372036854775808")) {
            assertThat(refusal(FLOAT.replace("[1]", "[" + size + "]"), new byte[4]))
                    .as("a shape of %s", size)
                    .isEqualTo(
                            "gives tensor 'a' a shape with an element that is not an integer from 0 to 2^63 - 1");
            assertThat(refusal(FLOAT.replace("[0,4]", "[0," + size + "]"), new byte[4]))
                    .as("an offset of %s", size)
                    .isEqualTo(
                            "gives tensor 'a' a data_offsets with an element that is not an integer from 0 to 2^63 - 1");
        }
        assertThat(refusal(FLOAT.replace("[1]", "1"), new byte[4]))
                .isEqualTo("gives tensor 'a' a shape that is not a list");
    }

    @Test
    void refusesAShapeWhoseSizeOverflows() throws IOException {
        assertThat(refusal(FLOAT.replace("[1]", "[4294967296,4294967297]"), new byte[4]))
                .isEqualTo(
                        "gives tensor 'a' the shape [4294967296, 4294967297] of F32, whose size is no whole number of bytes below 2^63");
        assertThat(refusal(FLOAT.replace("[1]", "[4611686018427387905]"), new byte[4]))
                .contains("whose size is no whole number of bytes below 2^63");
    }

    @Test
    void refusesPackedElementsThatFillNoWholeBytes() throws IOException {
        assertThat(
                        refusal(
                                "{\"a\":{\"dtype\":\"F4\",\"shape\":[3],\"data_offsets\":[0,2]}}",
                                new byte[2]))
                .isEqualTo(
                        "gives tensor 'a' the shape [3] of F4, whose size is no whole number of bytes below 2^63");
    }

    @Test
    void refusesOffsetsThatDisagreeWithTheShape() throws IOException {
        assertThat(refusal(FLOAT.replace("[1]", "[2]"), new byte[4]))
                .isEqualTo("gives tensor 'a' 4 bytes, but shape [2] of F32 takes 8");
        assertThat(refusal(FLOAT.replace("[0,4]", "[4,0]"), new byte[4]))
                .isEqualTo(
                        "gives tensor 'a' the data_offsets [4, 0]; expected [begin, end] with begin <= end");
        assertThat(refusal(FLOAT.replace("[0,4]", "[0,4,8]"), new byte[8]))
                .startsWith("gives tensor 'a' the data_offsets [0, 4, 8]; expected");
    }

    @Test
    void refusesOffsetsBeyondTheEndOfTheFile() throws IOException {
        assertThat(refusal(FLOAT, new byte[3]))
                .isEqualTo(
                        "says that tensor 'a' ends at byte 4 of the data, but there are only 3 bytes");
        assertThat(
                        refusal(
                                FLOAT.replace("[0,4]", "[9223372036854775803,9223372036854775807]"),
                                new byte[4]))
                .startsWith("says that tensor 'a' ends at byte 9223372036854775807");
    }

    @Test
    void refusesAHoleBetweenTensors() throws IOException {
        assertThat(refusal(tensors(u8("a", 0, 1), u8("b", 2, 3)), new byte[3]))
                .isEqualTo(
                        "has a hole before tensor 'b': it begins at byte 2 of the data, expected 1");
    }

    @Test
    void refusesAHoleBeforeTheFirstTensor() throws IOException {
        assertThat(refusal(tensors(u8("a", 1, 2)), new byte[2]))
                .isEqualTo(
                        "has a hole before tensor 'a': it begins at byte 1 of the data, expected 0");
    }

    @Test
    void refusesOverlappingTensors() throws IOException {
        assertThat(refusal(tensors(u8("a", 0, 2), u8("b", 1, 3)), new byte[3]))
                .isEqualTo(
                        "has an overlap before tensor 'b': it begins at byte 1 of the data, expected 2");
        assertThat(refusal(tensors(u8("a", 0, 2), u8("b", 0, 2)), new byte[2]))
                .isEqualTo(
                        "has an overlap before tensor 'b': it begins at byte 0 of the data, expected 2");
    }

    @Test
    void refusesBytesAfterTheLastTensor() throws IOException {
        assertThat(refusal(FLOAT, new byte[5]))
                .isEqualTo("has 5 bytes of data, but its tensors end at byte 4");
        assertThat(refusal("{}", new byte[1]))
                .isEqualTo("has 1 bytes of data, but its tensors end at byte 0");
    }

    @Test
    void refusesMetadataThatIsNotText() throws IOException {
        assertThat(refusal("{\"__metadata__\":[]}"))
                .isEqualTo("has a __metadata__ entry that is not an object of strings");
        assertThat(refusal("{\"__metadata__\":{\"k\":1}}"))
                .isEqualTo("has a __metadata__ entry 'k' that is not a string");
        assertThat(refusal("{\"__metadata__\":{\"k\":\"1\",\"k\":\"2\"}}"))
                .isEqualTo("has the __metadata__ entry 'k' twice");
        assertThat(refusal("{\"__metadata__\":{},\"__metadata__\":{}}"))
                .isEqualTo("has two __metadata__ entries");
    }

    @Test
    void refusesOtherNamesOfNoTensor() throws IOException {
        assertThat(refusal("{\"__metadata__\":{\"outrider.same:b\":\"a\"}}"))
                .isEqualTo(
                        "says that tensor 'b' is tensor 'a'; expected another name of a tensor that it has");
    }

    @Test
    void meetsRandomDamageWithItsOwnExceptionOnly() throws IOException {
        var path = directory.resolve("fuzz.safetensors");
        SafetensorsWriter.write(
                path,
                List.of(
                        StoredTensor.ofFloats("model.norm.weight", new float[] {1, 2, 3, 4}, 2, 2),
                        StoredTensor.ofBfloat16("lm_head.weight", new float[] {1, 2}, 2),
                        StoredTensor.ofLongs("d2t", new long[] {5}, 1)),
                Map.of("format", "pt"));
        var original = Files.readAllBytes(path);
        var random = new Random(42);
        int refused = 0;
        for (int round = 0; round < 500; round++) {
            var damaged = original.clone();
            for (int flip = 0; flip <= round % 4; flip++) {
                // Three quarters of the damage goes into length and header.
                int bound = random.nextInt(4) == 0 ? damaged.length : 8 + 250;
                damaged[random.nextInt(bound)] ^= (byte) (1 << random.nextInt(8));
            }
            if (round % 10 == 0) {
                damaged = Arrays.copyOf(damaged, random.nextInt(damaged.length));
            }
            Files.write(path, damaged);
            try (var file = SafetensorsFile.open(path)) {
                assertThat(file.names()).allMatch(name -> file.tensor(name).isPresent());
            } catch (OutriderException e) {
                refused++;
                assertThat(e.code())
                        .as("replay with round %d of seed 42", round)
                        .isEqualTo(ErrorCode.SAFETENSORS_CORRUPT);
            }
        }
        assertThat(refused).isGreaterThan(200);
    }

    private static String u8(String name, int begin, int end) {
        return "\"%s\":{\"dtype\":\"U8\",\"shape\":[%d],\"data_offsets\":[%d,%d]}"
                .formatted(name, end - begin, begin, end);
    }

    private static String tensors(String... entries) {
        return "{" + String.join(",", entries) + "}";
    }

    private String refusalOfLength(long headerLength) throws IOException {
        var path = directory.resolve("x.safetensors");
        Files.write(path, joined(length(headerLength), new byte[] {'{', '}'}));
        return refusal(path);
    }

    private String refusal(String header, byte[]... data) throws IOException {
        return refusal(RawSafetensors.write(directory, header, data));
    }

    /// The middle of the message: what follows the file's name, without the remedy.
    private static String refusal(Path path) {
        try (var file = SafetensorsFile.open(path)) {
            return "accepted with " + file.names();
        } catch (OutriderException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.SAFETENSORS_CORRUPT);
            var message = Objects.requireNonNull(e.getMessage());
            var start = "SAFETENSORS_CORRUPT: the file '%s' ".formatted(path);
            assertThat(message).startsWith(start);
            return message.substring(start.length(), message.indexOf("\n  Download"));
        }
    }
}
