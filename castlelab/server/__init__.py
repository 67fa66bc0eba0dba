"""The page server: Voilà with our template, our pages and nothing else.

The folder is also a Jupyter data folder: ``nbconvert/templates/castlelab`` is the template.
"""

#: The variable that names the process with which all kernels end. It is written down here: the
#: server and its kernels both need it, and neither imports the other.
SERVER_PROCESS = "CASTLELAB_SERVER"
