"""Create the profiles that vision needs: sheets, colors, decks of cards, cameras."""
