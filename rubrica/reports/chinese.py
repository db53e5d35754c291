"""What the analysis says in its own words, in Chinese: its notes by code, its reasons by their text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from rubrica.errors import Problem

NOTES: dict[str, str] = {
    "R001": "这个问题没有可用的回答",
    "R002": "没有任何条目由两位评分员评过，无法考察一致性",
    "R003": "可比较的回答全都相同：{coefficient} 没有定义",
    "R004": "相互独立的条目（或条目组）太少，无法给出区间：只有 {n} 个，重抽样至少需要 {needed} 个",
    "R005": "有 {share:.0%} 的重抽样数据没有定义值，区间未计入这些数据",
    "R006": "回答没有评分员姓名，无法计算{what}；席位不等于评分员",
    "R007": "每个条目的评分员各不相同；计算{what}需要由同一组评分员评过的条目",
    "R008": "{share:.0%} 的回答是同一等级；即使评分员在 {agree:.0%} 的配对上一致，alpha 也可能偏低",
    "R009": "这个问题的回答没有高低次序，因此没有{what}",
    "R010": "{side}在所有条目上都相同：相关系数没有定义",
    "R011": "只有 {n} 个条目两边都有分数；{what}至少需要 {needed} 个",
    "R012": "{rated} 个已评条目中有 {missing} 个没有该评委的分数；按缺失处理，不作猜测",
    "R013": "该评委的分数不是这个问题的等级，因此{what}不适用",
    "R015": "{what}至少需要 {needed} 位评分员、每位 {items} 个条目；现有 {raters} 位",
    "R016": "没有证据表明评分员之间的一致高于偶然，“评委可以替代评分员”便没有意义；检验不予给出",
    "R017": "{a} 与 {b} 没有共同的已评条目",
    "R018": "没有评分员充分地评过两个系统：评分员之间的差异会显得像系统之间的差异",
    "R019": "p 值和区间同时把条目和 {raters} 位评分员视为样本（双因素方差）",
    "R020": "结论只适用于这些评分员；只有 {raters} 位，无法推及其他人",
    "R021": "{field} 有 {groups} 组，仅列出回答最多的 {kept} 组",
    "R022": "{a} 与 {b} 是在不同批次评的（{waves}）；其间评分员可能有变化",
    "R023": "只有 {n} 个独立条目，不足以给出区间或检验",
    "R024": "强度无法估计：{groups}",
    "R025": (
        "{raters} 位评分员时，条目再多也不够：仅评分员之间的差异就留下 {floor:.3f} 的标准误，"
        "而所需为 {needed:.3f}"
    ),
    "R026": "前提是已评条目是有评委分数的条目的随机样本",
    "R027": (
        "灵敏度 {sensitivity:.2f} 与特异度 {specificity:.2f} 之和不超过 1：该评委对真实比例没有提供信息"
    ),
    "R028": "p 值取符号翻转检验的正态极限：{n} 个条目的差值种类太多，无法逐一计数",
    "R029": "共有 {raters} 位评分员；矩阵只显示回答最多的 {kept} 位",
    "R030": "只有 {n} 个回答；{what}至少需要 {needed} 个",
    "R031": "这位评分员与其他人没有共同的条目",
    "R032": "{says}",
    "R033": "迭代 {steps} 步后估计仍未稳定",
    "R034": "只有一位评分员：无法计算{what}",
    "R037": "只有 {systems} 个系统两边都有分数；{what}至少需要 {needed} 个",
    "R038": "各系统评的是不同的条目；名次混入了条目的差别",
    "R039": "评分员的方差无法与噪声分开，按零计",
    "R040": "{question} 有 {changed} 个回答在再看一遍或得出等级之后有所改动；分析采用{choice}",
    "R042": "全部 {n} 个条目的值都相同：无法判断均值可能有多大偏差",
    "R041": "一致性的区间来自对条目（或条目组）的重抽样：只对这些评分员成立，不能推及其他人",
}

WORDS: dict[str, str] = {
    "a correlation": "相关系数",
    "a language effect": "语言效应",
    "a mean": "均值",
    "a position effect": "位置效应",
    "a table of levels": "等级对照表",
    "agreement of pairs": "两两一致性",
    "agreement with the rest": "与其他人的一致",
    "agreement": "一致性",
    "an order of systems": "系统排序",
    "an order": "排序",
    "drift": "漂移",
    "soft pairwise accuracy": "软成对准确率",
    "the alternative annotator test": "替代评分员检验",
    "the two-way test": "双因素检验",
    "one side": "其中一边",
    "the judge's score": "评委的分数",
    "the raters' mean": "评分员的均值",
    "the systems' mean": "系统的均值",
    "first": "首次选择",
    "final": "最终选择",
}

REASONS: dict[str, str] = {
    "no usable value": "没有可用的值",
    "missing": "缺失",
    "not applicable": "不适用",
    "cannot judge": "无法判断",
    "left open": "未作答",
    "the item was skipped": "整个条目被跳过",
    "asked in other words by another version of the study": "研究的另一版本用了不同的问法",
    "not a level of the question": "不是该问题的等级",
    "the item was left out by name": "按名单排除的条目",
    "settled answers are no independent ratings": "协商后的答案不是独立的评分",
    "pilot or calibration round": "试评或校准轮",
    "item with a known answer, used to see whether raters read": (
        "答案已知的条目，用来检查评分员是否认真阅读"
    ),
    "the rater was excluded": "评分员已被排除",
    "surplus: the item had all its raters": "多余：该条目的评分员已满",
    "planned repeat, used for test-retest only": "计划内的重复评分，只用于重测",
    "revision made after the score was shown; the first rating counts": (
        "显示得分之后所作的修改；以首次评分为准"
    ),
    "superseded by a revision": "已被修改后的评分取代",
    "the same rater had rated the item before (test-retest)": "同一评分员此前已评过该条目（重测）",
    "withdrew their consent": "撤回了同意",
    "the rater withdrew their consent": "评分员撤回了同意",
    "the item is no longer part of the study": "条目已不在研究中",
}

PATTERNS: tuple[tuple[str, str], ...] = (
    (
        r"no score of judge (?P<judge>.*): missing, not guessed",
        "没有评委 {judge} 的分数：按缺失处理，不作猜测",
    ),
    (r"to be left out by name, but there is no item (?P<item>.*)", "要求按名单排除，但没有条目 {item}"),
    (r"verdict (?P<verdict>.*): a value that means no score", "{verdict}：表示没有分数的值"),
    (r"(?P<name>.*): its path cannot be followed in them", "{name}：其路径在这些条目中无法取值"),
    (r"verdict (?P<verdict>.*): not a score of its question", "{verdict}：不是对应问题的分数"),
    (r"language (?P<a>.*) against (?P<b>.*)", "界面语言 {a} 与 {b} 相比"),
)


def note(problem: Problem) -> str:
    """A note in Chinese; English where nobody has written one yet."""
    template = NOTES.get(problem.code)
    if template is None:
        return problem.message
    return template.format_map(_words(problem.details))


def _words(details: Mapping[str, Any]) -> dict[str, Any]:
    return {k: WORDS.get(v, v) if isinstance(v, str) else v for k, v in details.items()}


def reason(text: str) -> str:
    if text in REASONS:
        return REASONS[text]
    for pattern, chinese in PATTERNS:
        found = re.fullmatch(pattern, text, re.DOTALL)
        if found is not None:
            return chinese.format(**found.groupdict())
    return text
