// How the menu looks.

export const STYLE = `
.takes { position: fixed; inset: auto; margin: 0; padding: .5rem; width: 17rem; max-width: calc(100vw - 12px); max-height: calc(100vh - 12px); overflow-y: auto; box-sizing: border-box;
  font: 16px/1.3 var(--st-font); color: var(--st-text-color); background: var(--st-background-color); border: 1px solid var(--st-border-color); border-radius: .5rem; box-shadow: 0 4px 18px #0003 }
.takes.takes h2 { font-size: 16px; margin: .1rem .4rem .3rem; overflow-wrap: anywhere }
.takes.takes button { position: static; opacity: 1; display: block; width: 100%; min-height: 32px; text-align: left; font: inherit; color: inherit; background: none; border: 0; border-radius: .3rem; padding: .15rem .4rem; cursor: pointer }
.takes.takes button:hover { background: color-mix(in srgb, currentColor 8%, transparent) }
.takes :is(button, input, textarea):focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: -1px }
.takes button[aria-disabled=true] { opacity: .6; cursor: default }
.takes.takes :is(p, label) { display: block; margin: .3rem .4rem; font-size: 15px; overflow-wrap: anywhere }
.takes label { padding: .2rem 0; cursor: pointer }
.takes [role=status]:not(:empty) { border-top: 1px solid var(--st-border-color); padding-top: .4rem }
.takes :is(input[type=text], textarea) { width: calc(100% - .8rem); margin: .2rem .4rem; box-sizing: border-box; font: 14px/1.3 ui-monospace, monospace; color: inherit; background: none; border: 1px solid var(--st-border-color); border-radius: .3rem }
.takes textarea { height: 9rem; resize: vertical }
.takes [hidden] { display: none }
@media print { .takes { display: none } }
`;
