import { EditorView } from '@codemirror/view'

const INDENT = 1.5

/** The indentation of list items by their depth. Deeper ones come later and win. */
const depths = Object.fromEntries(
  Array.from({ length: 8 }, (_, at) => [
    `.cm-line.cm-depth-${at + 1}`,
    { paddingInlineStart: `${(at + 1) * INDENT}rem` },
  ]),
)

const callouts = Object.fromEntries(
  [
    ['note', 'live'],
    ['tip', 'done'],
    ['important', 'cork'],
    ['warning', 'wait'],
    ['caution', 'wrong'],
  ].flatMap(([kind, color]) => [
    [
      `.cm-line.cm-callout-${kind}`,
      { borderColor: `var(--${color})`, background: `var(--${color}-paper)` },
    ],
    [`.cm-callout-${kind} .cm-callout-label`, { color: `var(--${color})` }],
  ]),
)

const text = {
  '.cm-line': { unicodeBidi: 'plaintext' },
  '.cm-h1': { font: '600 var(--text-xl)', paddingTop: 'var(--s2)' },
  '.cm-h2': { font: '600 1.125rem / 1.625rem var(--sans)', paddingTop: 'var(--s2)' },
  '.cm-h3, .cm-h4, .cm-h5, .cm-h6': { font: '600 var(--text-lg)', paddingTop: 'var(--s1)' },
  '.cm-inline-code': {
    padding: '0.125rem 0.25rem',
    borderRadius: '4px',
    background: 'var(--sunk)',
  },
  '.cm-link': {
    color: 'var(--cork)',
    textDecoration: 'underline',
    textDecorationColor: 'var(--edge)',
    textUnderlineOffset: '3px',
  },
  '.cm-line.cm-quote': {
    paddingInlineStart: 'var(--s3)',
    borderInlineStart: '3px solid var(--line)',
    color: 'var(--soft)',
  },
  '.cm-line.cm-callout': { paddingInline: 'var(--s3)', borderInlineStart: '3px solid' },
  '.cm-callout-label': { font: '600 var(--text-md)' },
  '.cm-rule': {
    display: 'inline-block',
    width: '100%',
    height: '1px',
    background: 'var(--line)',
    verticalAlign: 'middle',
  },
  '.cm-mention': {
    padding: '0 0.1875rem',
    borderRadius: '4px',
    background: 'var(--cork-paper)',
    color: 'var(--cork)',
    fontWeight: '500',
  },
  '.cm-chip': { color: 'var(--cork)', fontWeight: '500', textDecoration: 'none' },
  '.cm-chip-title': { color: 'var(--soft)' },
  '.cm-done': { color: 'var(--soft)', textDecoration: 'line-through' },
  '.cm-image img': {
    display: 'block',
    maxWidth: '100%',
    height: 'auto',
    border: '1px solid var(--line)',
    borderRadius: 'var(--r1)',
  },
}

const lists = {
  '.cm-marker': {
    display: 'inline-block',
    minWidth: `${INDENT}rem`,
    marginInlineStart: `-${INDENT}rem`,
    color: 'var(--soft)',
    fontVariantNumeric: 'tabular-nums',
  },
  '.cm-bullet': { paddingInlineStart: '0.25rem', boxSizing: 'border-box' },
  '.cm-marker input': {
    width: '1rem',
    height: '1rem',
    margin: '0',
    accentColor: 'var(--cork)',
    verticalAlign: '-2px',
  },
  '.cm-line.cm-checked': { color: 'var(--soft)' },
  ...depths,
}

const code = {
  '.cm-line.cm-code': {
    position: 'relative',
    paddingInline: 'var(--s3)',
    background: 'var(--sunk)',
    font: '0.875em / 1.375rem var(--mono)',
    unicodeBidi: 'normal',
  },
  '.cm-code *': { fontSize: 'inherit' },
  '.cm-line.cm-code-first': {
    paddingTop: 'var(--s1)',
    borderRadius: 'var(--r1) var(--r1) 0 0',
  },
  '.cm-line.cm-code-last': {
    paddingBottom: 'var(--s1)',
    borderRadius: '0 0 var(--r1) var(--r1)',
  },
  '.cm-line.cm-code-first.cm-code-last': { borderRadius: 'var(--r1)' },
  // The line of a hidden fence is only space.
  '.cm-line.cm-code-end': { lineHeight: '0.5rem' },
  '.cm-code-tools': {
    position: 'absolute',
    top: '0.25rem',
    insetInlineEnd: 'var(--s2)',
    display: 'flex',
    gap: 'var(--s2)',
    alignItems: 'center',
    color: 'var(--soft)',
    font: 'var(--text-sm)',
    userSelect: 'none',
  },
}

