"""Ways into other libraries, each an extra."""
