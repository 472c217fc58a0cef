/** What the manual adds to the look of the forms, whose stylesheet it also has. */
export const STYLE = `html { scroll-padding-top: 1rem; }
header, main, .manual { max-width: 72rem; margin: 0 auto; }
header {
  display: flex;
  flex-wrap: wrap;
  gap: 0.75rem 1.5rem;
  align-items: center;
  padding: 1.5rem 0;
}
header nav { display: flex; flex: 1; gap: 1.25rem; }
header nav a { padding: 0.5rem 0; color: var(--ink); text-decoration: none; }
header nav a:hover, .menu a:hover { text-decoration: underline; }
header form { display: flex; flex: 0 1 22rem; gap: 0.5rem; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 0.5rem; padding: 0.5rem; background: var(--card); }
.manual { display: grid; grid-template-columns: 14rem minmax(0, 1fr); gap: 3rem; align-items: start; }
main { max-width: 46rem; margin: 0; }
aside {
  position: sticky;
  top: 1rem;
  max-height: calc(100vh - 2rem);
  padding: 4px;
  overflow-y: auto;
}
.menu { font-size: 0.9375rem; }
.menu ul { margin: 0; padding: 0; list-style: none; }
.menu ul ul { margin: 0.125rem 0 0.5rem; padding: 0 0 0 0.875rem; border-left: 2px solid var(--line); }
.menu ul ul a { padding: 0.2rem 0; color: var(--soft); font-size: 0.875rem; }
.menu a { display: block; padding: 0.3rem 0; color: var(--ink); text-decoration: none; }
.menu a[aria-current] { color: var(--cork); font-weight: 700; }
details.menu { display: none; margin: 0 0 1.5rem; padding: 0 1rem; }
details.menu[open] { padding-bottom: 0.75rem; }
details.menu summary { padding: 0.75rem 0; font-weight: 600; cursor: pointer; }
main h1 { margin-bottom: 1rem; font-size: 2rem; }
main h2, main h3, main h4 { position: relative; line-height: 1.3; }
main h2 {
  margin: 2.75rem 0 0.875rem;
  padding-top: 1.5rem;
  border-top: 1px solid var(--line);
  font-size: 1.375rem;
  letter-spacing: -0.01em;
}
main h3 { margin: 1.75rem 0 0.625rem; font-size: 1.0625rem; }
.anchor { margin-left: 0.5rem; color: var(--soft); font-weight: 400; text-decoration: none; opacity: 0; }
:hover > .anchor, .anchor:focus-visible { opacity: 1; }
main ul, main ol { margin: 0 0 1rem; padding-left: 1.375rem; }
main li { margin: 0 0 0.375rem; }
main img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 0.75rem; }
main :not(pre) > code {
  padding: 0.1em 0.35em;
  border: 1px solid var(--line);
  border-radius: 0.3rem;
  background: var(--card);
  font: 0.875em ui-monospace, monospace;
  overflow-wrap: anywhere;
}
.code { position: relative; }
pre {
  margin: 0 0 1.125rem;
  padding: 0.875rem 1rem;
  overflow-x: auto;
  white-space: pre;
  overflow-wrap: normal;
  user-select: auto;
}
.copy {
  position: absolute;
  top: 0.375rem;
  right: 0.375rem;
  min-height: 1.75rem;
  padding: 0.1rem 0.6rem;
  border-color: var(--line);
  background: var(--paper);
  color: var(--ink);
  font-size: 0.8125rem;
  font-weight: 400;
  opacity: 0;
}
.code:hover .copy, .copy:focus-visible { opacity: 1; }
@media (hover: none) { .copy { opacity: 1; } }
.wide { margin: 0 0 1.125rem; overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 0.9375rem; }
th, td { padding: 0.5rem 1rem 0.5rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--soft); font-weight: 600; font-size: 0.875rem; }
td code { white-space: nowrap; }
.found { padding: 0; list-style: none; }
.found li { margin: 0; padding: 1rem 0; border-top: 1px solid var(--line); }
.found a { font-weight: 600; }
.found p { margin: 0.25rem 0 0; overflow-wrap: anywhere; }
mark { border-radius: 0.2rem; background: color-mix(in srgb, var(--cork) 25%, transparent); color: inherit; }
.turn { display: flex; flex-wrap: wrap; gap: 1rem; justify-content: space-between; margin-top: 3.5rem; }
.turn a { text-decoration: none; }
.turn small { display: block; color: var(--soft); }
.turn .next { margin-left: auto; text-align: right; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
@media (max-width: 52rem) {
  header nav { flex: none; margin-left: auto; }
  header form { flex: 1 0 100%; }
  .manual { display: block; }
  main { max-width: none; }
  aside { display: none; }
  details.menu { display: block; }
  main h1 { font-size: 1.75rem; }
}
@media print { header, aside, details.menu, .turn, .copy { display: none; } }
`

/** The pin of the name, in a colour that is seen on light and on dark tabs. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6" fill="#b87333"/></svg>`
