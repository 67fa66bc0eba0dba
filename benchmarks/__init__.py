"""Speed, side by side with peers, as ratios in one run. ``make bench`` prints the table."""
