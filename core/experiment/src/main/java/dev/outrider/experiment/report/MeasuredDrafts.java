package dev.outrider.experiment.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What one variant of a finished comparison drafted: enough to say what its drafts would gain where a pass of so many
/// rows costs something else.
///
/// @param variant        its name
/// @param rows           mean rows of a target pass, the root and unverified nodes included; at least 1
/// @param tokensPerRound tokens emitted a round, the following one included
/// @param speedup        over plain decoding, as measured then
public record MeasuredDrafts(String variant, double rows, double tokensPerRound, double speedup) {
    /// Reads the variants of a comparison, plain decoding left out.
    ///
    /// @param results the comparison's folder of results
    /// @throws OutriderException `DATA_INVALID` if there is no readable `details.json` in it
    public static List<MeasuredDrafts> read(Path results) {
        var file = results.resolve("details.json");
        try {
            var drafts = new ArrayList<MeasuredDrafts>();
            for (var side : new JsonMapper().readTree(Files.readAllBytes(file)).path("sides")) {
                var counts = side.path("counts");
                if (number(counts, "drafted") + number(counts, "unverified") > 0) {
                    drafts.add(of(side, counts));
                }
            }
            if (drafts.isEmpty()) {
                throw new IOException("no variant drafted anything");
            }
            return List.copyOf(drafts);
        } catch (IOException e) {
            throw new OutriderException(
                    ErrorCode.DATA_INVALID,
                    "'%s' does not hold the results of a comparison: %s".formatted(file, e),
                    "Name a folder that 'outrider bench' has written, such as results/quickstart.",
                    e);
        }
    }

    private static MeasuredDrafts of(JsonNode side, JsonNode counts) throws IOException {
        double rounds = number(counts, "rounds");
        double nodes = number(counts, "drafted") + number(counts, "unverified");
        return new MeasuredDrafts(
                side.path("name").asText(),
                1 + nodes / Math.max(1, rounds),
                number(side, "tokensPerRound"),
                number(side.path("speedup"), "median"));
    }

    private static double number(JsonNode node, String key) throws IOException {
        var value = node.path(key);
        if (!value.isNumber()) {
            throw new IOException("'%s' is no number".formatted(key));
        }
        return value.asDouble();
    }
}
