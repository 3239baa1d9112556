package dev.outrider.hub;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// Checks file names of strangers: only names that stay below their folder are used.
final class FileNames {
    private static final int LONGEST_PART = 255;
    private static final int LONGEST = 1024;

    private FileNames() {}

    /// Returns whether a name, with `/` between folders, stays inside any folder on every file
    /// system.
    static boolean isInside(String name) {
        return name.length() <= LONGEST
                && name.codePoints().noneMatch(FileNames::cannotBe)
                && parts(name).stream().allMatch(FileNames::isPlain);
    }

    /// Returns the folders of a name and the file in them.
    static List<String> parts(String name) {
        return Arrays.asList(name.split("/", -1));
    }

    private static boolean cannotBe(int point) {
        return point == '\\' || point == ':' || Character.isISOControl(point);
    }

    private static boolean isPlain(String part) {
        return !part.isEmpty()
                && !part.equals(".")
                && !part.equals("..")
                && part.getBytes(StandardCharsets.UTF_8).length <= LONGEST_PART;
    }
}
