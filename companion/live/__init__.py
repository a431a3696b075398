"""Follow a table: detect when it is at rest, apply people's corrections, keep each settled state.

follower = Follower(TableReader(profile))                       frames in, settled states out
TableSession(journal, profile, source, make_follower).start()   the same in a thread, for a page
"""
