package dev.outrider.hub;

import dev.outrider.common.AtomicFile;
import dev.outrider.common.BoundedFile;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// The hub's cache, laid out as its own programs lay it out:
///
/// ```
/// models--ORG--NAME/blobs/HASH                 content, by its hash; HASH.incomplete while it comes
/// models--ORG--NAME/snapshots/COMMIT/FILE      links to the content of a commit's files
/// models--ORG--NAME/refs/REVISION              the commit of a branch or tag
/// models--ORG--NAME/.no_exist/COMMIT/FILE      files that a commit does not have
/// .locks/models--ORG--NAME/HASH.lock           held during a download of the content
/// ```
///
/// @param root the cache's folder
record HubCache(Path root) {
    private static final int LONGEST_REF = 256;

    private Path folder(HubName name) {
        return root.resolve(folderName(name));
    }

    private static String folderName(HubName name) {
        return "models--%s--%s".formatted(name.organisation(), name.model());
    }

    /// Returns the path of a commit's files, which may be missing.
    Path snapshot(HubName name, String commit) {
        return folder(name).resolve("snapshots").resolve(commit);
    }

    /// Returns the commit of a revision at its last download.
    Optional<String> commit(HubName name) {
        if (ContentHash.isCommit(name.revision())) {
            return Optional.of(name.revision());
        }
        var ref = ref(name);
        try {
            return Files.isRegularFile(ref)
                    ? Optional.of(BoundedFile.text(ref, LONGEST_REF).strip())
                            .filter(ContentHash::isCommit)
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty(); // as good as not there: it is written again
        }
    }

    /// Stores the commit of a revision.
    void remember(HubName name, String commit) throws IOException {
        if (!name.revision().equals(commit)) {
            AtomicFile.write(ref(name), commit);
        }
    }

    private Path ref(HubName name) {
        return folder(name).resolve("refs").resolve(name.revision());
    }

    /// Returns the path of content.
    Path blob(HubName name, ContentHash hash) {
        return folder(name).resolve("blobs").resolve(hash.hex());
    }

    /// Returns the path of partial content.
    Path incomplete(HubName name, ContentHash hash) {
        return folder(name).resolve("blobs").resolve(hash.hex() + ".incomplete");
    }

    /// Returns the lock file that is held during a download.
    Path lock(HubName name, ContentHash hash) {
        return root.resolve(".locks").resolve(folderName(name)).resolve(hash.hex() + ".lock");
    }

    /// Links content as a file of a commit.
    void link(HubName name, String commit, String file, ContentHash hash) throws IOException {
        var link = snapshot(name, commit).resolve(file);
        var folder = Optional.ofNullable(link.getParent()).orElseThrow();
        Files.createDirectories(folder);
        var content = folder.relativize(blob(name, hash));
        if (Files.isSymbolicLink(link) && Files.readSymbolicLink(link).equals(content)) {
            return;
        }
        Files.deleteIfExists(link);
        try {
            Files.createSymbolicLink(link, content);
        } catch (FileAlreadyExistsException e) {
            // Another process has created it, with the same content.
        }
    }

    /// Records that a commit does not have a file.
    void markAbsent(HubName name, String commit, String file) throws IOException {
        AtomicFile.write(absence(name, commit, file), "");
    }

    /// Returns whether a commit is known not to have a file.
    boolean isAbsent(HubName name, String commit, String file) {
        return Files.exists(absence(name, commit, file));
    }

    private Path absence(HubName name, String commit, String file) {
        return folder(name).resolve(".no_exist").resolve(commit).resolve(file);
    }

    /// Returns the free bytes below the cache's folder, which may not exist yet.
    long usableBytes() throws IOException {
        var existing = root;
        while (!Files.exists(existing)) {
            existing = Optional.ofNullable(existing.getParent()).orElseThrow();
        }
        return Files.getFileStore(existing).getUsableSpace();
    }

    /// Returns the number of bytes in a partial download.
    long begun(HubName name, ContentHash hash) throws IOException {
        var file = incomplete(name, hash);
        return Files.isRegularFile(file) ? Files.size(file) : 0;
    }

    /// Returns whether content is present, judged by its size.
    boolean has(HubName name, HubClient.RemoteFile file) throws IOException {
        var blob = blob(name, file.hash());
        return Files.isRegularFile(blob) && Files.size(blob) == file.size();
    }
}
