"""The formats that hold prompts, one module for each family."""
