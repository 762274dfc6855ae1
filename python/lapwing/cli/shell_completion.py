"""Scripts for the completion of shells, made from the parsers of all commands."""

import shlex
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

Parsers = Mapping[str, Sequence[ArgumentParser]]


@dataclass(frozen=True)
class _Option:
    """An option, the choices that may follow it, and a description."""

    names: tuple[str, ...]
    choices: tuple[str, ...]
    words: str


def script(shell: str, commands: Mapping[str, str], parsers: Parsers) -> str:
    """The completion script for `shell`, a key of SHELLS.

    commands: names with descriptions.  parsers: all parsers of each command.
    """
    return SHELLS[shell](commands, parsers)


def _options(parsers: Iterable[ArgumentParser]) -> list[_Option]:
    """The options of all these parsers, each once, with the choices of all of them."""
    found: dict[tuple[str, ...], _Option] = {}
    for parser in parsers:
        for action in parser._actions:
            names = tuple(action.option_strings)
            words = (action.help or "").partition(" (")[0].partition(":")[0]
            known = found.setdefault(names, _Option(names, (), words))
            choices = dict.fromkeys([*known.choices, *map(str, action.choices or ())])
            found[names] = replace(known, choices=tuple(choices))
    return list(found.values())


def _bash(commands: Mapping[str, str], parsers: Parsers) -> str:
    choices, options = [], []
    for command in commands:
        for option in _options(parsers[command]):
            for name in option.names if option.choices else ():
                choices.append(f'        {command}:{name}) words="{" ".join(option.choices)}" ;;')
        names = [name for option in _options(parsers[command]) for name in option.names]
        # Positional arguments are files, or one of these words.
        plain = [word for o in _options(parsers[command]) if not o.names for word in o.choices]
        options.append(f'        {command}:-*) words="{" ".join(names)}" ;;')
        if plain:
            options.append(f'        {command}:*) words="{" ".join(plain)}" ;;')
    return "\n".join(
        [
            "_lapwing() {",
            '    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=""',
            "    case ${COMP_WORDS[1]}:$before in",
            *choices,
            "    esac",
            '    if [ "$COMP_CWORD" -eq 1 ]; then',
            f'        words="{" ".join(commands)} --help --version"',
            '    elif [ -z "$words" ]; then case ${COMP_WORDS[1]}:$word in',
            *options,
            "    esac; fi",
            '    COMPREPLY=($(compgen -W "$words" -- "$word"))',
            "}",
            "complete -o default -F _lapwing lapwing",
            "",
        ]
    )


def _zsh(commands: Mapping[str, str], parsers: Parsers) -> str:
    start = "autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n"
    return start + _bash(commands, parsers)


def _fish(commands: Mapping[str, str], parsers: Parsers) -> str:
    first = "complete -c lapwing -n __fish_use_subcommand"
    lines = [
        f"{first} -l help -d 'what there is to do'",
        f"{first} -l version -d 'which Lapwing this is'",
    ]
    for command, words in commands.items():
        said = shlex.quote(words)
        lines.append(f"{first} -f -a {command} -d {said}")
        seen = f'-n "__fish_seen_subcommand_from {command}"'
        for option in _options(parsers[command]):
            names = " ".join(
                f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"
                for name in option.names
            )
            after = f' -x -a "{" ".join(option.choices)}"' if option.choices and names else ""
            after = after or (f' -a "{" ".join(option.choices)}"' if option.choices else "")
            if names or after:
                said = f" -d {shlex.quote(option.words)}" if option.words else ""
                lines.append(f"complete -c lapwing {seen} {names}{after}{said}")
    return "\n".join([*lines, ""])


SHELLS = {"bash": _bash, "zsh": _zsh, "fish": _fish}
