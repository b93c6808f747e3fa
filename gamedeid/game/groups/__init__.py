"""Sort everybody into released groups so that they are worth most: the games against a recipient who knows the method."""
