"""The JavaScript and CSS of the components as Streamlit takes them, and how the board's reach the browser."""
