"""What is promised of every puzzle; `trials` says for each what is true of random instances, by brute force."""
