"""What people and programs are given: records, files, pictures, pages, lines on a terminal."""
