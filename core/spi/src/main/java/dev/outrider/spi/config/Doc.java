package dev.outrider.spi.config;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// The meaning of a configuration key, on a component of a configuration record. Shown by `--help` and `plugins describe`.
///
/// State the unit and the range: `@Doc("Tokens drafted a round, 1 to 64.") int depth`.
@API(status = Status.STABLE, since = "2")
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.TYPE})
public @interface Doc {
    /// {@return one or two sentences}
    String value();
}
