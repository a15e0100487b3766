// Grows with the first slice.
