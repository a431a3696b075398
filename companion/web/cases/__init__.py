"""The page of a case entered by tapping."""
