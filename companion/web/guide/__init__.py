"""The guide on the page: the project's own pages of `docs/guide`, installed too."""
