#!/bin/sh
# Makes sure that the browser tests find a Chromium, and a Chinese font for its screenshots.
set -eu

has_browser() {
    for name in chromium chromium-browser google-chrome; do
        command -v "$name" >/dev/null 2>&1 && return 0
    done
    [ -d "/Applications/Google Chrome.app" ] || [ -d "/Applications/Chromium.app" ]
}

has_chinese() {
    ! command -v fc-list >/dev/null 2>&1 && return 1
    [ -n "$(fc-list :lang=zh)" ]
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

if command -v apt-get >/dev/null 2>&1; then
    wanted=""
    has_browser || wanted="chromium"
    has_chinese || wanted="$wanted fonts-wqy-microhei"
    if [ -n "$wanted" ]; then
        as_root apt-get update -qq
        # shellcheck disable=SC2086  # a list of packages
        DEBIAN_FRONTEND=noninteractive as_root apt-get install -y -qq --no-install-recommends $wanted fontconfig
    fi
elif ! has_browser; then
    .venv/bin/python -m playwright install chromium
fi
