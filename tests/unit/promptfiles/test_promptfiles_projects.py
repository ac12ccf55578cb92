"""Formats whose prompts lie in several files: the configuration that sends them decides what is filled in."""

from __future__ import annotations

from textwrap import dedent

from prefixlint.frontends.promptfiles import might_hold_prompt
from prefixlint.model.lifetimes import Confidence, Lifetime, SourceKind
from prefixlint.model.segments import Value
from prefixlint.model.sources import Position
from promptfile_shapes import blocks, only, templates

FLOW = dedent(
    """\
    inputs:
      chat_history: {type: list, is_chat_history: true}
      said: {type: string, is_chat_input: true}
      tone: {type: string}
    nodes:
    - name: examples
      type: python
      source: {type: code, path: examples.py}
      inputs: {}
    - name: lookup
      type: python
      source: {type: code, path: lookup.py}
      inputs: {query: "${inputs.said}"}
    - name: rules
      type: prompt
      source: {type: code, path: rules.jinja2}
      inputs: {tone: formal, company: "${inputs.tone}"}
    - name: answer
      use_variants: true
    node_variants:
      answer:
        default_variant_id: v1
        variants:
          v0:
            node:
              type: llm
              source: {type: code, path: short.jinja2}
              inputs: {deployment_name: gpt-4o, text: "${inputs.said}"}
          v1:
            node:
              type: llm
              source: {type: code, path: answer.jinja2}
              inputs:
                deployment_name: gpt-4o
                temperature: '0.2'
                rules: ${rules.output}
                found: ${lookup.output}
                shots: ${examples.output}
                history: ${inputs.chat_history}
                said: ${inputs.said}
    """
)
FILES = {
    "flow/rules.jinja2": "Be {{ tone }} for {{ company }}.",
    "flow/answer.jinja2": (
        "# system:\nHelp. {{ rules }}\n{{ found }}\n{{ shots }}\n{% for turn in history %}{{ turn }}{% endfor %}\n"
        "# user:\n{{ said }}\n"
    ),
    "flow/short.jinja2": "Say {{ text }}",
}


def test_promptflow_joins_a_flow_to_its_files():
    default, other = templates("flow/flow.dag.yaml", FLOW, FILES)
    assert (default.form, default.name, default.model) == ("promptflow", "answer.v1", "gpt-4o")
    # A constant input is text, the text of a prompt node goes in, a tool's output lives as long as the tool's inputs.
    assert blocks(default) == [
        (
            "system",
            "Help. Be formal for <company deployment>.\n<found request>\n<shots deployment>\n"
            "[for history: <turn session>]",
        ),
        ("user", "<said request>"),
    ]
    assert default.blocks[1].segments[0].origin.kind is SourceKind.USER_INPUT
    assert default.blocks[0].segments[0].span().path == "flow/answer.jinja2"
    assert default.related[0].span.path == "flow/answer.jinja2"
    assert (default.span.path, default.span.start) == ("flow/flow.dag.yaml", Position(31, 11))
    assert (other.name, blocks(other)) == ("answer.v0", [("", "Say <text request>")])


def test_promptflow_finds_included_files_and_passes_over_missing_ones():
    source = dedent(
        """\
        nodes:
        - name: a
          type: llm
          source: {type: code, path: shared/a.jinja2}
          inputs: {text: "${inputs.text}"}
        - name: b
          type: llm
          source: {type: code, path: missing.jinja2}
        additional_includes: [../other/shared]
        """
    )
    template = only("flow/flow.dag.yaml", source, {"flow/../other/shared/a.jinja2": "Read {{ text }}"})
    assert blocks(template) == [("", "Read <text request>")]
    assert not might_hold_prompt(
        "flow/flow.dag.yaml", b"nodes:\n- name: x\n  type: python\n  inputs: {a: '${inputs.a}'}\n"
    )


