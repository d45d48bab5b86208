"""Tests: unit (one module each), pages (AppTest), browser (Chromium)."""
