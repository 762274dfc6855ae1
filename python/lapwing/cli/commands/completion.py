"""Print the script with which a shell completes commands, options and their choices.

Write it to the shell's place for such scripts, and again after an update of Lapwing."""

import argparse

from ..output import print_document
from ..parser import Parser
from ..shell_completion import SHELLS, script
from . import COMMANDS, parsers

EXAMPLES = """\
  lapwing completion bash > ~/.local/share/bash-completion/completions/lapwing
  lapwing completion zsh >> ~/.zshrc
  lapwing completion fish > ~/.config/fish/completions/lapwing.fish
  source <(lapwing completion bash)                     for this shell alone"""


def add(parser: Parser) -> None:
    """The options of `completion`."""
    parser.add_argument("shell", choices=list(SHELLS), help="the shell")


def execute(arguments: argparse.Namespace) -> int:
    """Print it."""
    print_document(script(arguments.shell, COMMANDS, parsers()))
    return 0
