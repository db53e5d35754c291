// The desk's pages: each part of a page that needs a script is found by its attributes.

import { start_charts } from "./charts.js";
import { start_copying } from "./copying.js";
import { start_dialogs } from "./dialogs.js";
import { find } from "./dom.js";
import { start_entering } from "./entering.js";
import { start_forms } from "./forms.js";
import { start_inviting } from "./inviting.js";
import { start_live } from "./live.js";
import { watch_clicks } from "./images.js";
import { start_look } from "./look.js";
import { start_marks } from "./marks.js";
import { start_plain } from "./plain.js";
import { start_settling } from "./settling.js";
import { start_sorting } from "./sorting.js";

start_look();
find(".tabs [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
start_plain();
start_dialogs();
start_forms();
start_live();
start_sorting();
start_copying();
start_inviting();
start_entering();
start_marks();
start_settling();
watch_clicks();
start_charts();
