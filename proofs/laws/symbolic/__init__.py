"""Loop nests for all sizes at once: their dataflow, their sets counted, premises of bounds.

It needs islpy, the extra `affine`: sets of integer points between affine bounds.
"""
