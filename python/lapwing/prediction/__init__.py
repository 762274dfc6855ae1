"""What an operation or a message schedule will take, without running it."""
