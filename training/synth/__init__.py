"""Pictures that the project draws itself, with their truth: sheets, hands, pens and the camera that sees them.

Everything is measured in cells of the grid until it is laid on paper, and follows one
`numpy.random.Generator`, so that a seed is a picture.
"""
