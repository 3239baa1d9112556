package dev.outrider.spi.draft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DrafterChoiceTest {
    record Length(int length) {}

    record Width(int width) {}

    @Test
    void aChoiceHasTheTraitsOfItsConfiguration() {
        var choice = new DrafterChoice("lookup", new Lookup(), new Length(4));

        assertThat(choice.traits()).isEqualTo(DrafterTraits.chain(4));
    }

    @Test
    void aConfigurationIsOfTheTypeThatTheFactoryDeclares() {
        assertThatThrownBy(() -> new DrafterChoice("lookup", new Lookup(), new Width(4)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the configuration of drafter 'lookup' is a %s, expected a %s"
                                .formatted(Width.class.getName(), Length.class.getName()));
    }

    private static final class Lookup implements Drafter.Factory<Length> {
        @Override
        public String name() {
            return "lookup";
        }

        @Override
        public Class<Length> configType() {
            return Length.class;
        }

        @Override
        public DrafterTraits traits(Length config) {
            return DrafterTraits.chain(config.length());
        }

        @Override
        public Drafter create(Length config, DrafterContext context) {
            throw new AssertionError("nothing is loaded");
        }
    }
}
