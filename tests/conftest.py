from hypothesis import settings

# How long an example takes depends on the machine, and no test asks for it.
settings.register_profile("house", deadline=None)
settings.load_profile("house")
