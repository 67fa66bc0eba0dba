"""What happens in the visitor's own browser: storage, files, links, the connection."""
