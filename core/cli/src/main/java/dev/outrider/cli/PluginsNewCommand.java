package dev.outrider.cli;

import dev.outrider.engine.plugins.ComponentKind;
import dev.outrider.engine.plugins.PluginRegistry;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.lang.model.SourceVersion;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The command `outrider plugins new`: a plugin that builds and passes the checks, to be changed into another.
@Command(
        name = "new",
        description = "Writes a plugin that builds and passes, to start from.",
        footer = {
            "  outrider plugins new my-drafter",
            "  outrider plugins new my-rule --kind rule --out ../my-rule --package org.acme.rules"
        })
final class PluginsNewCommand implements Runnable {
    private static final Pattern PACKAGE = Pattern.compile("[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)*");

    private final Console console;
    private final Checkout checkout;
    private final PluginRegistry registry;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "NAME",
            description = "What configurations will call it, such as my-drafter.")
    private String name = "";

    @Option(
            names = "--kind",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).",
            defaultValue = "drafter")
    private Skeleton kind = Skeleton.DRAFTER;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "New folder (default: NAME in the working directory).")
    private Optional<Path> out = Optional.empty();

    @Option(
            names = "--package",
            paramLabel = "PACKAGE",
            description = "Java package (default: com.example and the name).")
    private Optional<String> ofPackage = Optional.empty();

    @Inject
    PluginsNewCommand(Console console, Checkout checkout, PluginRegistry registry) {
        this.console = console;
        this.checkout = checkout;
        this.registry = registry;
    }

    @Override
    public void run() {
        var chosen = ofPackage.orElse("com.example." + name.replace("-", ""));
        check(Skeleton.NAME, name, "lower-case words joined by hyphens, such as my-drafter");
        check(PACKAGE, chosen, "a Java package, such as org.acme.drafting");
        if (!SourceVersion.isName(chosen)) {
            throw problem(
                    "'%s' is not a Java package, for a part of it is a keyword; choose another --package"
                            .formatted(chosen));
        }
        if (taken()) {
            throw problem("'%s' is a name that is taken; choose another".formatted(name));
        }
        Path folder = out.orElse(Path.of(name));
        try {
            var clash = kind.clash(checkout.root(), name);
            if (clash.isPresent()) {
                throw problem(
                        "'%s' would give a class the name of Outrider's own %s; choose another"
                                .formatted(name, clash.get()));
            }
            requireNew(folder);
            kind.write(checkout.root(), name, chosen, folder);
        } catch (IOException e) {
            throw Failures.cannotWrite(folder, e);
        }
        console.out()
                .print(
                        """
                        %1$s is written. Next:
                          mvn install -Dmaven.test.skip=true   in Outrider's checkout, once
                          mvn -f %1$s/pom.xml verify
                        and %1$s/README.md, docs/guide/plugin-guide.md.
                        """
                                .formatted(folder));
    }

    private boolean taken() {
        return switch (kind) {
            case DRAFTER -> registry.all(ComponentKind.DRAFTER).names().contains(name);
            case RULE -> registry.all(ComponentKind.ACCEPTANCE_RULE).names().contains(name);
        };
    }

    private void check(Pattern pattern, String value, String expected) {
        if (!pattern.matcher(value).matches()) {
            throw problem("'%s' is not %s".formatted(value, expected));
        }
    }

    private void requireNew(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (var files = Files.list(folder)) {
                if (files.findAny().isPresent()) {
                    throw problem("'%s' is there already and not empty".formatted(folder));
                }
            }
        }
    }

    private ParameterException problem(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
