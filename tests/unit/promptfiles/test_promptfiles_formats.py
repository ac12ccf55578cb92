"""One small file for each format, with the layout that its documentation says it has."""

from __future__ import annotations

from textwrap import dedent

from prefixlint.frontends.promptfiles import extract, might_hold_prompt, yaml_source
from prefixlint.frontends.promptfiles.formats import configmap
from prefixlint.model.lifetimes import Confidence, Lifetime, SourceKind
from prefixlint.model.segments import Text, Value
from prefixlint.model.sources import Position, SourceFile
from promptfile_shapes import blocks, only, shape, templates


def test_jinja_file_in_a_prompt_folder():
    template = only("app/prompts/plan.j2", "You are a planner. Answer in JSON.\n{{ question }}\nUse the rules below.\n")
    assert (template.form, template.name, template.confidence) == ("jinja-file", "plan", Confidence.HIGH)
    assert blocks(template) == [("", "You are a planner. Answer in JSON.\n<question request>\nUse the rules below.")]


def test_jinja_file_with_role_headers():
    source = dedent(
        """\
        # system:
        You are a helpful assistant. Answer the user.
        {{contexts}}

        {% for item in chat_history %}
        # user:
        {{item.inputs.question}}
        # assistant:
        {{item.outputs.answer}}
        {% endfor %}

        # user:
        {{question}}
        """
    )
    template = only("flow/chat.jinja2", source)
    assert template.form == "jinja-chat"
    assert blocks(template) == [
        ("system", "You are a helpful assistant. Answer the user.\n<contexts request>"),
        ("history", "<chat_history turn+>"),
        ("user", "<question request>"),
    ]
    assert [block.component for block in template.blocks] == ["system", "messages", "messages"]
    assert template.blocks[0].segments[1].span.start == Position(3, 1)


def test_jinja_file_with_role_tags():
    source = (
        '{% chat role="system" %}You are a judge.{% endchat %}\n{% chat role="user" %}Rate {{ answer }}{% endchat %}'
    )
    assert blocks(only("judge.jinja", source)) == [
        ("system", "You are a judge."),
        ("user", "Rate <answer request>"),
    ]


def test_prompty():
    source = dedent(
        """\
        ---
        name: Judge
        model:
          api: chat
          configuration:
            type: azure_openai
            azure_deployment: gpt-4o
        inputs:
          query:
            type: string
        ---
        system:
        You judge.

        user:
        # Question
        {{ query }}
        """
    )
    template = only("evals/judge.prompty", source)
    assert (template.form, template.name, template.model) == ("prompty", "Judge", "gpt-4o")
    assert blocks(template) == [("system", "You judge."), ("user", "# Question\n<query request>")]
    assert template.blocks[1].segments[1].span.start == Position(17, 1)


def test_text_prompts_by_syntax():
    body = "You are a helper. Your task is to answer the question. Always be brief.\n"
    assert blocks(only("prompts/a.txt", body + "Question: {question}\n{language}\n{{literal}}")) == [
        ("", body + "Question: <question request>\n<language deployment>\n{literal}")
    ]
    assert blocks(only("prompts/b.md", body + "{{ question }} and {remaining_steps}")) == [
        ("", body + "<question request> and {remaining_steps}")
    ]
    assert blocks(
        only("prompts/c.txt", "note\n<commentblockmarker>###</commentblockmarker>" + body + "!<INPUT 0>!")
    ) == [("", body + "<!<INPUT 0>! unknown>")]
    assert blocks(only("prompts/d.txt", body + "Query: ${query}")) == [("", body + "Query: <query request>")]


def test_semantic_kernel_folder():
    source = "Summarize this. {{$input}}\n{{time.now}} {{ conversation.recent 5 }}"
    template = only("skills/summarize/skprompt.txt", source, {})
    assert (template.form, template.name) == ("semantic-kernel", "summarize/skprompt")
    assert blocks(template) == [("", "Summarize this. <input request>\n<time.now request> <conversation.recent turn+>")]
    jinja = only(
        "skills/x/skprompt.txt", "You {{ question }}", {"skills/x/config.json": '{"template_format": "jinja2"}'}
    )
    assert blocks(jinja) == [("", "You <question request>")]


