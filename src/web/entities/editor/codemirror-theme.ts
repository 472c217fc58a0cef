import { EditorView } from '@codemirror/view'

/** The editor uses the same fonts and colors as the rendered text. */
export const theme = EditorView.theme({
  '&': { color: 'var(--ink)', background: 'none', font: 'inherit' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { font: 'inherit', lineHeight: 'inherit' },
  '.cm-content': { padding: '0', caretColor: 'var(--ink)', minHeight: 'var(--least, 4.875rem)' },
  '.cm-line': { padding: '0' },
  '.cm-placeholder': { color: 'var(--soft)' },
  '.cm-tooltip': {
    padding: 'var(--s1)',
    border: '0',
    borderRadius: 'var(--r2)',
    background: 'var(--card)',
    boxShadow: 'var(--float)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { font: 'var(--text-md)', maxHeight: '16rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    padding: 'var(--s1) var(--s2)',
    borderRadius: 'var(--r1)',
    lineHeight: 'inherit',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    background: 'var(--hover)',
    color: 'var(--ink)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-completionDetail': {
    overflow: 'hidden',
    marginInlineStart: 'auto',
    paddingInlineStart: 'var(--s3)',
    color: 'var(--soft)',
    fontStyle: 'normal',
    textOverflow: 'ellipsis',
  },
})
