"""What the tool knows about names and libraries, as data files with a source and a date."""
