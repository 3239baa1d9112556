package dev.outrider.nn.runtime;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// A TorchScript archive: an uncompressed zip with the source of one class `M` without parameters and a pickle
/// of one instance of it.
final class TorchArchive {
    /// Pickle protocol 2 of `__torch__.M` with the state `{"training": False}`.
    private static final byte[] INSTANCE = {
        (byte) 0x80,
        2,
        'c',
        '_',
        '_',
        't',
        'o',
        'r',
        'c',
        'h',
        '_',
        '_',
        '\n',
        'M',
        '\n',
        ')',
        (byte) 0x81,
        '}',
        '(',
        'X',
        8,
        0,
        0,
        0,
        't',
        'r',
        'a',
        'i',
        'n',
        'i',
        'n',
        'g',
        (byte) 0x89,
        'u',
        'b',
        '.'
    };

    /// Pickle protocol 2 of the empty tuple.
    private static final byte[] NO_CONSTANTS = {(byte) 0x80, 2, ')', '.'};

    private TorchArchive() {}

    /// @param methods methods of the class, indented by two spaces
    static byte[] of(String methods) {
        var source =
                """
                class M(Module):
                  __parameters__ = []
                  __buffers__ = []
                  training : bool
                """
                        + methods;
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            store(zip, "m/data.pkl", INSTANCE);
            store(zip, "m/code/__torch__.py", source.getBytes(UTF_8));
            store(zip, "m/constants.pkl", NO_CONSTANTS);
            store(zip, "m/version", "10\n".getBytes(US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void store(ZipOutputStream zip, String name, byte[] content) throws IOException {
        var checksum = new CRC32();
        checksum.update(content);
        var entry = new ZipEntry(name);
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(content.length);
        entry.setCrc(checksum.getValue());
        zip.putNextEntry(entry);
        zip.write(content);
        zip.closeEntry();
    }
}
