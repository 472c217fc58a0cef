import type { SyntaxNode } from '@lezer/common'
import { BulletWidget, CheckboxWidget, NumberWidget } from './list-widgets.ts'
import type { PreviewContext } from './preview-context.ts'

const MAX_DEPTH = 8

function depthOf(item: SyntaxNode): number {
  let depth = 0
  for (let node = item.parent; node; node = node.parent)
    if (node.name === 'BulletList' || node.name === 'OrderedList') depth += 1
  return Math.min(depth, MAX_DEPTH)
}

/** Where the text of an item begins: behind its mark, its box and one space. */
export function itemTextStart(mark: SyntaxNode, textAt: (from: number, to: number) => string) {
  const box = boxOf(mark)
  const end = box?.to ?? mark.to
  return /[ \t]/.test(textAt(end, end + 1)) ? end + 1 : end
}

export const boxOf = (mark: SyntaxNode): SyntaxNode | null =>
  mark.nextSibling?.name === 'Task' ? mark.nextSibling.getChild('TaskMarker') : null

/** Indents the lines of an item, and hides the white space that the source indents them with. */
export function previewItem(item: SyntaxNode, context: PreviewContext) {
  const mark = item.getChild('ListMark')
  if (!mark) return
  const { doc } = context.state
  const firstLine = doc.lineAt(mark.from)
  const indent = mark.to + 1 - firstLine.from
  const depth = depthOf(item)
  context.eachLine(item, ({ from, text }) => {
    context.line(from, `cm-depth-${depth}`)
    const space = /^[ \t]*/.exec(text)![0].length
    const isContinuation = from > firstLine.from && !/^\s*([-*+]|\d+[.)])(\s|$)/.test(text)
    if (isContinuation && space && space < text.length)
      context.replaceAtom(from, from + Math.min(space, indent))
  })
}

/** Shows a bullet, a number or a check box in place of the source of a mark. */
export function previewMark(mark: SyntaxNode, context: PreviewContext) {
  const textAt = (from: number, to: number) => context.text(from, to)
  const end = itemTextStart(mark, textAt)
  const box = boxOf(mark)
  // Until a space follows, the mark may become something else.
  if (end === (box?.to ?? mark.to)) return
  const line = context.state.doc.lineAt(mark.from)
  const before = context.text(line.from, mark.from)
  const start = mark.from - /[ \t]*$/.exec(before)![0].length
  const isNumber = /\d/.test(context.text(mark.from, mark.to))
  context.line(mark.from, 'cm-item')
  if (box) {
    const isChecked = /x/i.test(context.text(box.from, box.to))
    const label = context.text(end, Math.min(line.to, end + 200)).trim()
    if (isChecked) context.line(mark.from, 'cm-checked')
    context.replaceAtom(start, end, new CheckboxWidget(isChecked, label))
  } else if (isNumber)
    context.replaceAtom(start, end, new NumberWidget(context.text(mark.from, mark.to)))
  else context.replaceAtom(start, end, new BulletWidget())
}
