"""Access to the page: hosts, pairing, certificates."""
