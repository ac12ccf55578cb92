"""What a run found, as text for people and for other programs. Every renderer is a pure function of a ``RunResult``."""
