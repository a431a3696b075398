"""Human Angel Demon on the shelf; its page is still to come."""

from companion.games.entry import Game

GAME = Game("human-angel-demon")
