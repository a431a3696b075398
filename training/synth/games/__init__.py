"""Games that play themselves, and a camera that errs, for the referee's bench and tests."""
