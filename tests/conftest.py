"""What all tests stand on."""

import os
import signal

from hypothesis import settings

# A shell that starts the tests in the background leaves Ctrl-C ignored, and several tests press it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# The same maps in every run of the gate; elsewhere hypothesis looks for new ones.
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")
