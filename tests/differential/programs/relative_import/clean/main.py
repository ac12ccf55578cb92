from garden.agent import ask


def handle(question, user_name):
    ask(question, user_name)
