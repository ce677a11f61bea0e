"""Many questions put to many engines: suites, results that are kept, and the verdict on them."""
