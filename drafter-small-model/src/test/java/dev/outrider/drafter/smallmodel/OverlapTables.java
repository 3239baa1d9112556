package dev.outrider.drafter.smallmodel;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/// Prints the tables of docs/overlap.md. Run by name alone; the properties say what.
class OverlapTables {
    @Test
    void rates() {
        OverlapRates.print(arguments("overlap.rates", "4 30 0.8 0.5,1 1,8"));
    }

    @Test
    void outcomes() throws IOException {
        OverlapOutcomes.print(
                arguments(
                        "overlap.outcomes",
                        "../models/demo-target ../models/demo-draft ../configs/prompts/held-out.jsonl 8"));
    }

    private static String[] arguments(String property, String usual) {
        return System.getProperty(property, usual).split(" ", -1);
    }
}
