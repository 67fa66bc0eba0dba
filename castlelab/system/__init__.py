"""What is asked of the machine: files written whole, packages that may be missing."""
