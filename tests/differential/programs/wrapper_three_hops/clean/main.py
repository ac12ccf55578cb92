from chef import advise


def handle(question, user_name):
    advise("Cook: Anna.", question)
