"""A rejected run tells who is to be told, and ends as it would have ended anyway."""

from __future__ import annotations

import http.server
import json
import os
import shutil
import socketserver
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SECRET = "T0K3N5ecr3t"


def test_a_rejected_run_tells_and_exits_with_1_even_if_an_alert_fails(tmp_path: Path) -> None:
    got: list[Any] = []

    class Hook(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    for folder in ("contracts", "gx"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    environments = json.loads((ROOT / "contracts/environments.json").read_text())
    environments["local"]["alerts"] = ["{{env/DEAD}}", "{{env/HOOK}}"]
    (tmp_path / "contracts/environments.json").write_text(json.dumps(environments))
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Hook) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        addresses = {"DEAD": f"json://127.0.0.1:9/{SECRET}", "HOOK": f"json://127.0.0.1:{server.server_address[1]}/x"}
        done = subprocess.run(
            [
                Path(sys.executable).with_name("sluis"),
                "run",
                "customers",
                "--source",
                "contracts/samples/customers_invalid.csv",
            ],
            cwd=tmp_path,
            env={**os.environ, **addresses},
            capture_output=True,
            text=True,
            check=False,
        )
        server.shutdown()
        thread.join()
    assert done.returncode == 1, done.stderr
    assert "The alert to {{env/DEAD}} could not be sent" in done.stderr
    assert SECRET not in done.stdout + done.stderr
    (alert,) = got
    assert alert["title"] == "✕ customers: rejected"
    assert "• Column first_name cannot be NULL or empty (1 of 3 rows)" in alert["message"].splitlines()
    assert "1002" not in alert["message"]
