"""What browsers are offered to run small models themselves."""
