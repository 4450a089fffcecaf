"""Sessions as they run: shared by any number of viewers, messages and input in, patches and effects out."""
