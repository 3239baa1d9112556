package dev.outrider.experiment.results;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import dev.outrider.common.BoundedFile;
import dev.outrider.common.FailureReason;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Reads result files into the records they were written from. A key that is missing or of the wrong type is an error, one
/// that is not known is passed over: a newer Outrider wrote it.
public final class JsonFiles {
    /// Far more than any result; what is larger is not one.
    static final int MAX_BYTES = 256 << 20;

    private static final ObjectMapper MAPPER =
            JsonMapper.builder()
                    .addModule(new Jdk8Module())
                    .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
                    .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                    .build();

    private JsonFiles() {}

    /// Read one object.
    ///
    /// @throws OutriderException DATA_INVALID naming the file and what is wrong in it
    public static <T> T object(Path file, Class<T> type) {
        try {
            return MAPPER.readValue(BoundedFile.bytes(file, MAX_BYTES), type);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    /// Read an object that need not be there.
    ///
    /// @throws OutriderException DATA_INVALID if it is there and broken
    public static <T> Optional<T> optional(Path file, Class<T> type) {
        return Files.exists(file) ? Optional.of(object(file, type)) : Optional.empty();
    }

    /// Read one object a line; nothing where there is no file. A last line without its end was being written when a run was
    /// killed, and is left out.
    ///
    /// @throws OutriderException DATA_INVALID
    public static <T> List<T> lines(Path file, Class<T> type) {
        if (!Files.exists(file)) {
            return List.of();
        }
        try {
            String text = new String(BoundedFile.bytes(file, MAX_BYTES), StandardCharsets.UTF_8);
            int end = text.lastIndexOf('\n') + 1;
            var read = new ArrayList<T>();
            for (String line : text.substring(0, end).split("\n")) {
                if (!line.isBlank()) {
                    read.add(MAPPER.readValue(line, type));
                }
            }
            return List.copyOf(read);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private static OutriderException unreadable(Path file, Exception cause) {
        return new OutriderException(
                ErrorCode.DATA_INVALID,
                "'%s' cannot be read as results: %s".formatted(file, reason(cause)),
                "Run the comparison again, or name a folder that 'outrider bench' or 'outrider sweep' has written.",
                cause);
    }

    private static String reason(Exception cause) {
        return switch (cause) {
            case JsonMappingException mapping when !mapping.getPath().isEmpty() ->
                    "%s is missing or of the wrong type%s"
                            .formatted(
                                    mapping.getPath().stream()
                                            .map(JsonFiles::step)
                                            .collect(Collectors.joining(".")),
                                    line(mapping));
            case JsonProcessingException json ->
                    json.getOriginalMessage().lines().findFirst().orElse("not JSON") + line(json);
            case IOException failed -> FailureReason.of(failed);
            default -> cause.toString();
        };
    }

    private static String step(JsonMappingException.Reference step) {
        return Optional.ofNullable(step.getFieldName())
                .orElseGet(() -> Integer.toString(step.getIndex()));
    }

    private static String line(JsonProcessingException problem) {
        return Optional.ofNullable(problem.getLocation())
                .map(at -> ", line " + at.getLineNr())
                .orElse("");
    }
}
