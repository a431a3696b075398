"""The pages of photographed sheets: profiles, plays, readings."""
