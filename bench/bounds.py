"""Counts instead of zeros: a share with its count, and what it is below in 95 of 100 cases."""

from math import exp, lgamma, log


def at_most(wrong: int, n: int) -> float:
    """The largest share of which so few would be `wrong` among `n` in one case of twenty (Clopper and Pearson, 1934).

    0 of 3000 is below 0.001; without any cases nothing is known, and it is 1.
    """
    if wrong >= n:
        return 1.0
    ways = [lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) for k in range(wrong + 1)]
    least, most = 0.0, 1.0
    for _ in range(50):
        share = (least + most) / 2
        so_few = sum(exp(w + k * log(share) + (n - k) * log(1 - share)) for k, w in enumerate(ways))
        least, most = (share, most) if so_few > 0.05 else (least, share)
    return most


def counted(wrong: int, n: int) -> str:
    """`3 of 4787, below 0.0016`."""
    return f"{wrong} of {n}, below {at_most(wrong, n):.2g}"