def test_semantic_kernel_yaml():
    source = dedent(
        """\
        name: Story
        template: |
          Tell a story about {{topic}} that is {{length}} long. Always be kind.
        template_format: handlebars
        input_variables:
          - name: topic
        """
    )
    (block,) = blocks(only("plugins/story.yaml", source))
    assert block == ("", "Tell a story about <topic request> that is <length deployment> long. Always be kind.\n")


def test_yaml_keys_system_and_user_are_one_prompt():
    source = dedent(
        """\
        summarize:
          system: |
            You are a summarizer of {language} text.
          user: |
            Summarize the following text.
            {text}
        version: 1
        """
    )
    template = only("config/prompts.yaml", source)
    assert template.name == "summarize"
    assert blocks(template) == [
        ("system", "You are a summarizer of <language deployment> text.\n"),
        ("user", "Summarize the following text.\n<text request>\n"),
    ]


def test_yaml_document_that_is_one_text_without_a_key():
    source = dedent("""\
        judge_prompt: You judge the answer {answer}.
        --- |
        You are a careful assistant. Your task is to answer the question.
        Today is {date}. {question}
        """)
    held = [
        [s.expression for s in template.blocks[0].segments if isinstance(s, Value)]
        for template in templates("prompts/system_prompt.yaml", source)
    ]
    assert held == [["answer"], ["date", "question"]]


def test_one_syntax_for_a_whole_yaml_file():
    source = dedent(
        """\
        plan_prompt: "You have {remaining_steps} steps for {{ task }}. Answer in JSON, step by step."
        other_prompt: "You must only use {tools}. Answer the question in JSON."
        """
    )
    (first,) = templates("agents.yaml", source)
    assert blocks(first) == [("", "You have {remaining_steps} steps for <task request>. Answer in JSON, step by step.")]


def test_chat_yaml():
    source = dedent(
        """\
        format: chat
        messages:
          - role: system
            content: |-
              You keep notes about the user.
          - role: user
            content: |-
              Notes: {current_memory}
              Said: {conversation}
        """
    )
    template = only("memory/update.chat.yaml", source)
    assert template.form == "yaml-chat"
    assert blocks(template) == [
        ("system", "You keep notes about the user."),
        ("user", "Notes: <current_memory session>\nSaid: <conversation turn+>"),
    ]


def test_github_models():
    source = dedent(
        """\
        name: Summarizer
        model: openai/gpt-4o-mini
        messages:
          - role: system
            content: You are a {helpful} summarizer.
          - role: user
            content: 'Text: {{input}}'
        testData:
          - input: one
        """
    )
    template = only("sum.prompt.yml", source)
    assert (template.form, template.model) == ("github-models", "openai/gpt-4o-mini")
    assert blocks(template) == [("system", "You are a {helpful} summarizer."), ("user", "Text: <input request>")]


def test_langchain_prompt_yaml_and_json():
    yaml = "_type: prompt\ninput_variables: [question]\ntemplate: |-\n  Answer {question} as {{json}}.\n"
    assert blocks(only("qa.yaml", yaml)) == [("", "Answer <question request> as {json}.")]
    json = '{"_type": "prompt", "input_variables": ["question"], "template": "Caf\\u00e9 \\ud83d\\ude00\\n{question}!"}'
    template = only("qa.json", json)
    assert blocks(template) == [("", "Café \U0001f600\n<question request>!")]
    value = template.blocks[0].segments[1]
    assert json[value.span.start.column - 1 : value.span.end.column - 1] == "{question}"


def test_langchain_few_shot():
    source = dedent(
        """\
        _type: few_shot
        input_variables: [adjective]
        prefix: Write antonyms.
        example_prompt:
          _type: prompt
          input_variables: [input, output]
          template: "In: {input} Out: {output}"
        examples:
          - {input: happy, output: sad}
          - {input: tall, output: short}
        suffix: "In: {adjective} Out:"
        """
    )
    # As langchain's FewShotPromptTemplate joins it, with its default separator.
    assert blocks(only("few.yaml", source)) == [
        ("", "Write antonyms.\n\nIn: happy Out: sad\n\nIn: tall Out: short\n\nIn: <adjective unknown> Out:")
    ]


