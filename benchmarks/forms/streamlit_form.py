"""The questions of the page benchmark as a minimal Streamlit survey."""

import json
from pathlib import Path

import streamlit as st

if "number" not in st.session_state:
    st.session_state.number = 1
number = st.session_state.number

st.write(f"Question {number}?")
st.markdown(f"Answer **{number}**.")
with st.form(f"item {number}"):
    quality = st.radio("How good is it?", [1, 2, 3, 4, 5], index=None, horizontal=True)
    polite = st.radio("Is it polite?", ["Yes", "No"], index=None, horizontal=True)
    comment = st.text_area("Anything else?")
    if st.form_submit_button("Submit"):
        with Path("ratings.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps([number, quality, polite, comment]) + "\n")
        st.session_state.number += 1
        st.rerun()
