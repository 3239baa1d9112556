package dev.outrider.spi.config;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// The value a configuration key has when the file does not give it, written as YAML.
///
/// `@Default("4") int depth`, `@Default("[]") List<String> stop`, `@Default("{}") Sampling sampling` (every key of the nested
/// record at its own default). A component with neither a default nor the type `Optional` must be given.
@API(status = Status.STABLE, since = "2")
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Default {
    /// {@return the value as YAML text; read by the same reader as the file}
    String value();
}
