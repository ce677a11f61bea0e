"""The pages in `reports/`, written from the records there."""
