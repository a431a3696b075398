"""A table that is followed: when it rests, what people say of it, and what follows from each settled state.

follower = Follower(TableReader(profile))                       frames in, settled states out
TableSession(journal, profile, source, make_follower).start()   the same in a thread, for a page
"""
