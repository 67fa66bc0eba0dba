"""The page server: Voilà with our template, our pages and nothing else.

The folder is also a Jupyter data folder: ``nbconvert/templates/castlelab`` is the template.
"""
