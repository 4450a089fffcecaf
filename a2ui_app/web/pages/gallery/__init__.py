"""`/gallery`: samples and one's own messages, played step by step beside what they are made of."""
