package dev.outrider.nn.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CharacterMapTest extends TokenizerFiles {
    private static final int UNITS = 512;
    private static final int LEAF = 1 << 8;

    @Test
    void replacesWhatTheTrieNames() throws IOException {
        // The root's children lie from 0 on, those of 'A' from 256 on; the leaf of 'A' says where
        // its text is.
        try (var tokenizer = load(file(trie('A' | LEAF | ('A' ^ 256) << 10, 0), "b\0"))) {
            assertThat(tokenizer.encode("xAb", false)).containsExactly(6, 3, 3);
        }
    }

    @Test
    void refusesATrieThatLeadsOutOfItself() throws IOException {
        assertThat(refusalOf(file(trie('A' | 9999 << 10, 0), "b\0")))
                .isEqualTo(
                        "has in normalizer a character map whose trie of 512 units leads to unit 10063");
        assertThat(refusalOf(file(new int[] {0}, "")))
                .isEqualTo(
                        "has in normalizer a character map whose trie of 1 units leads to unit 1");
    }

    @Test
    void refusesReplacementsThatAreNotThere() throws IOException {
        assertThat(refusalOf(file(trie('A' | LEAF | ('A' ^ 256) << 10, 3), "b\0")))
                .isEqualTo(
                        "has in normalizer a character map with a replacement at byte 3 of 2, where no character begins");
        assertThat(refusalOf(file(trie('A' | LEAF | ('A' ^ 256) << 10, 1), "é\0")))
                .contains("with a replacement at byte 1 of 3, where no character begins");
    }

    @Test
    void refusesReplacementsThatGrowWithoutMeasure() throws IOException {
        assertThat(refusalOf(file(trie('A' | LEAF | ('A' ^ 256) << 10, 0), "b".repeat(200))))
                .isEqualTo(
                        "makes a text up to 200 times as long by normalizer; expected at most 128 times");
    }

    @Test
    void refusesWhatIsNoMap() throws IOException {
        assertThat(refusalOf(normalizer("?")))
                .isEqualTo("has normalizer.precompiled_charsmap that is not Base64");
        assertThat(refusalOf(normalizer("AAAA")))
                .isEqualTo(
                        "has normalizer.precompiled_charsmap with a trie of 0 units in 3 bytes; expected at least 1 that is there");
        assertThat(
                        refusalOf(
                                normalizer(
                                        Base64.getEncoder()
                                                .encodeToString(
                                                        new byte[] {8, 0, 0, 0, 1, 1, 1, 1}))))
                .contains("with a trie of 2 units in 8 bytes");
    }

    @Test
    void survivesRandomTries() throws IOException {
        var random = new Random(23);
        for (int round = 0; round < 100; round++) {
            var units = trie('A' | LEAF | ('A' ^ 256) << 10, 0);
            for (int change = 0; change < 20; change++) {
                units[random.nextInt(UNITS)] = random.nextInt(256) | random.nextInt(2048) << 8;
            }
            var json = file(units, "b\0cc\0");
            if (refusalOf(json).startsWith("accepted")) {
                try (var tokenizer = load(json)) {
                    assertThat(tokenizer.encode("aAb Az\u00e9", false))
                            .as("replay with round %d of seed 23", round)
                            .isNotEmpty();
                }
            }
        }
    }

    private static int[] trie(int unitOfA, int leaf) {
        var units = new int[UNITS];
        units['A'] = unitOfA;
        units[256] = leaf;
        return units;
    }

    private static String file(int[] trie, String replacements) throws IOException {
        var text = replacements.getBytes(StandardCharsets.UTF_8);
        var bytes =
                ByteBuffer.allocate(4 + 4 * trie.length + text.length)
                        .order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(4 * trie.length);
        for (int unit : trie) {
            bytes.putInt(unit);
        }
        return normalizer(Base64.getEncoder().encodeToString(bytes.put(text).array()));
    }

    private static String normalizer(String map) throws IOException {
        return with(
                "/normalizer",
                "{\"type\":\"Precompiled\",\"precompiled_charsmap\":\"%s\"}".formatted(map));
    }
}
