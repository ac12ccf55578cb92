import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "src"))

from station.agent import ask


def handle(question, user_name):
    ask(question, user_name)
