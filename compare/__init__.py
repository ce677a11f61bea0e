"""The judge: runs engines on puzzles, checks their layouts by the rules and compares their answers."""