def test_langchain_template_path():
    source = '{"_type": "prompt", "input_variables": ["question"], "template_path": "qa.txt"}'
    template = only("p/qa.json", source, {"p/qa.txt": "Answer {question}"})
    assert blocks(template) == [("", "Answer <question request>")]
    assert template.blocks[0].segments[1].span.path == "p/qa.txt"


def test_langchain_serialised_chat():
    source = """{"lc": 1, "type": "constructor", "id": ["langchain", "prompts", "chat", "ChatPromptTemplate"], "kwargs":
    {"messages": [
      {"lc": 1, "id": ["langchain", "prompts", "chat", "SystemMessagePromptTemplate"],
       "kwargs": {"prompt": {"lc": 1, "id": ["x", "PromptTemplate"], "kwargs": {"template": "Be {tone}."}}}},
      {"lc": 1, "id": ["langchain", "prompts", "chat", "MessagesPlaceholder"],
       "kwargs": {"variable_name": "chat_history"}},
      {"lc": 1, "id": ["langchain", "prompts", "chat", "HumanMessagePromptTemplate"],
       "kwargs": {"prompt": {"lc": 1, "id": ["x", "PromptTemplate"], "kwargs": {"template": "{question}"}}}}]}}"""
    assert blocks(only("chat.json", source)) == [
        ("system", "Be <tone deployment>."),
        ("user", "<chat_history turn+>"),
        ("user", "<question request>"),
    ]


def test_promptfoo():
    source = dedent(
        """\
        prompts:
          - 'Translate to {{language}}: {{question}}'
          - file://prompts/chat.json
          - label: named
            raw: |
              Be brief. {{question}}
        providers: [openai:gpt-4o]
        tests:
          - vars: {question: hi}
        """
    )
    found = templates(
        "promptfooconfig.yaml",
        source,
        {
            "prompts/chat.json": '[{"role": "system", "content": "Be kind."}, '
            '{"role": "user", "content": "{{question}}"}]'
        },
    )
    assert [blocks(template) for template in found] == [
        [("", "Translate to <language deployment>: <question request>")],
        [("system", "Be kind."), ("user", "<question request>")],
        [("", "Be brief. <question request>\n")],
    ]
    assert found[2].name == "named"


def test_dify():
    source = dedent(
        """\
        app: {mode: advanced-chat, name: x}
        kind: app
        workflow:
          graph:
            nodes:
              - id: '1'
                data: {type: start, title: Start}
              - id: '2'
                data: {type: knowledge-retrieval, title: KB}
              - id: '3'
                data:
                  type: llm
                  title: Answer
                  model: {name: gpt-4o, provider: openai}
                  prompt_template:
                    - role: system
                      text: 'Facts: {{#2.result#}} for {{#env.product#}} and {{#1.tone#}}'
                    - role: user
                      text: '{{#sys.query#}}'
                  memory:
                    window: {enabled: false, size: 10}
        """
    )
    template = only("app.yml", source)
    assert (template.form, template.name, template.model) == ("dify", "Answer", "gpt-4o")
    assert blocks(template) == [
        ("system", "Facts: <2.result request> for <env.product deployment> and <1.tone deployment>"),
        ("user", "<sys.query request>"),
        ("user", "<memory turn+>"),
    ]
    assert template.blocks[0].segments[1].origin.kind is SourceKind.RETRIEVAL


def test_nemo_guardrails():
    source = dedent(
        """\
        prompts:
          - task: self_check_input
            content: |-
              {{ general_instructions }}
              Message: "{{ user_input }}"
              {{ history | colang | verbose_v1 }}
          - task: general
            messages:
              - type: system
                content: "{{ general_instructions }}"
              - "{{ history | to_chat_messages }}"
        """
    )
    first, second = templates("config/prompts.yml", source)
    assert (first.form, first.name) == ("nemo", "self_check_input")
    assert blocks(first) == [
        (
            "",
            '<general_instructions deployment>\nMessage: "<user_input request>"\n<history | colang | verbose_v1 turn+>',
        )
    ]
    assert blocks(second) == [
        ("system", "<general_instructions deployment>"),
        ("user", "<history | to_chat_messages turn+>"),
    ]


