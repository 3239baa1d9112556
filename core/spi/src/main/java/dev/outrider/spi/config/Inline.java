package dev.outrider.spi.config;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// The keys of this component, a record, are among the keys of the record that has it: several configurations share
/// settings, and files need no further level for them.
///
/// ```java
/// record MyConfig(Path path, @Inline Drafting drafting) {}
/// ```
///
/// is written `{path: x, length: 4}`, where `length` is a key of `Drafting`. No name may occur twice.
@API(status = Status.STABLE, since = "2")
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Inline {}
