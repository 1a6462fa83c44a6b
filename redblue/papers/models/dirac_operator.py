"""Operations and words of one application of the lattice-QCD Dirac operator in one node.

The counts follow from the operator's structure, here; that a play of the `dirac` DAG moves as many
words is tested. A node has k x k x k x n4 sites of a lattice on a three-dimensional torus of nodes.

Source
------
G. Bilardi, A. Pietracaprina, G. Pucci, F. Schifano, R. Tripiccione, The potential of on-chip
multiprocessing for QCD machines, HiPC 2005, sections 3.1 and 3.2, equations (7) and (8), theorem 1.
"""

from redblue.answers.hardware.validation import require_no_less, require_positive

COLOURS, SPINS, AXES, TORUS_AXES = 3, 4, 4, 3
COMPLEX_WORDS = 2
MULTIPLY_ADD_FLOPS = 8  # of complex numbers: 6 + 2
COMPONENTS = COLOURS * SPINS

SPINOR_WORDS = COMPLEX_WORDS * COMPONENTS
LINK_WORDS = COMPLEX_WORDS * COLOURS**2

SITE_WORDS = 2 * SPINOR_WORDS + AXES * LINK_WORDS
"""sigma = 120 words a site: Psi, Phi and the link forward along each axis."""

FACE_WORDS = 2 * TORUS_AXES * 2 * SPINOR_WORDS
"""iota = 288 words for each site of a k x k x n4 face: a spinor each way on each of 6 faces."""

CUT_WORDS = 2 * SPINOR_WORDS + LINK_WORDS
"""66 words for each link that a cut through the node's sites crosses: both ends and the link."""

MULTIPLY_ADDS = 2 * AXES * COMPONENTS * COLOURS
"""288 complex multiplications and as many additions: 8 products of a link and a spinor, summed."""

SITE_FLOPS = MULTIPLY_ADD_FLOPS * MULTIPLY_ADDS + SPINOR_WORDS
"""chi = 2328 flop a site (8), of which 24 are K Psi."""

SITE_FLOPS_UNSCALED = SITE_FLOPS - SPINOR_WORDS
"""2304 flop a site without K Psi, with which the paper computed the left half of table 1."""


def sites(k: float, n4: float) -> float:
    """Return n = k^3 n4."""
    require_positive(k=k, n4=n4)
    return k**3 * n4


def neighbour_words(k: float, n4: float) -> float:
    """I_nb = 288 n / k, words to and from the neighbours (theorem 1)."""
    return FACE_WORDS * sites(k, n4) / k


def large_memory(k: float, n4: float) -> float:
    """Return 120 n, the words that hold all fields (theorem 1, case 1)."""
    return SITE_WORDS * sites(k, n4)


def medium_memory(k: float, *, halo: bool = True) -> float:
    """Return 96 k^3 + 432 k^2 words, with which each field crosses once (theorem 1, case 2).

    Without `halo`, the leading term alone: so table 2 was computed.
    """
    require_positive(k=k)
    return 96 * k**3 + (432 * k**2 if halo else 0)


def small_memory(k: float, s: float) -> float:
    """Return 96 k^2 s + 288 k s words, 1 <= s <= k (theorem 1, case 3)."""
    require_positive(k=k, s=s)
    return (96 * k**2 + 288 * k) * s


def local_words(k: float, n4: float, memory: float) -> float | None:
    """I_lc, the words to and from local memory that theorem 1 promises with `memory` words.

    0, 120 n, or (120 + 66/s) n + 132 k^2 with the largest whole s <= k that fits; None below
    the least memory for which the theorem holds. Its o(k^2) and O(1) words are left out.

    Parameters
    ----------
    k, n4
        Sites of the node along the torus axes and along the fourth.
    memory
        Words of memory on the chip.

    Examples
    --------
    >>> n = 8**3 * 16
    >>> [local_words(8, 16, memory) / n for memory in (8448, 76800, 983040)]
    [187.03125, 120.0, 0.0]
    """
    require_no_less(0, memory=memory)
    volume = sites(k, n4)
    if memory >= large_memory(k, n4):
        return 0.0
    if memory >= medium_memory(k):
        return SITE_WORDS * volume
    s = min(memory // small_memory(k, 1), k // 1)
    if s < 1:
        return None
    return (SITE_WORDS + CUT_WORDS / s) * volume + 2 * CUT_WORDS * k**2
