"""The pages in `reports/`, written from the records in `reports/records/`."""
