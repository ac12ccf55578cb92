# gap: a caller whose file has no word of prompts in it is not read
from chef import advise


def handle(question, user_name):
    advise("Cook: Anna.", question)
