from chef import advise


def handle(question, user_name):
    # fault
    advise(f"Cook: {user_name}.", question)
