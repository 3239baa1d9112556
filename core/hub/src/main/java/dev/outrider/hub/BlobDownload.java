package dev.outrider.hub;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/// Downloads the content of one file: continues a partial download, retries after a cut connection,
/// and keeps only content with the right hash. Confined to one thread, which holds the content's
/// lock.
record BlobDownload(
        HubClient client,
        HubClient.Patience patience,
        HubName name,
        String commit,
        HubClient.RemoteFile file) {
    private static final int CHUNK = 1 << 20;

    /// Downloads the missing bytes.
    ///
    /// @param incomplete the partial file; it stays if the download is cancelled or fails
    /// @param blob       the file of the complete and verified content
    /// @param have       receives the number of bytes that are present
    /// @return true if the file is complete; false if the download was cancelled
    /// @throws OutriderException `HUB_CONTENT_WRONG` (the partial file is then removed), or as
    ///     [HubClient#open]
    boolean fetch(Path incomplete, Path blob, LongConsumer have, BooleanSupplier cancelled)
            throws IOException {
        Files.createDirectories(blob.toAbsolutePath().getParent());
        try (var channel =
                FileChannel.open(
                        incomplete,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            var collected = new Collected(channel, have);
            collected.readBack();
            if (!complete(collected, cancelled)) {
                return false;
            }
            channel.force(true);
            var hex = collected.hash.hex();
            if (!hex.equals(file.hash().hex()) || collected.length != file.size()) {
                Files.delete(incomplete);
                throw wrong(collected.length, hex);
            }
        }
        Files.move(
                incomplete,
                blob,
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
        return true;
    }

    private boolean complete(Collected collected, BooleanSupplier cancelled) throws IOException {
        long most = collected.length;
        int failures = 0;
        while (collected.length < file.size()) {
            try {
                append(collected, cancelled);
                if (cancelled.getAsBoolean()) {
                    return false;
                }
                if (collected.length < file.size()) {
                    throw new IOException("the connection was cut");
                }
            } catch (FileFailure e) {
                throw e.cause;
            } catch (IOException e) {
                failures = collected.length > most ? 1 : failures + 1;
                most = Math.max(most, collected.length);
                if (failures >= patience.attempts()) {
                    throw patience.exhausted("'%s' of '%s'".formatted(file.name(), name), e);
                }
                patience.beforeRetry(failures, cancelled);
                if (cancelled.getAsBoolean()) {
                    return false;
                }
            }
        }
        return true;
    }

    private void append(Collected collected, BooleanSupplier cancelled) throws IOException {
        var content = client.open(name, commit, file, collected.length);
        try (var bytes = content.bytes()) {
            if (content.from() < collected.length) {
                collected.restart();
            }
            // One byte more than announced is enough to detect wrong content.
            while (!cancelled.getAsBoolean() && collected.length <= file.size()) {
                var next = bytes.next(patience.silence());
                if (!next.hasRemaining()) {
                    return;
                }
                collected.add(next);
            }
        }
    }

    private OutriderException wrong(long length, String hex) {
        return ErrorCode.HUB_CONTENT_WRONG.error(
                "'%s' of '%s' came with %d bytes and the hash %s; the hub says %d bytes and %s. What came was removed."
                        .formatted(file.name(), name, length, hex, file.size(), file.hash().hex()),
                "Run the same command again; if it fails again, something between here and the hub changes files.");
    }

    /// A failure of the disk, for which a new request to the hub does not help.
    private static final class FileFailure extends IOException {
        private static final long serialVersionUID = 1L;

        private final IOException cause;

        FileFailure(IOException cause) {
            super(cause);
            this.cause = cause;
        }
    }

    /// The content collected so far and its hash.
    private final class Collected {
        private final FileChannel channel;
        private final LongConsumer have;
        private ContentHash.Reading hash = file.hash().reading(file.size());
        private long length;

        Collected(FileChannel channel, LongConsumer have) {
            this.channel = channel;
            this.have = have;
        }

        /// Reads what an earlier run collected; discards it if it is longer than the file.
        void readBack() throws IOException {
            if (channel.size() > file.size()) {
                restart();
                return;
            }
            var buffer = ByteBuffer.allocate(CHUNK);
            while (channel.read(buffer) >= 0) {
                buffer.flip();
                length += buffer.remaining();
                hash.add(buffer);
                buffer.clear();
            }
            have.accept(length);
        }

        void restart() throws IOException {
            channel.truncate(0);
            channel.position(0);
            hash = file.hash().reading(file.size());
            length = 0;
            have.accept(0);
        }

        void add(ByteBuffer bytes) throws IOException {
            if (bytes.remaining() > file.size() - length) {
                length += bytes.remaining(); // too long to be right: nothing of it is kept
                return;
            }
            hash.add(bytes.duplicate());
            length += bytes.remaining();
            try {
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            } catch (IOException e) {
                throw new FileFailure(e);
            }
            have.accept(length);
        }
    }
}
