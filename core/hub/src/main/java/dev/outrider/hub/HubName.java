package dev.outrider.hub;

import java.util.Optional;
import java.util.regex.Pattern;

/// A model's name, `hf://ORG/NAME[@REVISION][/FILE.gguf]`.
///
/// @param organisation the publisher
/// @param model        its name there
/// @param revision     a branch, a tag or a commit
/// @param file         the single wanted file, below the model's folder; empty for a checkpoint in
///     the Hugging Face layout
public record HubName(String organisation, String model, String revision, Optional<String> file) {
    /// Begin of every name.
    public static final String SCHEME = "hf://";

    /// The default revision.
    public static final String MAIN = "main";

    private static final String EXPECTED = "hf://ORG/NAME[@REVISION][/FILE.gguf]";
    private static final String GGUF = ".gguf";
    private static final int LONGEST = 96;

    // A slash in a revision is written as %2F, as in the hub's own addresses: refs%2Fpr%2F1.
    private static final Pattern WRITTEN =
            Pattern.compile(
                    "hf://(?<organisation>[^/@]+)/(?<model>[^/@]+)(?:@(?<revision>[^/@]+))?(?:/(?<file>.+))?");
    private static final Pattern PART =
            Pattern.compile("[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?");
    private static final Pattern REVISION =
            Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]*(?:/[A-Za-z0-9_][A-Za-z0-9._-]*)*");

    /// Returns whether a text is meant as a name, well formed or not.
    public static boolean isName(String text) {
        return text.startsWith(SCHEME);
    }

    /// Parses a name.
    ///
    /// @throws IllegalArgumentException if it is malformed; the message says what was expected
    public static HubName parse(String text) {
        var matcher = WRITTEN.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(EXPECTED);
        }
        var revision =
                Optional.ofNullable(matcher.group("revision"))
                        .map(each -> each.replace("%2F", "/").replace("%2f", "/"))
                        .orElse(MAIN);
        var file = Optional.ofNullable(matcher.group("file"));
        if (!isPart(matcher.group("organisation")) || !isPart(matcher.group("model"))) {
            throw new IllegalArgumentException(
                    EXPECTED + ", ORG and NAME of letters, digits, '-', '_' and '.'");
        }
        if (!REVISION.matcher(revision).matches() || revision.contains("..")) {
            throw new IllegalArgumentException(
                    EXPECTED + ", REVISION a branch, a tag or a commit, with %2F for '/'");
        }
        if (file.isPresent()
                && !(file.get().endsWith(GGUF) && ListingReader.FileNames.isInside(file.get()))) {
            throw new IllegalArgumentException(
                    EXPECTED + ", FILE.gguf the path of a file in the model's folder");
        }
        return new HubName(matcher.group("organisation"), matcher.group("model"), revision, file);
    }

    /// The hub allows no other characters, and its cache could not distinguish `a--b/c` from
    /// `a/b--c`.
    private static boolean isPart(String text) {
        return PART.matcher(text).matches()
                && text.length() <= LONGEST
                && !text.contains("--")
                && !text.contains("..");
    }

    /// `ORG/NAME`.
    public String repository() {
        return organisation + "/" + model;
    }

    /// Returns the name as it is written, without the default revision.
    @Override
    public String toString() {
        return SCHEME
                + repository()
                + (revision.equals(MAIN) ? "" : "@" + revision.replace("/", "%2F"))
                + file.map(each -> "/" + each).orElse("");
    }
}
