/** The one stylesheet of these pages. */
export const STYLE = `:root {
  --paper: #faf8f5;
  --card: #ffffff;
  --ink: #24211d;
  --soft: #6a635a;
  --line: #e2dcd3;
  --field: #8d857a;
  --cork: #935a26;
  --on-cork: #ffffff;
  --wrong: #b3261e;
  --wrong-paper: #fdf0ee;
  --done: #1f6b3a;
  --done-paper: #edf6ef;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #1a1816;
    --card: #232019;
    --ink: #ece7df;
    --soft: #aaa196;
    --line: #3a352d;
    --field: #7d756a;
    --cork: #e0a468;
    --on-cork: #24180b;
    --wrong: #ff9a8f;
    --wrong-paper: #3a211e;
    --done: #8fd3a5;
    --done-paper: #1d2f23;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0;
  padding: 0 1.25rem 4rem;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif;
}
header, main, footer { max-width: 36rem; margin: 0 auto; }
footer { display: flex; gap: 1.25rem; font-size: 0.875rem; }
header { padding: 2.5rem 0 1.5rem; }
.brand { color: var(--cork); font-weight: 700; letter-spacing: -0.01em; text-decoration: none; }
.brand::before {
  content: "";
  display: inline-block;
  width: 0.7rem;
  height: 0.7rem;
  margin-right: 0.5rem;
  border-radius: 50%;
  background: var(--cork);
}
h1 { margin: 0 0 1.25rem; font-size: 1.75rem; line-height: 1.2; letter-spacing: -0.02em; }
h2 { margin: 0 0 0.25rem; font-size: 1.125rem; }
p { margin: 0 0 1rem; }
h2 + .hint { margin: 0 0 1.25rem; }
a { color: var(--cork); }
.card {
  margin: 0 0 1.25rem;
  padding: 1.5rem;
  border: 1px solid var(--line);
  border-radius: 0.75rem;
  background: var(--card);
}
.field { margin: 0 0 1rem; }
label { display: block; margin: 0 0 0.3rem; font-weight: 600; font-size: 0.9375rem; }
input, select {
  width: 100%;
  min-height: 2.75rem;
  padding: 0.5rem 0.75rem;
  border: 1px solid var(--field);
  border-radius: 0.5rem;
  background: var(--paper);
  color: inherit;
  font: inherit;
}
input[aria-invalid] { border-color: var(--wrong); }
button {
  min-height: 2.75rem;
  padding: 0.5rem 1.1rem;
  border: 1px solid transparent;
  border-radius: 0.5rem;
  background: var(--cork);
  color: var(--on-cork);
  font: inherit;
  font-weight: 600;
  cursor: pointer;
}
button.quiet { border-color: var(--line); background: transparent; color: var(--ink); }
:focus-visible { outline: 3px solid var(--cork); outline-offset: 2px; }
.hint { margin: 0.3rem 0 0; color: var(--soft); font-size: 0.875rem; }
.error { margin: 0.3rem 0 0; color: var(--wrong); font-size: 0.875rem; }
.alert, .shown { padding: 0.75rem 1rem; border-radius: 0.5rem; }
.alert { background: var(--wrong-paper); color: var(--wrong); }
.shown { margin: 0 0 1.25rem; background: var(--done-paper); }
.shown h3 { margin: 0 0 0.25rem; color: var(--done); font-size: 1rem; }
pre {
  margin: 0.25rem 0 0.75rem;
  padding: 0.75rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  background: var(--card);
  font: 0.8125rem/1.5 ui-monospace, monospace;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  user-select: all;
}
ul.rows { margin: 1rem 0; padding: 0; list-style: none; }
ul.rows li {
  display: flex;
  gap: 1rem;
  align-items: center;
  justify-content: space-between;
  padding: 0.75rem 0;
  border-top: 1px solid var(--line);
}
ul.rows span { min-width: 0; overflow-wrap: anywhere; }
ul.rows small { display: block; color: var(--soft); }
.between { display: flex; gap: 1rem; align-items: center; justify-content: space-between; }
.between > * { margin: 0; }
`