def test_chatdev_phases_with_their_roles():
    phases = dedent(
        """\
        {"Coding": {"assistant_role_name": "Programmer", "user_role_name": "CTO",
          "phase_prompt": ["Task: \\"{task}\\".", "As the {assistant_role}, write {language}."]}}
        """
    )
    roles = '{"Programmer": ["{chatdev_prompt}", "You are Programmer.", "Here is a new task: {task}."]}'
    template = only("Company/PhaseConfig.json", phases, {"Company/RoleConfig.json": roles})
    assert blocks(template) == [
        ("system", "<chatdev_prompt deployment>\nYou are Programmer.\nHere is a new task: <task session>."),
        ("user", 'Task: "<task session>".\n\nAs the <assistant_role constant>, write <language session>.'),
    ]
    assert template.blocks[0].span.path == "Company/RoleConfig.json"


def test_chatdev_agents_of_a_workflow():
    source = dedent(
        """\
        graph:
          nodes:
            - id: Coder
              type: agent
              config:
                provider: openai
                name: gpt-4o
                role: |-
                  ${COMMON}
                  You write code in ${LANGUAGE}.
            - {id: END, type: passthrough}
        vars: {COMMON: A company of agents.}
        """
    )
    template = only("yaml_instance/a.yaml", source)
    assert (template.name, template.engine, template.model) == ("Coder", "openai", "gpt-4o")
    assert blocks(template) == [
        ("system", "A company of agents.\nYou write code in <LANGUAGE deployment>."),
        ("user", "<input request>"),
    ]


def test_rasa_names_its_prompt_files():
    source = dedent(
        """\
        recipe: default.v1
        pipeline:
        - name: CompactLLMCommandGenerator
          prompt_template: data/generator.jinja2
        policies:
        - name: FlowPolicy
        - name: rasa.core.policies.EnterpriseSearchPolicy
          prompt_template: prompts/search.jinja2
        """
    )
    files = {
        "bot/data/generator.jinja2": "Flows: {% for flow in available_flows %}{{ flow.name }}{% endfor %}\n"
        "{{ current_conversation }}\n{{ user_message }}",
        "bot/prompts/search.jinja2": "{{ docs }} {{ current_conversation }}",
    }
    generator, search = templates("bot/config.yml", source, files)
    assert (generator.form, generator.name, search.name) == (
        "rasa",
        "CompactLLMCommandGenerator",
        "EnterpriseSearchPolicy",
    )
    assert blocks(generator) == [
        (
            "user",
            "Flows: [for available_flows: <flow.name deployment>]\n<current_conversation turn+>\n"
            "<user_message request>",
        )
    ]
    assert blocks(search) == [("user", "<docs request> <current_conversation turn+>")]


def test_rasa_rephraser_and_rephrased_responses():
    endpoints = "nlg:\n  type: rephrase\n  prompt: prompts/rephrase.jinja2\n"
    (template,) = templates(
        "bot/endpoints.yml", endpoints, {"bot/prompts/rephrase.jinja2": "{{ history }} {{ current_input }}"}
    )
    assert blocks(template) == [("user", "<history turn+> <current_input request>")]
    domain = dedent(
        """\
        responses:
          utter_chat:
            - text: placeholder
              metadata:
                rephrase: True
                rephrase_prompt: |
                  You are friendly.
                  {{history}}
                  User: {{current_input}}
          utter_bye:
            - text: "Bye {name}"
        """
    )
    template = only("bot/domain.yml", domain)
    assert (template.name, blocks(template)) == (
        "utter_chat",
        [("user", "You are friendly.\n<history turn+>\nUser: <current_input request>")],
    )


def test_fabric_patterns_end_with_the_input():
    template = only("data/patterns/sum/system.md", "You summarize in {{lang_code}}.\n\n# INPUT:")
    assert (template.form, template.name) == ("fabric", "sum")
    assert blocks(template) == [("system", "You summarize in <lang_code request>.\n\n# INPUT:\n<input request>")]
    inside = only("data/patterns/sum/system.md", "Sum up: {{input}}\nBe brief.\n")
    assert blocks(inside) == [("system", "Sum up: <input request>\nBe brief.\n")]
    value = inside.blocks[0].segments[1]
    assert isinstance(value, Value)
    assert (value.lifetime, value.confidence) == (Lifetime.REQUEST, Confidence.HIGH)
