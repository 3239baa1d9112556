package dev.outrider.demo.corpus.prose;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.Deflater;

/// Writes small packages in the layouts of the real ones.
final class Packages {
    static final int WINDOW_BYTES = 64;

    private Packages() {}

    static void write(Path folder) throws IOException {
        text(
                folder.resolve("moby-dick/package/data/chapter_2.txt"),
                "CHAPTER 2. The Carpet-Bag.\n\nI stuffed a shirt.\n");
        text(
                folder.resolve("moby-dick/package/data/chapter_10.txt"),
                "CHAPTER 10. A Bosom Friend.\n\nReturning to the Spouter-Inn\u2014alone.\n");
        text(folder.resolve("moby-dick/package/data/contents.txt"), "CONTENTS\n");
        text(
                folder.resolve("sotu/package/data/1861_abraham_lincoln_r.txt"),
                "Fellow-Citizens:  In the midst of \u201cunprecedented\u201d troubles.\n");
        rdb(
                folder.resolve("janeaustenr/usr/lib/R/site-library/janeaustenr/data/Rdata.rdb"),
                List.of("EMMA", "CHAPTER I", "Emma Woodhouse,", "handsome."));
        bible(
                folder.resolve("bible-kjv-text/usr/lib/bible.data"),
                "A text file.\nGe1:1 In the beginning.\nGe1:2 And the earth was.\nGe2:1 Thus.\n");
    }

    static Path text(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    /// One value, a character vector.
    static Path rdb(Path file, List<String> strings) throws IOException {
        var value = new ByteArrayOutputStream();
        var out = new DataOutputStream(value);
        out.writeBytes("X\n");
        out.writeInt(3);
        out.writeLong(0);
        out.writeInt(5);
        out.writeBytes("UTF-8");
        out.writeInt(16);
        out.writeInt(strings.size());
        for (var string : strings) {
            byte[] utf8 = string.getBytes(StandardCharsets.UTF_8);
            out.writeInt(0x00040009);
            out.writeInt(utf8.length);
            out.write(utf8);
        }
        return bytes(file, stored(value.toByteArray()));
    }

    static byte[] stored(byte[] value) {
        try (var deflater = new Deflater()) {
            deflater.setInput(value);
            deflater.finish();
            byte[] deflated = new byte[value.length + 100];
            int length = deflater.deflate(deflated);
            return ByteBuffer.allocate(Integer.BYTES + length)
                    .putInt(value.length)
                    .put(deflated, 0, length)
                    .array();
        }
    }

    /// Windows of [#WINDOW_BYTES] bytes.
    static Path bible(Path file, String text) throws IOException {
        int windows = Math.ceilDiv(text.length(), WINDOW_BYTES);
        var compressed = new ByteArrayOutputStream();
        var header = ByteBuffer.allocate(84 + (windows + 3) * Integer.BYTES + 3);
        header.put("EC02Compressed Data File".getBytes(StandardCharsets.US_ASCII)).position(84);
        header.putInt(WINDOW_BYTES).putInt(windows).putInt(header.capacity());
        for (int from = 0; from < text.length(); from += WINDOW_BYTES) {
            compressed.writeBytes(
                    literals(text.substring(from, Math.min(from + WINDOW_BYTES, text.length()))));
            header.putInt(header.capacity() + compressed.size());
        }
        header.put(new byte[] {0x1f, (byte) 0x9d, (byte) 0x90});
        var whole = new ByteArrayOutputStream();
        whole.writeBytes(header.array());
        whole.writeBytes(compressed.toByteArray());
        return bytes(file, whole.toByteArray());
    }

    /// Returns the codes of `compress` for a text so short that no code needs more than nine bits
    /// and none is a repetition.
    private static byte[] literals(String text) {
        byte[] codes = new byte[Math.ceilDiv(text.length() * 9, Byte.SIZE)];
        for (int i = 0; i < text.length(); i++) {
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                int at = i * 9 + bit;
                codes[at / Byte.SIZE] |= (byte) ((text.charAt(i) >> bit & 1) << at % Byte.SIZE);
            }
        }
        return codes;
    }

    static Path bytes(Path file, byte[] bytes) throws IOException {
        Files.createDirectories(file.getParent());
        return Files.write(file, bytes);
    }
}
