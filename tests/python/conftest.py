"""Set-up that all Python tests share."""

import signal

# A shell that starts tests in the background makes them ignore keyboard interrupts, and so would
# every process that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)
