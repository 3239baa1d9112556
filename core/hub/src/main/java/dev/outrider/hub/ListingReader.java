package dev.outrider.hub;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outrider.spi.error.OutriderException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Reads the hub's JSON, and the index of a checkpoint in several files. Both are untrusted.
final class ListingReader {
    private static final int DEEPEST = 64;
    private static final String PART_OF_WEIGHTS = ".safetensors";

    private static final ObjectMapper MAPPER =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNestingDepth(DEEPEST)
                                                    .build())
                                    .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                                    .build())
                    .build();

    private ListingReader() {}

    /// Reads the answer to `/api/models/ORG/NAME/revision/REVISION`.
    ///
    /// @throws OutriderException `HUB_ANSWER_INVALID`
    static Listing listing(HubName name, byte[] json) {
        var what = "the list of files of '%s'".formatted(name);
        var root = parsed(what, json);
        var commit = root.path("sha");
        if (!commit.isTextual() || !ContentHash.isCommit(commit.textValue())) {
            throw invalid(what, "has no commit of 40 hexadecimal digits under 'sha'");
        }
        var siblings = root.path("siblings");
        if (!siblings.isArray()) {
            throw invalid(what, "has no files under 'siblings'");
        }
        var files = new HashSet<String>();
        for (var sibling : siblings) {
            var file = sibling.path("rfilename");
            if (!file.isTextual() || !FileNames.isInside(file.textValue())) {
                throw invalid(
                        what, "has the file %s, which is no path below a folder".formatted(file));
            }
            files.add(file.textValue());
        }
        return new Listing(commit.textValue(), files);
    }

    /// Returns the files that an index assigns tensors to.
    ///
    /// @throws OutriderException `HUB_ANSWER_INVALID`
    static Set<String> shards(HubName name, byte[] json) {
        var what = "the index of the weights of '%s'".formatted(name);
        var map = parsed(what, json).path("weight_map");
        if (!map.isObject() || map.isEmpty()) {
            throw invalid(what, "has no weight_map");
        }
        var files = new TreeSet<String>();
        for (var file : map) {
            if (!file.isTextual()
                    || !FileNames.isInside(file.textValue())
                    || FileNames.parts(file.textValue()).size() > 1
                    || !file.textValue().endsWith(PART_OF_WEIGHTS)) {
                throw invalid(
                        what,
                        "names %s; expected the plain name of a %s file"
                                .formatted(file, PART_OF_WEIGHTS));
            }
            files.add(file.textValue());
        }
        return files;
    }

    private static JsonNode parsed(String what, byte[] json) {
        try {
            var root = MAPPER.readTree(json);
            return root == null ? MAPPER.missingNode() : root;
        } catch (JsonProcessingException e) {
            throw invalid(what, "is not valid JSON: " + e.getOriginalMessage());
        } catch (java.io.IOException e) {
            throw new IllegalStateException("bytes in memory can be read", e);
        }
    }

    private static OutriderException invalid(String what, String problem) {
        return HubErrors.invalid(what + " " + problem);
    }

    /// The commit of a revision and its files.
    ///
    /// @param commit the commit
    /// @param files  paths in the model's folder, all of which stay inside any folder
    record Listing(String commit, Set<String> files) {
        Listing {
            files = Set.copyOf(files);
        }
    }

    /// Checks file names of strangers: only names that stay below their folder are used.
    static final class FileNames {
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
}
