"""How components and their messages reach the browser through Streamlit."""
