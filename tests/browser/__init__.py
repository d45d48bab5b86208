"""The app in a real browser: a server of its own, a Chromium, and what they may and may not do."""
