"""Words explained, and the paragraph to paste into a paper."""

from __future__ import annotations

from collections.abc import Iterator

from rubrica.reports.book import Book
from rubrica.reports.document import Block, Fold, Paragraph, Quote, Section, Terms
from rubrica.reports.language import number


def words(book: Book) -> Section:
    say = book.say
    entries = [
        (
            say("95 % interval", "95% 区间"),
            say(
                "Made so that it holds the true value in 95 of 100 such studies.",
                "这样得出的区间，在 100 次同类研究中约有 95 次包含真实值。",
            ),
        ),
        (
            "alpha",
            say(
                "Krippendorff’s coefficient of agreement for any number of raters, missing answers and "
                "any kind of scale.",
                "Krippendorff 的一致性系数，适用于任意人数、有缺失的回答和各类量表。",
            ),
        ),
        (
            "AC1, AC2",
            say(
                "Gwet’s coefficients, which stay steady where nearly all answers are the same level.",
                "Gwet 的一致性系数，在回答几乎都是同一等级时仍然稳定。",
            ),
        ),
        (
            "kappa",
            say(
                "Agreement of two sides beyond chance; quadratic kappa counts near misses almost in full.",
                "两方超出偶然的一致程度；二次加权 kappa 对相近的等级扣分很少。",
            ),
        ),
        (
            "ICC",
            say(
                "The share of variance that lies between items; (A,1) speaks of one rater in absolute "
                "agreement, (1) needs no names of raters.",
                "组内相关系数：方差中来自条目差别的份额；(A,1) 指单个评分员的绝对一致，(1) 无需知道评分员是谁。",
            ),
        ),
        (
            "Pearson, Spearman, tau-b",
            say(
                "Correlations: of values, of ranks, and of the order of pairs; 1 is a perfect match.",
                "相关系数：分别针对数值、名次和成对次序；1 为完全一致。",
            ),
        ),
        (
            say("p, corrected p", "p 值、校正后的 p"),
            say(
                "The chance of a difference at least this large if there were none; corrected by Holm for "
                "the number of comparisons.",
                "若实际没有差别，出现这样大或更大差异的概率；按比较次数用 Holm 法校正。",
            ),
        ),
        (
            "d_z",
            say(
                "The mean difference in units of how much differences vary from item to item.",
                "以各条目差值的标准差为单位的平均差。",
            ),
        ),
    ]
    return Section("words", say("Words explained", "名词解释"), [Terms(entries)])


def methods(book: Book) -> Section:
    say = book.say
    blocks: list[Block] = [
        Quote([" ".join(_methods(book)) if say.language == "en" else "".join(_methods(book))]),
        Fold(say("Sources of the methods", "方法出处"), [Paragraph(text) for text in SOURCES]),
    ]
    return Section(
        "methods",
        say("Methods, to paste into a paper", "方法说明（可直接用于论文）"),
        blocks,
        say(
            "Please read it over; it says what was done here.",
            "请通读一遍；以下为本报告实际采用的方法。",
        ),
    )


