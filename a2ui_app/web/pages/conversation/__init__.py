"""The conversation page: what an agent says and does, its surfaces and questions, and the box to answer in."""
