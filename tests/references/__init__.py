"""What other libraries compute, written down once, so that tests need none of them."""
