"""The ratchet: what was known before (a baseline of findings, a lock of prefixes), and what is new since."""
