import type { SyntaxNode } from '@lezer/common'
import type { PreviewContext } from './preview-context.ts'

/** Hides the marks of bold, italic, struck and code text. */
export function previewInline(node: SyntaxNode, context: PreviewContext) {
  const { name, from, to } = node
  const isTouched = context.isTouched(from, to)
  if (name === 'Escape') {
    if (!isTouched) context.hide(from, from + 1)
    return
  }
  if (name === 'InlineCode') {
    const first = node.firstChild
    const last = node.lastChild
    if (first && last) context.style(first.to, last.from, 'cm-inline-code')
  }
  if (isTouched) return
  for (let child = node.firstChild; child; child = child.nextSibling)
    if (MARKS.has(child.name)) context.hide(child.from, child.to)
}

const MARKS = new Set(['EmphasisMark', 'StrikethroughMark', 'CodeMark'])