AGENTS = dedent(
    """\
    researcher:
      goal: Find facts about {topic}
      role: Researcher
      backstory: You know {unlive} and {topic}.
    """
)


def test_crewai_agents_and_tasks():
    agent = only("src/config/agents.yaml", AGENTS)
    # The system text holds role, backstory and goal in this order, whatever the order of the keys.
    assert blocks(agent) == [
        (
            "system",
            "You are Researcher. You know <unlive unknown> and <topic request>.\n"
            "Your personal goal is: Find facts about <topic request>",
        )
    ]
    tasks = dedent(
        """\
        research:
          description: 'Research {topic} in {"json": 1}'
          expected_output: A report
          agent: researcher
        """
    )
    task = only("src/config/tasks.yaml", tasks, {"src/config/agents.yaml": AGENTS})
    assert [role for role, _ in blocks(task)] == ["system", "user"]
    assert blocks(task)[1][1] == (
        '\nCurrent Task: Research <topic request> in {"json": 1}\n\n'
        "This is the expected criteria for your final answer: A report\n"
        "you MUST return the actual complete content as the final answer, not a summary.\n\n"
        "Provide your complete response:"
    )
    assert task.blocks[0].span.path == "src/config/agents.yaml"


def test_lm_evaluation_harness():
    source = dedent(
        """\
        task: quiz
        dataset_path: quiz
        description: "Answer the questions.\\n\\n"
        doc_to_text: "Q: {{question}}\\nA:"
        num_fewshot: 5
        """
    )
    template = only("lm_eval/tasks/quiz.yaml", source)
    assert blocks(template) == [("", "Answer the questions.\n\n<5 few-shot examples request>Q: <question request>\nA:")]
    fixed = only("lm_eval/tasks/quiz.yaml", source + "fewshot_config:\n  sampler: first_n\n")
    assert fixed.blocks[0].segments[1].lifetime is Lifetime.CONSTANT


def test_swe_agent():
    source = dedent(
        """\
        agent:
          templates:
            system_template: |-
              You fix code. {{command_docs}}
            instance_template: |-
              Issue: {{problem_statement}}
              Directory: {{working_dir}}
            next_step_template: |-
              {{observation}} and then some more text
        """
    )
    assert blocks(only("config/default.yaml", source)) == [
        ("system", "You fix code. <command_docs deployment>"),
        ("user", "Issue: <problem_statement request>\nDirectory: <working_dir session>"),
    ]


def test_haystack():
    source = dedent(
        """\
        components:
          builder:
            type: haystack.components.builders.prompt_builder.PromptBuilder
            init_parameters:
              template: |-
                Given these documents, answer.
                {% for doc in documents %}{{ doc.content }}{% endfor %}
                Question: {{ question }}
          chat:
            init_parameters:
              template:
                - _role: system
                  _content: [{text: "Answer {{ query }}"}]
        connections: []
        """
    )
    first, second = templates("pipeline.yaml", source)
    assert blocks(first) == [
        (
            "",
            "Given these documents, answer.\n[for documents: <doc.content request>]\nQuestion: <question request>",
        )
    ]
    assert blocks(second) == [("system", "Answer <query request>")]


def test_dotprompt():
    source = dedent(
        """\
        ---
        model: googleai/gemini-2.0-flash
        ---
        {{role "system"}}
        You are a poet{{#if style}} in the {{style}} style{{/if}}.
        {{history}}
        {{role "user"}}
        {{question}}
        """
    )
    template = only("prompts/poet.prompt", source)
    assert (template.form, template.model) == ("dotprompt", "googleai/gemini-2.0-flash")
    assert blocks(template) == [
        ("system", "You are a poet[if style:  in the <style deployment> style|].\n<history turn+>"),
        ("user", "<question request>"),
    ]


