"""How a worksheet looks, on paper first."""

from __future__ import annotations

from typing import Final

from mha_core.worksheets.layout import BLANK, GAP, GIVEN, LABEL, WIDTH

STYLE: Final = f"""
@page {{ margin: 11mm 12mm; }}
* {{ box-sizing: border-box; }}
body {{
  margin: 0 auto; max-width: {WIDTH}mm; color: #000; background: #fff;
  font: 10pt/1.3 "Source Sans 3", "Source Sans Pro", "Segoe UI", Arial, sans-serif;
}}
math {{ font-size: 11pt; }}
.sheet {{ width: 100%; border-collapse: collapse; break-after: page; }}
.sheet:last-child {{ break-after: auto; }}
.sheet > thead {{ display: table-header-group; }}
.sheet > thead > tr > td, .sheet > tbody > tr > td {{ padding: 0; }}
.head {{
  display: flex; flex-wrap: wrap; gap: 1mm 3mm; align-items: baseline;
  border-bottom: 0.3mm solid #000; padding-bottom: 1mm; margin-bottom: 2mm;
}}
.head strong {{ font-size: 12pt; }}
.head .line {{ flex: 1; min-width: 40mm; border-bottom: 0.2mm solid #000; height: 7mm; }}
.head .short {{ flex: none; min-width: 0; width: 20mm; }}
section {{ break-inside: avoid; }}
h1 {{ font-size: 15pt; margin: 0 0 1mm; }}
h2 {{ font-size: 12pt; margin: 2mm 0 0.5mm; break-after: avoid; clear: both; }}
p {{ margin: 0 0 1mm; }}
.notes {{ margin: 0 0 1mm; padding-left: 5mm; }}
.steps {{
  list-style: none; line-height: 1.2; margin: 0 0 1mm; padding: 0; break-after: avoid;
  break-inside: avoid;
}}
.flow {{ display: flex; flex-wrap: wrap; gap: 2mm {GAP}mm; align-items: flex-start; }}
figure {{ margin: 0; break-inside: avoid; }}
figcaption {{ min-height: 5mm; margin-left: {LABEL}mm; white-space: nowrap; }}
.product {{ display: grid; column-gap: {GAP}mm; justify-content: start; break-inside: avoid; }}
.product > .upper {{ align-self: end; grid-row: 1; }}
.product > .lower {{ align-self: start; grid-row: 2; }}
.product > .lower > figure {{ display: flex; flex-direction: column-reverse; }}
.matrix {{ border-collapse: collapse; table-layout: fixed; }}
.matrix th {{
  font: 8pt/1 "Source Sans 3", "Source Sans Pro", "Segoe UI", Arial, sans-serif;
  color: #444; padding: 0; text-align: center; height: 4mm; overflow: hidden;
}}
.matrix :is(tbody th, thead td) {{ width: {LABEL}mm; max-width: {LABEL}mm; }}
.matrix tbody td {{
  width: {GIVEN[0]}mm; min-width: {GIVEN[0]}mm; height: {GIVEN[1]}mm; padding: 0;
  text-align: center; border: 0.1mm solid #bbb; white-space: nowrap;
}}
.matrix.wide tbody td {{ width: {BLANK[0]}mm; min-width: {BLANK[0]}mm; }}
.matrix.tall tbody td {{ height: {BLANK[1]}mm; }}
.matrix tbody td.blank {{
  width: {BLANK[0]}mm; min-width: {BLANK[0]}mm; height: {BLANK[1]}mm; border: 0.35mm solid #000;
}}
.key td.blank {{ font-weight: bold; }}
.unlabelled tbody th {{ font-size: 0; }}
.powers {{ float: right; margin: 0 0 1mm 4mm; }}
.powers tbody td {{ width: 11mm; }}
.powers th {{ width: auto; padding-right: 2mm; text-align: left; }}
.working {{
  flex: 1; min-width: 50mm; border: 0.1mm dotted #888; color: #444; font-size: 8pt;
  padding: 1mm; break-inside: avoid;
}}
.working.last {{ break-before: avoid; }}
.unseen {{ position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }}
@media screen {{ body {{ padding: 6mm 3mm; }} .sheet {{ margin-bottom: 14mm; }} }}
"""
