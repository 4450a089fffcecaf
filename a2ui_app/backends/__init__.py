"""Coding agents behind one interface: `backends.new("claude")`, `execute(prompt, options)`, messages and one result."""
