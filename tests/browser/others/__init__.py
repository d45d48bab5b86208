"""Firefox and WebKit, beside the Chromium of all other browser tests: each a module that says how it starts."""