const buttons = {
  '.cm-code-tools button, .cm-table-tools button, .cm-toolbar button, .cm-touch-bar button': {
    minWidth: '1.75rem',
    height: '1.75rem',
    padding: '0 var(--s2)',
    border: '0',
    borderRadius: 'var(--r1)',
    background: 'none',
    color: 'var(--soft)',
    font: 'var(--text-sm)',
    cursor: 'pointer',
  },
  '.cm-code-tools button': { height: '1.375rem', padding: '0 var(--s1)' },
  'button:hover': { background: 'var(--hover)', color: 'var(--ink)' },
  'button:focus-visible': { outline: '2px solid var(--cork)', outlineOffset: '-2px' },
  '.cm-toolbar button, .cm-touch-bar button': { color: 'var(--ink)', font: 'var(--text-md)' },
  'button.cm-tool-strong': { fontWeight: '700' },
  'button.cm-tool-em': { fontStyle: 'italic' },
  'button.cm-tool-s': { textDecoration: 'line-through' },
  'button.cm-tool-code': { fontFamily: 'var(--mono)', fontSize: '0.75rem' },
  '.cm-icon': {
    width: '1rem',
    height: '1rem',
    fill: 'none',
    stroke: 'currentColor',
    strokeWidth: '1.5',
    strokeLinecap: 'round',
    strokeLinejoin: 'round',
  },
}

const bars = {
  '.cm-tooltip.cm-toolbar': { display: 'flex', gap: '1px', zIndex: '5' },
  '.cm-panels.cm-panels-bottom': {
    position: 'sticky',
    bottom: '0',
    border: '0',
    background: 'var(--card)',
    color: 'inherit',
  },
  '.cm-touch-bar': {
    display: 'flex',
    overflowX: 'auto',
    borderTop: '1px solid var(--line)',
    background: 'var(--card)',
  },
  '.cm-touch-bar button': { flex: 'none', minWidth: '2.5rem', height: '2.75rem' },
  '&:not(.cm-focused) .cm-panels': { display: 'none' },
}

const tables = {
  '.cm-table': { padding: 'var(--s1) 0' },
  '.cm-table-scroller': { overflowX: 'auto' },
  '.cm-table table': { borderCollapse: 'collapse' },
  '.cm-table th, .cm-table td': {
    padding: '0',
    border: '1px solid var(--line)',
    verticalAlign: 'top',
  },
  '.cm-table th': { background: 'var(--sunk)', fontWeight: '600' },
  '.cm-cell': {
    minWidth: '4rem',
    minHeight: '1.625rem',
    padding: 'var(--s1) var(--s3)',
    outline: '0',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'break-word',
  },
  '.cm-cell:focus': { boxShadow: 'inset 0 0 0 2px var(--cork)' },
  '.cm-cell code': {
    padding: '0.125rem 0.25rem',
    borderRadius: '4px',
    background: 'var(--sunk)',
    font: '0.875em var(--mono)',
  },
  '.cm-align-start': { textAlign: 'start' },
  '.cm-align-center': { textAlign: 'center' },
  '.cm-align-end': { textAlign: 'end' },
  '.cm-table-tools': { display: 'flex', gap: '1px', opacity: '0', height: '1.75rem' },
  '.cm-table:hover .cm-table-tools, .cm-table:focus-within .cm-table-tools': { opacity: '1' },
}

const handle = {
  '.cm-handle': {
    position: 'absolute',
    insetInlineStart: '-0.75rem',
    width: '0.75rem',
    height: '1.5rem',
    padding: '0',
    border: '0',
    borderRadius: '4px',
    background: 'none',
    color: 'var(--soft)',
    cursor: 'grab',
    transform: 'translateY(-50%)',
    touchAction: 'none',
  },
  '.cm-handle[hidden], .cm-drop-line[hidden]': { display: 'none' },
  '.cm-handle:active': { cursor: 'grabbing' },
  '.cm-handle .cm-icon': { display: 'block', marginInlineStart: '-0.125rem' },
  '.cm-drop-line': {
    position: 'absolute',
    insetInline: '0',
    height: '2px',
    borderRadius: '1px',
    background: 'var(--cork)',
    pointerEvents: 'none',
  },
}

/** The look of rendered Markdown in the editor, which is that of rendered text elsewhere. */
export const richTheme = EditorView.theme({
  ...text,
  ...callouts,
  ...lists,
  ...code,
  ...buttons,
  ...bars,
  ...tables,
  ...handle,
})