def test_baml():
    source = dedent(
        """\
        function Extract(resume: string, question: string) -> Resume {
          client "openai/gpt-4o"
          prompt #"
            {{ _.role("system") }}
            Extract from:
              {{ question }}

            {{ ctx.output_format }}
          "#
        }
        """
    )
    template = only("baml_src/resume.baml", source)
    assert (template.form, template.name, template.engine, template.model) == ("baml", "Extract", "openai", "gpt-4o")
    assert blocks(template) == [("system", "Extract from:\n  <question request>\n\n<ctx.output_format deployment>")]
    assert template.blocks[0].segments[1].span.start == Position(6, 7)


def test_smolagents_knows_what_its_templates_are_given():
    source = dedent(
        """\
        system_prompt: |-
          You are an expert. Tools:
          {%- for tool in tools.values() %}
          - {{ tool.to_tool_calling_prompt() }}
          {%- endfor %}
        planning:
          initial_plan: |-
            Plan for {{task}}. You have {remaining_steps} steps.
        managed_agent:
          task: |-
            You are '{{name}}'. {{task}}
        """
    )
    system, plan, managed = templates("prompts/agent.yaml", source)
    assert blocks(system)[0][0] == "system"
    assert "[for tools.values(): \n- <tool.to_tool_calling_prompt() deployment>]" in blocks(system)[0][1]
    assert blocks(plan) == [("", "Plan for <task request>. You have {remaining_steps} steps.")]
    assert managed.name == "managed_agent.task"


def test_configmap_with_a_prompt():
    source = dedent(
        """\
        apiVersion: v1
        kind: ConfigMap
        data:
          system_prompt: |
            You are a helpful assistant. Answer the user's question: {question}
        """
    )
    assert blocks(only("deploy/config.yaml", source)) == [
        ("system", "You are a helpful assistant. Answer the user's question: <question request>\n")
    ]


def test_configmap_with_files_of_other_formats():
    source = dedent(
        """\
        kind: ConfigMap
        apiVersion: v1
        data:
          sum_up.yaml: |
            name: sum_up
            prompt: |
              Summarize the following text: {document}
              Answer in one sentence.
          chat.json: |
            [{"role": "system", "content": "You are a clerk. Answer the question."},
             {"role": "user", "content": "{question}"}]
          note.txt: |
            You are a clerk. Your task is to answer the question of {customer_name}.
          run.sh: |
            echo "You are a clerk. Your task is to answer the question: {question}"
          broken.yaml: |
            prompt: "You are a clerk
        """
    )
    found = templates("k8s/prompts-configmap.yaml", source)
    assert [(each.name, each.span.start.line, blocks(each)) for each in found] == [
        ("prompt", 6, [("", "Summarize the following text: <document request>\nAnswer in one sentence.\n")]),
        (
            "messages",
            10,
            [("system", "You are a clerk. Answer the question."), ("user", "<question request>")],
        ),
        (
            "data.note.txt",
            12,
            [("", "You are a clerk. Your task is to answer the question of <customer_name user>.\n")],
        ),
    ]
    (value,) = [part for part in found[0].blocks[0].segments if isinstance(part, Value)]
    assert (value.span.start.line, value.span.start.column) == (7, 37)


def test_rasa_prompts_that_nothing_names():
    source = (
        "Your task is to choose an action. You must answer with one of the actions below.\n"
        "{% for flow in available_flows %}{{ flow.name }}\n{% endfor %}"
        "{% for slot in flow_slots %}{{ slot.value }}{% endfor %}{{ current_conversation }}"
    )
    template = only("data/prompts/command.jinja2", source)
    assert blocks(template)[0][1].endswith(
        "[for available_flows: <flow.name deployment>\n][for flow_slots: <slot.value turn>]<current_conversation turn+>"
    )
    other = only("data/prompts/command.jinja2", source.replace("flow_slots", "x").replace("available_flows", "y"))
    assert "<slot.value turn>" not in blocks(other)[0][1]


