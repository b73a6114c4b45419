"""The Databricks App that shows the site of a Volume to the people of a workspace: `python -m sluis.report.app VOLUME`.

It runs from the source folder on what every app has installed: Python and the SDK. The platform asks people who they
are before a request comes here; the app reads with its own identity, which needs no more than READ VOLUME.
"""

from __future__ import annotations

import os
import sys

from sluis.report.serve import server
from sluis.report.volume import connect


def main(place: str) -> None:
    """Serve the site of a state folder on a Volume, on the port that the platform names.

    Raises:
        EnvironmentFailure: that is no Volume, or there are no credentials, or the port cannot be used.
    """
    volume = connect(place)
    with server(lambda path: volume.read(f"docs/{path}"), "0.0.0.0", int(os.environ["DATABRICKS_APP_PORT"])) as running:
        print(f"Serving {volume.folder}/docs", flush=True)
        running.serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])
