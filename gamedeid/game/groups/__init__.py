"""Sort everybody into released groups that are worth most: the games against a recipient who knows the method."""
