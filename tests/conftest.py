from hypothesis import settings

# How long an example takes depends on the machine, and no test asks for it. `make test-long`
# tries more of them.
settings.register_profile("house", deadline=None, max_examples=50)
settings.register_profile("long", deadline=None, max_examples=300)
settings.load_profile("house")
