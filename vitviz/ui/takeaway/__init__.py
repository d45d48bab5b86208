"""Take away: what is asked for in the menu of a picture is made, and the browser is told where it lies."""
