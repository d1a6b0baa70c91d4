from hypothesis import settings

# How long an example takes depends on the machine, and no test asks for it. The examples are the
# same in every run, so that one run is as good as another; `make test-long` tries more and others.
settings.register_profile("house", deadline=None, max_examples=15, derandomize=True)
settings.register_profile("long", deadline=None, max_examples=300)
settings.load_profile("house")
