"""Star Battle (Alberi, Queens): k stars in every row, column and region, no two touching."""
