package dev.outrider.experiment.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;

/// Writes records as JSON; an empty `Optional` is `null`.
final class Json {
    private static final ObjectMapper LINE =
            JsonMapper.builder().addModule(new Jdk8Module()).build();
    private static final ObjectMapper PRETTY =
            JsonMapper.builder()
                    .addModule(new Jdk8Module())
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .build();

    private Json() {}

    static String line(Object value) {
        return write(LINE, value);
    }

    static String pretty(Object value) {
        return write(PRETTY, value) + "\n";
    }

    private static String write(ObjectMapper mapper, Object value) {
        try {
            return mapper.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a record of plain values is always JSON", e);
        }
    }
}
