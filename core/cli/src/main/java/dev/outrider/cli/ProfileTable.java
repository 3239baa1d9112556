package dev.outrider.cli;

import dev.outrider.training.TrainingProfile;
import java.util.Locale;

/// What the steps of a run waited for, a line each, as shares of the whole.
final class ProfileTable {
    private ProfileTable() {}

    static String of(TrainingProfile profile) {
        var text = new StringBuilder();
        for (var part : TrainingProfile.Part.values()) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "%-12s %5.1f %% %8.1f s  %s%n",
                            part.name().toLowerCase(Locale.ROOT),
                            100 * profile.share(part),
                            profile.seconds().getOrDefault(part, 0.0),
                            part.meaning()));
        }
        return text.append(
                        String.format(
                                Locale.ROOT,
                                "%-12s %7s %8.1f s%n",
                                "together",
                                "",
                                profile.total()))
                .toString();
    }
}
