"""Who may talk to the page: hosts, pairing, certificates."""
