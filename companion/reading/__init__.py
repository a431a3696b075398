"""From pictures to what was observed on them: each photo's one way in, and the pictures kept beside a case."""
