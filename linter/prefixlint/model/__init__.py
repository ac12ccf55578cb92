"""The data that flows from one stage to the next: frozen, and free of I/O."""
