"""Many photos on the command line: read on all cores or a cluster, resumed where they were interrupted, reported."""
