package dev.outrider.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;

/// A method of a conformance suite that checks one rule of the contract. JUnit runs it as a test; [SuiteRunner] runs it without
/// JUnit, in a process in which the JUnit annotation on this annotation is unknown and ignored.
@Test
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Check {}
