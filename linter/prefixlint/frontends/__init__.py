"""Front ends: from source files to templates."""
