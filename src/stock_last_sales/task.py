"""The wheel task: reads the tables that the entity names, and writes through the gate of its contract."""

from __future__ import annotations

from sluis.cli.running import log_to_stderr
from sluis.cli.task import frame_task
from stock_last_sales.transform import calculate_last_sales

command = frame_task("stock_last_sales", calculate_last_sales)


def main() -> None:
    """Run the data product with the task's parameters.

    Raises:
        RejectedError: the rows broke the contract.
        SluisError: contract, project or environment are wrong.
        click.UsageError: the parameters are.
    """
    log_to_stderr()
    command.main(standalone_mode=False)
