package dev.outrider.hub;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// Names of files that somebody else chose: only those are used that stay below the folder they are put into.
final class FileNames {
    private static final int LONGEST_PART = 255;
    private static final int LONGEST = 1024;

    private FileNames() {}

    /// Whether a name, with `/` between folders, stays inside whatever folder it is resolved against, on every file system.
    static boolean isInside(String name) {
        return name.length() <= LONGEST
                && name.codePoints().noneMatch(FileNames::cannotBe)
                && parts(name).stream().allMatch(FileNames::isPlain);
    }

    /// The folders of a name and the file in them.
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
