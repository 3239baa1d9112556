package dev.outrider.nn.tokenizer;

import dev.outrider.nn.tokenizer.VocabularyFile.Part;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.BitSet;

/// The `precompiled_charsmap` of a SentencePiece model: the length of a trie, the trie, and the
/// replacements, each with a zero byte at its end. The library follows the trie without checking
/// its bounds, so all paths are checked here first.
///
/// @see "Aoe 1989, An efficient digital search algorithm by using a double-array structure"
record CharacterMap(Part part, int[] trie, byte[] replacements) {
    private static final int UNIT = 4;
    private static final int LABEL = 1 << 31 | 0xFF;

    /// @return the maximum factor by which a text grows
    static double check(Part part, String key) {
        var where = part.where() + "." + key;
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(part.text(key));
        } catch (IllegalArgumentException e) {
            throw part.refused("has %s that is not Base64".formatted(where));
        }
        part.out().put(key, Base64.getEncoder().encodeToString(bytes));
        var buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        long size = bytes.length < UNIT ? 0 : Integer.toUnsignedLong(buffer.getInt()) / UNIT;
        if (size == 0 || size * UNIT > buffer.remaining()) {
            throw part.refused(
                    "has %s with a trie of %d units in %d bytes; expected at least 1 that is there"
                            .formatted(where, size, bytes.length));
        }
        var trie = new int[(int) size];
        buffer.asIntBuffer().get(trie);
        buffer.position(buffer.position() + trie.length * UNIT);
        var replacements = new byte[buffer.remaining()];
        buffer.get(replacements);
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(replacements));
        } catch (CharacterCodingException e) {
            throw part.refused("has %s with replacements that are not UTF-8".formatted(where));
        }
        return new CharacterMap(part, trie, replacements).follow();
    }

    private record Place(int node, int depth) {}

    /// Breadth first, so each node is reached by its shortest text.
    private double follow() {
        double growth = 1;
        var seen = new BitSet();
        var open = new ArrayDeque<Place>();
        var root = new Place(offset(trie[0]), 0);
        unit(root.node ^ 1);
        open.add(root);
        seen.set(root.node);
        while (!open.isEmpty()) {
            var place = open.remove();
            for (int value = 1; value < 256; value++) {
                int unit = unit(place.node ^ value);
                if ((unit & LABEL) != value) {
                    continue;
                }
                var next = new Place(place.node ^ value ^ offset(unit), place.depth + 1);
                if ((unit >>> 8 & 1) == 1) {
                    growth = Math.max(growth, (double) length(unit(next.node)) / next.depth);
                }
                // The library reads its neighbour in any case, which limits the number of nodes.
                unit(next.node ^ 1);
                if (!seen.get(next.node)) {
                    seen.set(next.node);
                    open.add(next);
                }
            }
        }
        return growth;
    }

    private int unit(int node) {
        if (node < 0 || node >= trie.length) {
            throw part.refused(
                    "has in %s a character map whose trie of %d units leads to unit %d"
                            .formatted(part.where(), trie.length, node));
        }
        return trie[node];
    }

    private static int offset(int unit) {
        return unit >>> 10 << ((unit & 1 << 9) >>> 6);
    }

    /// Returns the bytes of the replacement that a leaf refers to.
    private int length(int leaf) {
        int begin = leaf & Integer.MAX_VALUE;
        boolean inside = begin < replacements.length;
        if (begin > replacements.length || inside && (replacements[begin] & 0xC0) == 0x80) {
            throw part.refused(
                    "has in %s a character map with a replacement at byte %d of %d, where no character begins"
                            .formatted(part.where(), begin, replacements.length));
        }
        int end = begin;
        while (end < replacements.length && replacements[end] != 0) {
            end++;
        }
        return end - begin;
    }
}
