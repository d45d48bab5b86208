"""Scripts, style sheets and HTML without what only their readers need."""

import pytest

from vitviz.scripts.lean import lean_page, lean_script, lean_sheet


@pytest.mark.parametrize(
    ("text", "lean"),
    [
        ("const a = 1; // one\n/* two\n lines */ let b = a;", "let a=1,b=a;"),
        ("    if (a) {\n        return b / 2 / c;\n    }", "if(a){return b/2/c}"),
        ("a = b + +c - -d + ++e;", "a=b+ +c- -d+ ++e;"),
        ('say("two  words // here", \'/* "there" */\');', 'say("two  words // here",\'/* "there" */\');'),
        ('name.replace(/ .*/, "").replace(/ \\/ /g, " / ");', 'name.replace(/ .*/,"").replace(/ \\/ /g," / ");'),
        ("return / a  b/.test(c / d / e) ? (a + b) / 2 : c[0] / 3;", "return/ a  b/.test(c/d/e)?(a+b)/2:c[0]/3;"),
        ('text.split( /[/"]  \\/(?=`)/ ).map( f );', 'text.split(/[/"]  \\/(?=`)/).map(f);'),
        ('`a  ${b ? `c  ${ {d: 1}.d }` : "}"} // e` + f', '`a  ${b?`c  ${{d:1}.d}`:"}"} // e`+f'),
        ("`${(a) => true} ${{ b, }} ${(c)} \\${ d }`;", "`${(a)=>!0} ${{b}} ${(c)} \\${ d }`;"),
        ("`\\`  ${a}` in b", "`\\`  ${a}`in b"),
        ("f({\n    a: [\n        1,\n        [, b],\n    ],\n},\n);", "f({a:[1,[,b]]});"),
        ("const [, , a] = [,];", "let[,,a]=[,];"),
        (
            "all.map((a) => a).map(async (b) => (b)).map((c, d) => c);",
            "all.map((a)=>a).map(async(b)=>(b)).map((c,d)=>c);",
        ),
        ("one();\n\n\ntwo();\nthree();", "one()\ntwo();three();"),
        ("if (a) {\n    one();\n\n    two();\n}", "if(a){one();two()}"),
        ("let a = () => {\n    const b = 1;\n    let { c } = b;\n};\n\nlet d = a;", "let a=()=>{let b=1,{c}=b},\nd=a;"),
        ("const a = 1;\na();\nconst b = 2;", "let a=1;a();let b=2;"),
        ("for (let at = 0; at < 3; at++) one();\nlet two = 2;", "for(let at=0;at<3;at++)one();let two=2;"),
        ("export const a = 1;\nconst b = 2;", "export let a=1;let b=2;"),
        ("a.true = true;\nreturn undefined;", "a.true=!0;return void 0;"),
        ("one();\n\n[a] = b;\n\n(c)();", "one();\n[a]=b;\n(c)();"),
    ],
)
def test_a_script_keeps_its_tokens_and_its_paragraphs(text: str, lean: str) -> None:
    assert lean_script(text) == lean


def test_a_sheet_keeps_its_rules() -> None:
    sheet = "/* Of\na board */\n.a > c { margin: 0  2px;\n  width: calc(1px + 2%) }\n\n.a:is(.b, .c) :focus { top: 0 }"
    assert lean_sheet(sheet) == "\n.a > c{margin:0 2px;width:calc(1px + 2%)}.a:is(.b,.c) :focus{top:0}"


def test_a_page_keeps_its_lines() -> None:
    page = '<p class="a">\n    <b>one</b>\n\n    <i>two</i>  three\n</p>\n'
    assert lean_page(page) == '<p class="a">\n<b>one</b>\n<i>two</i>  three\n</p>\n'