def _methods(book: Book) -> Iterator[str]:
    say, gathered, asked = book.say, book.gathered, book.results.asked
    options = gathered.options
    raters = say.counted(asked["raters"], "rater", "位评分员")
    who = raters if gathered.named else say("raters at unnamed places", "不具名席位上的评分员")
    yield say(
        f"{who[:1].upper()}{who[1:]} gave {book.tally()} of {asked['rated_items']:,} items; "
        f"{asked['ratings_used']:,} of these entered the analysis.",
        f"{who}对 {asked['rated_items']:,} 个条目给出 {book.tally()}，"
        f"其中 {asked['ratings_used']:,} 份进入分析。",
    )
    yield say(
        f"Where a prompt came between, the {options.choice} choice was analysed. Missing answers were "
        "left missing.",
        f"凡有提示介入之处，分析采用{'首次' if options.choice == 'first' else '最终'}选择。缺失的回答按缺失处理。",
    )
    yield say(
        "Agreement is Krippendorff’s alpha with the metric of each scale, beside percent agreement, "
        "Gwet’s AC1 or AC2 and intraclass correlations (absolute agreement); its intervals are percentile "
        f"intervals from {options.replicates:,} resamples of items, or of threads where items belong "
        "together, and hold for these raters.",
        "一致性采用与量表相应的 Krippendorff alpha，并列出一致百分比、Gwet 的 AC1 或 AC2 以及绝对一致的组内相关系数；"
        f"区间为对条目（或条目组）重抽样 {options.replicates:,} 次的百分位区间，只对这些评分员成立。",
    )
    if asked["systems"] > 1:
        yield from _system_methods(book)
    if book.results.judges:
        limit = number(options.mismatch_from, 1)
        yield say(
            "Judges were compared with the mean of the raters of each item by correlations, weighted kappa, "
            "mean absolute error and bias; as a ceiling, a left-out rater was compared with the same other "
            f"raters. Differences of more than {limit} of the scale are listed as mismatches.",
            "评委与各条目评分员的均值相比较，指标为相关系数、加权 kappa、平均绝对误差和偏差；作为上限，"
            f"将留出的一位评分员与同样的其他评分员比较。相差超过量表 {limit} 的条目列为不一致。",
        )
    yield say(
        f"The analysis was done with Rubrica (study version {gathered.version.hash}; intervals and "
        f"tests by seed {gathered.seed}).",
        f"分析由 Rubrica 完成（研究版本 {gathered.version.hash}；区间与检验的随机种子 {gathered.seed}）。",
    )


def _system_methods(book: Book) -> Iterator[str]:
    say = book.say
    used = {c.method for c in book.results.comparisons if c.method}
    yield say(
        "Systems were compared on the inputs both answered, by mean paired differences.",
        "系统在双方都作答的输入上按成对差值的均值比较。",
    )
    if "two-way" in used:
        yield say(
            "With five or more shared raters, or where raters visibly differed in how they treat systems, "
            "items and raters were both taken as samples (two-way variance with Satterthwaite’s degrees of "
            "freedom).",
            "共同评分员有五位以上，或评分员对系统的态度明显不同时，把条目和评分员同时视为样本"
            "（双因素方差，Satterthwaite 自由度）。",
        )
    if any(method.startswith("sign-flip") for method in used):
        yield (
            say(
                "Otherwise p-values come from sign-flip permutation of the inputs’ differences.",
                "其余情况下，p 值来自对各输入差值的符号翻转置换检验。",
            )
            if "two-way" in used
            else say(
                "p-values come from sign-flip permutation of the inputs’ differences.",
                "p 值来自对各输入差值的符号翻转置换检验。",
            )
        )
    yield say(
        "p-values are corrected by Holm’s method within each question.",
        "p 值在每个问题内用 Holm 法校正。",
    )


SOURCES = (
    "Bland, J. M. and Altman, D. G. (1986). Statistical methods for assessing agreement.",
    "Angelopoulos, A. N., Duchi, J. C. and Zrnic, T. (2023). PPI++: Efficient prediction-powered inference.",
    "Calderon, N., Reichart, R. and Dror, R. (2025). The alternative annotator test for LLM-as-a-judge.",
    "Clark, H. H. (1973). The language-as-fixed-effect fallacy.",
    "Dawid, A. P. and Skene, A. M. (1979). Maximum likelihood estimation of observer error-rates.",
    "Deutsch, D., Foster, G. and Freitag, M. (2023). Ties matter.",
    "Gwet, K. L. (2008). Computing inter-rater reliability in the presence of high agreement.",
    "Holm, S. (1979). A simple sequentially rejective multiple test procedure.",
    "Krippendorff, K. (2011). Computing Krippendorff’s alpha-reliability.",
    "McGraw, K. O. and Wong, S. P. (1996). Forming inferences about some intraclass correlations.",
    "Rogan, W. J. and Gladen, B. (1978). Estimating prevalence from the results of a screening test.",
    "Thompson, B. et al. (2024). Improving statistical significance by soft pairwise accuracy.",
)
