"""`lapwing plan` for every pattern, and its sensitivity."""

import json
from collections.abc import Callable

import lapwing as package
import pytest
from documents import check

from .typed import Lapwing
