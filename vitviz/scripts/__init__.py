"""What browsers are sent: JavaScript and CSS as one text each, and numbers as bytes."""
