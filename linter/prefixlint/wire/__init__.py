"""What goes over the wire: request bodies of each API, logs of them, usage counters, and a small HTTP client."""
