package dev.outrider.config;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/// The configuration that is in force: canonical names, defaults filled in, each value with its origin. Immutable.
public final class EffectiveConfig {
    private final Effective root;

    EffectiveConfig(Effective root) {
        this.root = root;
    }

    /// YAML that reads back to the same configuration, each value followed by its origin as a comment:
    /// `# quickstart.yaml:12`, `# --set` or `# default`.
    ///
    /// Paths read as they were written.
    public String toYaml() {
        return EffectiveWriter.yaml(root, Optional.empty());
    }

    /// As [#toYaml()], with paths relative to the directory that the text will be saved in.
    public String toYaml(Path directory) {
        return EffectiveWriter.yaml(root, Optional.of(directory));
    }

    /// The values alone as JSON: keys sorted, one spelling for each value, no white space.
    ///
    /// The same for two files that mean the same, whatever their comments, key order, spelling of names and left-out
    /// defaults. Paths read as they were written, so that the text does not depend on where a checkout lies.
    public String toJson() {
        return EffectiveWriter.json(root, Optional.empty());
    }

    /// As [#toJson()], with paths relative to the directory that the text will be saved in. JSON is YAML: the text reads back
    /// to the same configuration.
    public String toJson(Path directory) {
        return EffectiveWriter.json(root, Optional.of(directory));
    }

    /// Where an element of a list came from, as messages name it: `quickstart.yaml:12:5`, or the option that changed it.
    ///
    /// @param key   of the list, at the top
    /// @param index of the element
    public Optional<String> place(String key, int index) {
        return root instanceof Effective.Keys keys
                        && keys.values().get(key) instanceof Effective.Items list
                        && index < list.items().size()
                ? Optional.of(list.items().get(index).origin().place())
                : Optional.empty();
    }

    /// A file or folder that the configuration names.
    ///
    /// @param key   of the value
    /// @param path  resolved
    /// @param place where it came from
    public record NamedPath(String key, Path path, String place) {}

    /// All files and folders that a part of the configuration names.
    ///
    /// @param top key at the top
    public List<NamedPath> paths(String top) {
        var found = new ArrayList<NamedPath>();
        if (root instanceof Effective.Keys keys && keys.values().containsKey(top)) {
            collect(top, keys.values().get(top), found);
        }
        return found;
    }

    private static void collect(String key, Effective value, List<NamedPath> found) {
        switch (value) {
            case Effective.Leaf leaf ->
                    leaf.path()
                            .ifPresent(path ->
                                    found.add(new NamedPath(key, path, leaf.origin().place())));
            case Effective.Items items -> items.items().forEach(item -> collect(key, item, found));
            case Effective.Keys keys ->
                    keys.values().forEach((name, item) -> collect(name, item, found));
        }
    }

    /// A name that stands in place of a path.
    ///
    /// @param name     as it was written
    /// @param revision of the files on this machine; nothing if they are not here
    public record RemoteName(String name, Optional<String> revision) {}

    /// All names in place of paths, each once.
    public List<RemoteName> remoteNames() {
        var found = new LinkedHashSet<RemoteName>();
        remote(root, found);
        return List.copyOf(found);
    }

    private static void remote(Effective value, Collection<RemoteName> found) {
        switch (value) {
            case Effective.Leaf leaf ->
                    leaf.remote()
                            .ifPresent(place ->
                                    found.add(new RemoteName(leaf.text(), place.revision())));
            case Effective.Items items -> items.items().forEach(item -> remote(item, found));
            case Effective.Keys keys -> keys.values().values().forEach(item -> remote(item, found));
        }
    }

    /// SHA-256 of [#toJson()], 64 hexadecimal digits.
    public String configHash() {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(toJson().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
