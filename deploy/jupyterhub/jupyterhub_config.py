"""castlelab for a school: every person has pages of their own behind the login of a JupyterHub.

One thing decides where it runs: SPAWNER. README.md beside this file says how to begin.
"""

import os
import sys
from pathlib import Path

c = get_config()  # type: ignore[name-defined]  # noqa: F821 - JupyterHub provides it

#: Where a person's server runs:
#: "simple"   on this machine, all as the user who runs the Hub: to try it, or for one small class;
#: "systemd"  on this machine, each as a unit of its own, fenced in by the system: for a room;
#: "kube"     in a Kubernetes cluster, each as a pod of its own: for a school and beyond.
SPAWNER = os.environ.get("CASTLELAB_SPAWNER", "simple")

#: How long somebody may do nothing, in seconds, before their server ends. Nothing is lost by it:
#: what they have solved is kept by their browser.
IDLE = 60 * 60

HERE = Path(__file__).parent

# The same for all spawners

# A person's server: castlelab's pages and nothing else. No editor, no terminal, no code of theirs.
c.Spawner.cmd = [sys.executable, "-m", "castlelab", "singleuser"]
# A server takes about 270 MB with its first page, and 20 to 65 MB for each further one that is
# open. castlelab keeps to the limit itself: it ends the page longest untouched, says so on that
# page, and offers to go on. The systems of a room and of a cluster hold it as well.
c.Spawner.mem_limit = "1G"
c.Spawner.mem_guarantee = "300M"
c.Spawner.cpu_limit = 2
# When a whole class logs in at once, starting takes longer.
c.Spawner.start_timeout = 180
c.Spawner.http_timeout = 180

# Who may come in: whoever has an account on this machine. For the accounts of your school put
# another one here, such as those of oauthenticator, ldapauthenticator or ltiauthenticator.
c.JupyterHub.authenticator_class = "pam"
c.Authenticator.allow_all = True  # all whom it knows
# c.Authenticator.admin_users = {"teacher"}  # who may see who is here, and end their servers

# Ends the servers of people who have gone. They tell the Hub when something was last done.
c.JupyterHub.services = [
    {
        "name": "idle-culler",
        "command": [
            sys.executable,
            "-m",
            "jupyterhub_idle_culler",
            f"--timeout={IDLE}",
            "--cull-every=300",
        ],
    }
]
c.JupyterHub.load_roles = [
    {
        "name": "idle-culler",
        "scopes": ["list:users", "read:users:activity", "read:servers", "delete:servers"],
        "services": ["idle-culler"],
    }
]

# Where people reach the Hub. Put something that speaks https in front, or give it a certificate:
# c.JupyterHub.ssl_cert, c.JupyterHub.ssl_key.
c.JupyterHub.bind_url = "http://:8000"

# The proxy that `npm install` has put beside this file; otherwise the one on the PATH.
proxy = HERE / "node_modules" / ".bin" / "configurable-http-proxy"
if proxy.exists():
    c.ConfigurableHTTPProxy.command = [str(proxy)]

# What differs between them

if SPAWNER == "simple":
    c.JupyterHub.spawner_class = "simple"
    # Everybody's server belongs to the same user of the system. What keeps people apart is the
    # Hub's login and that castlelab runs no code of theirs.
    c.SimpleLocalProcessSpawner.home_dir_template = str(Path.cwd() / "homes" / "{username}")

elif SPAWNER == "systemd":  # pip install jupyterhub-systemdspawner; the Hub runs as root
    c.JupyterHub.spawner_class = "systemdspawner.SystemdSpawner"
    c.SystemdSpawner.unit_name_template = "castlelab-{USERNAME}"
    c.SystemdSpawner.dynamic_users = True  # a user of the system for each, made when it is needed
    c.SystemdSpawner.isolate_tmp = True
    c.SystemdSpawner.isolate_devices = True
    c.SystemdSpawner.disable_user_sudo = True

elif SPAWNER == "kube":  # pip install jupyterhub-kubespawner; the Hub runs in the cluster
    c.JupyterHub.spawner_class = "kubespawner.KubeSpawner"
    # The image that Binder builds of this repository; the README says how.
    c.KubeSpawner.image = os.environ.get("CASTLELAB_IMAGE", "registry.example/castlelab:0.1.0")
    c.KubeSpawner.cmd = ["castlelab", "singleuser"]  # as it is called in there
    c.KubeSpawner.storage_pvc_ensure = False  # nothing is stored
    c.JupyterHub.hub_ip = "0.0.0.0"  # pods are other machines
    c.JupyterHub.hub_connect_ip = os.environ.get("CASTLELAB_HUB", "hub")  # its service's name
    c.JupyterHub.cleanup_servers = False  # pods outlive a restart of the Hub

else:
    raise ValueError(f"SPAWNER is simple, systemd or kube, not {SPAWNER!r}")
