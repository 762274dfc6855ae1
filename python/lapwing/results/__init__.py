"""Result documents: reading them, and what they mean."""
