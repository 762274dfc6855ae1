"""Result documents: reading them, and names for what is in them."""