def test_every_position_lies_in_the_file_it_names():
    template = only("app/prompts/plan.j2", "You are a planner. Answer in JSON.\n{{ question }}\nUse the rules below.\n")
    for block in template.blocks:
        for segment in block.segments:
            assert isinstance(segment, Text | Value)
            span = segment.span() if isinstance(segment, Text) else segment.span
            assert block.span.contains(span)
            assert template.span.contains(span)


def test_a_name_behind_you_are_is_the_assistants():
    body = " Your task is to answer the question. Always be brief and answer in JSON.\n"
    template = only("prompts/a.j2", "You are {{ name }}." + body + "The user is called {{ name }}.")
    ours, theirs = (part for part in template.blocks[0].segments if isinstance(part, Value))
    assert (ours.lifetime, ours.origin.kind, ours.confidence) == (
        Lifetime.DEPLOYMENT,
        SourceKind.CONFIGURATION,
        Confidence.LOW,
    )
    assert theirs.lifetime is not Lifetime.DEPLOYMENT
    question = only("prompts/b.j2", "You are {{ question }}." + body)
    assert question.blocks[0].segments[1].lifetime is Lifetime.REQUEST


def test_langchain_chain_holds_prompts():
    source = (
        '{"_type": "llm_chain", "prompt": {"_type": "prompt", "input_variables": ["x"], "template": "Say {question}"}}'
    )
    assert blocks(only("chain.json", source)) == [("", "Say <question request>")]


def test_dotprompt_sections_and_roles():
    source = (
        '---\nmodel: x\n---\n{{role "system"}}Be {{tone}}.\n{{#each tools}}{{name}}{{/each}}\n'
        '{{role "user"}}{{question}}'
    )
    assert blocks(only("prompts/a.prompt", source)) == [
        ("system", "Be <tone deployment>.\n[for tools: <name deployment>]"),
        ("user", "<question request>"),
    ]


def test_braces_in_a_text_file_that_are_no_template_are_no_problem():
    source = (
        "You are a writer. Your task is to answer the question in JSON.\n{{High level text, with words}}\n{{ x }}\n"
    )
    assert templates("prompts/readme_template.md", source) == []


def test_old_dify_exports_without_a_kind():
    source = dedent(
        """\
        app: {mode: chat, name: x}
        model_config:
          model: {name: gpt-4o}
          pre_prompt: "You help {{question}}"
        """
    )
    template = only("app.yml", source)
    assert template.model == "gpt-4o"
    assert blocks(template) == [("system", "You help <question request>"), ("user", "<histories turn+>")]


def test_semantic_kernel_messages():
    source = dedent(
        """\
        name: Intent
        template: |
          <message role="system">What is the intent? Choices: {{choices}}.</message>
          Not sent.
          {{#each shots}}
          {{#each this}}<message role="{{role}}">{{content}}</message>{{/each}}
          {{/each}}
          {{ConversationSummaryPlugin-SummarizeConversation history}}
          <message role="user">{{question}}</message>
        template_format: handlebars
        """
    )
    system, shots, user = blocks(only("plugins/intent.yaml", source))
    assert system == ("system", "What is the intent? Choices: <choices request>.")
    assert shots[0] == "user"
    assert shots[1].endswith("<ConversationSummaryPlugin-SummarizeConversation history turn+>")
    assert "Not sent" not in shots[1]
    assert user == ("user", "<question request>")


def test_github_models_are_told_by_their_keys():
    source = "model: openai/gpt-4o\nmessages:\n  - {role: user, content: 'Say {{input}}'}\ntestData: [{input: a}]\n"
    template = only("evals/sample.yml", source)
    assert (template.form, template.model) == ("github-models", "openai/gpt-4o")


def test_prompty_tools_come_first():
    source = (
        "---\nname: x\ntools:\n  - name: find\n    description: Finds things\n---\n"
        "system:\nYou help.\nuser:\n{{question}}\n"
    )
    template = only("a.prompty", source)
    assert [(block.component, shape(block.segments)) for block in template.blocks] == [
        ("tools", "- name: find\n    description: Finds things\n"),
        ("system", "You help."),
        ("messages", "<question request>"),
    ]


