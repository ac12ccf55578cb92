from transport import send


def talk(system, text, role="user"):
    messages = [{"role": "system", "content": system}]
    messages.append({"role": role, "content": text})
    return send(messages)
