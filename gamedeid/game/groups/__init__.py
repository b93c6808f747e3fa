"""The games against a recipient who knows the method: all people are put into the released groups worth most."""