def test_langchain_chains_and_agents():
    chain = (
        '{"combine_documents_chain": {"llm_chain": {"prompt": {"_type": "prompt", "input_variables": ["context"], '
        '"template": "Use {context}"}}, "document_prompt": {"_type": "prompt", "input_variables": ["page_content"], '
        '"template": "{page_content}"}}}'
    )
    template = only("chain.json", chain)
    assert (template.name, blocks(template)) == (
        "chain.combine_documents_chain.llm_chain.prompt",
        [("", "Use <context request>")],
    )
    agent = (
        '{"_type": "zero-shot-react-description", "prefix": "Answer well.", "suffix": "Begin! {input}", "prompts": 1}'
    )
    assert blocks(only("agent.json", agent)) == [("", "Answer well.\n\n<tools deployment>\n\nBegin! <input request>")]


def test_dotprompt_behind_a_licence_and_with_comments():
    source = (
        "# Copyright\n#\n\n---\nmodel: x\n---\n{{!-- a {{note}} --}}Be {{tone}}.{{! short }}\n"
        '{{role "user"}}{{question}}'
    )
    template = only("prompts/a.prompt", source)
    assert (template.model, blocks(template)) == (
        "x",
        [("", "Be <tone deployment>."), ("user", "<question request>")],
    )


def test_files_called_prompt_that_hold_jinja():
    source = "You review.\n{% include 'rules.prompt' %}\n{{ question }}\n"
    template = only("prompts/review.prompt", source, {"prompts/rules.prompt": "Be strict."})
    assert blocks(template) == [("", "You review.\nBe strict.\n<question request>")]


def test_baml_parameters_and_template_strings():
    source = dedent(
        """\
        template_string Turn(message: Message, note: string) #"
          {{ note }}: {{ message }}
        "#
        function Sort(parcel: string) -> Kind {
          client GPT
          prompt #"
            Sort this.
            {{ Turn(parcel, "Ticket") }}
            {{ _.chat("user") }}
            {{ parcel }}
          "#
        }
        """
    )
    template = only("baml_src/sort.baml", source)
    assert blocks(template) == [("", "Sort this.\nTicket: <parcel request>"), ("user", "<parcel request>")]
    value = template.blocks[1].segments[0]
    assert isinstance(value, Value)
    assert value.confidence is Confidence.LOW


def test_dify_agent_nodes():
    source = dedent(
        """\
        app: {mode: advanced-chat}
        kind: app
        workflow:
          graph:
            nodes:
              - id: '1'
                data:
                  type: agent
                  title: Agent
                  agent_parameters:
                    instruction: {type: constant, value: Use the weather service.}
                    query: {type: constant, value: '{{#sys.query#}}'}
        """
    )
    assert blocks(only("a.yml", source)) == [("system", "Use the weather service."), ("user", "<sys.query request>")]


def test_yaml_pairs_share_a_prefix_and_the_system_text_comes_first():
    source = dedent(
        """\
        bridge_user_template: |
          Block: {block}
        bridge_system: |
          You are the editor. Your task is to answer with one sentence only.
        user_template: "{question}"
        system: You are the writer. Always answer in JSON.
        """
    )
    bridge, plain = templates("book/prompts/text.yaml", source)
    assert blocks(bridge) == [
        ("system", "You are the editor. Your task is to answer with one sentence only.\n"),
        ("user", "Block: <block unknown>\n"),
    ]
    assert blocks(plain) == [
        ("system", "You are the writer. Always answer in JSON."),
        ("user", "<question request>"),
    ]


def test_json_settings_of_an_agent():
    source = (
        '{"params": {"prompts": [{"role": "user", "content": "{question}"}], '
        '"sys_prompt": "You are a translator. Always answer in JSON."}, "data": {"prompt": "You are {x}"}}'
    )
    template = only("agent/templates/photo.json", source)
    assert template.confidence is Confidence.LOW
    assert blocks(template) == [
        ("system", "You are a translator. Always answer in JSON."),
        ("user", "<question request>"),
    ]


