"""What all tests in Python share."""

import signal

# A shell that started them in the background has keyboard interrupts ignored, and all that they
# start would ignore them too.
signal.signal(signal.SIGINT, signal.default_int_handler)
