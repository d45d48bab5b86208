"""The JavaScript and CSS of the components as Streamlit takes them: one text each, without what only people read."""
