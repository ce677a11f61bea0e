"""Light Up, also called Akari or Bijutsukan: bulbs that light every floor cell and never one another."""
