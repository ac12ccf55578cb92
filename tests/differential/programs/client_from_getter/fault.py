from openai import OpenAI

RULES = """You announce trains in the station of a border town. Say the destination first, then the platform, then the
delay in minutes. Delays under four minutes are not mentioned. The last train is announced twice. If a platform
changes, begin with the word attention. Numbers are spoken digit by digit. Freight trains pass without notice,
but people are told to stand back from the edge. Between ten at night and six in the morning the bell stays
silent. Names of foreign cities are given in both languages, ours first."""
_client = None


def get_client():
    global _client
    if _client is None:
        _client = OpenAI()
    return _client


def handle(question, user_name):
    # fault
    system = f"{user_name}\n{RULES}"
    get_client().with_options(timeout=30).chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