def test_json_slices():
    source = '{"slices": {"role": "You are {role}. Your task is to answer the question.", "short": "{x}"}, "b": 1}'
    template = only("translations/en.json", source)
    assert (template.name, template.confidence) == ("role", Confidence.LOW)
    assert blocks(template)[0][1].endswith("Your task is to answer the question.")


AGENT = "---\nname: reviewer\ndescription: Reviews code\nmodel: sonnet\n---\nYou review. {x} is text.\n"


def test_agents_and_skills_are_constant_but_for_what_runs():
    template = only(".claude/agents/reviewer.md", AGENT)
    assert (template.form, template.name, template.model) == ("agent-markdown", "reviewer", "sonnet")
    assert blocks(template) == [("system", "You review. {x} is text.\n")]
    skill = only("skills/log/SKILL.md", AGENT + "Log: !`git log`\nAsked: $ARGUMENTS")
    assert blocks(skill) == [("system", "You review. {x} is text.\nLog: <git log request>\nAsked: <ARGUMENTS request>")]
    assert not might_hold_prompt("agents/notes.md", b"# Notes\nname: x\ndescription: {y}\n")


def test_markdown_with_tags_that_addresses_a_model_outside_of_a_prompt_folder():
    source = (
        "You are the evaluator. Your task is to answer the question. Always respond in JSON, step by step.\n"
        "{% if part == 'a' %}Use the following rules and examples.{% endif %}\nGiven the context: {{ question }}\n"
    )
    template = only("nanobot/templates/agent/evaluator.md", source)
    assert (template.form, template.confidence) == ("jinja-text", Confidence.LOW)


def test_many_files_in_a_configmap_are_read_once_each(monkeypatch):
    parsed, read = yaml_source.parsed, []
    for module in (yaml_source, configmap):
        monkeypatch.setattr(module, "parsed", lambda file: (read.append(len(file.text)), parsed(file))[1])
    entry = "  p{0}.yaml: |\n    prompt: |\n      You are a clerk. Summarize the following text: {{document{0}}}\n"
    source = "kind: ConfigMap\ndata:\n" + "".join(entry.format(number) for number in range(50))
    found = templates("k8s/prompts.yaml", source)
    assert [each.span.start.line for each in found] == list(range(4, 154, 3))
    values = [part.span for each in found for part in each.blocks[0].segments if isinstance(part, Value)]
    assert [(each.start.line, each.start.column) for each in values] == [(line, 54) for line in range(5, 155, 3)]
    assert sum(read) < 2 * len(source)


def test_a_configmap_in_a_configmap_is_a_file_like_another():
    lines, margin = ["kind: ConfigMap", "data:"], ""
    for _ in range(60):
        lines.append(f"{margin}  p.yaml: |")
        margin += "    "
        lines += [f"{margin}kind: ConfigMap", f"{margin}data:"]
    lines.append(f"{margin}  system_prompt: You are a clerk. Answer the question: {{question}}")
    assert extract(SourceFile("k8s/prompts.yaml", "\n".join(lines))).problems == ()
    (found,) = templates(
        "k8s/prompts.yaml",
        "kind: ConfigMap\ndata:\n  p.yaml: |\n    kind: ConfigMap\n    data:\n"
        "      system_prompt: 'You are a clerk. Answer the question: {question}'\n",
    )
    assert blocks(found) == [("system", "You are a clerk. Answer the question: <question request>")]


def test_promptfoo_parts_prompts_at_lines_of_dashes():
    files = {"p.txt": "Say --- to {{a}}\n---\nAsk {{b}}:\n----\n| --- |\n  ---\t\r\n{{c}}\r\n---"}
    found = templates("promptfooconfig.yaml", "prompts: [file://p.txt]\nproviders: [openai:gpt-4o]\n", files)
    assert [shape(each.blocks[0].segments) for each in found] == [
        "Say --- to <a unknown>",
        "Ask <b unknown>:\n----\n| --- |",
        "<c unknown>",
    ]
