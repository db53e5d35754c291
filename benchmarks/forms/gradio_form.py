"""The questions of the page benchmark as a minimal Gradio form."""

import json
import sys
from pathlib import Path

import gradio as gr


def submit(number, quality, polite, comment):
    with Path("ratings.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps([number, quality, polite, comment]) + "\n")
    following = number + 1
    return following, f"Question {following}?", f"Answer **{following}**.", None, None, ""


with gr.Blocks(analytics_enabled=False) as form:
    number = gr.State(1)
    question = gr.Markdown("Question 1?")
    answer = gr.Markdown("Answer **1**.")
    quality = gr.Radio([1, 2, 3, 4, 5], label="How good is it?")
    polite = gr.Radio(["Yes", "No"], label="Is it polite?")
    comment = gr.Textbox(label="Anything else?", lines=3)
    shown = [number, question, answer, quality, polite, comment]
    gr.Button("Submit").click(submit, [number, quality, polite, comment], shown)

form.launch(server_name="127.0.0.1", server_port=int(sys.argv[1]), quiet=True)
