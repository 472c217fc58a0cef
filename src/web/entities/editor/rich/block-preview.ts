import type { SyntaxNode } from '@lezer/common'
import { CalloutWidget, CodeToolsWidget, RuleWidget } from './block-widgets.ts'
import { codeLanguage } from './code-languages.ts'
import type { PreviewContext } from './preview-context.ts'

export function previewHeading(node: SyntaxNode, context: PreviewContext) {
  const { from, to, name } = node
  const marks = node.getChildren('HeaderMark')
  const isSetext = name.startsWith('Setext')
  // One or two characters below a paragraph may be the beginning of a list or a rule.
  if (isSetext && marks.some((mark) => mark.to - mark.from < 3)) return
  context.lines({ from, to }, `cm-heading cm-h${name.at(-1)}`)
  if (isSetext || context.isLineTouched(from, to)) return
  for (const mark of marks) {
    const isFirst = mark.from === from
    const space = isFirst
      ? /^[ \t]*/.exec(context.text(mark.to, to))![0].length
      : /[ \t]*$/.exec(context.text(from, mark.from))![0].length
    context.hide(isFirst ? mark.from : mark.from - space, isFirst ? mark.to + space : mark.to)
  }
}

const CALLOUT = /^>[ \t]*\[!(note|tip|important|warning|caution)\][ \t]*$/i

export function previewQuote(node: SyntaxNode, context: PreviewContext) {
  const { doc } = context.state
  const first = doc.lineAt(node.from)
  const text = doc.sliceString(node.from, first.to)
  const kind = CALLOUT.exec(text)?.[1]?.toLowerCase()
  context.lines(node, kind ? `cm-callout cm-callout-${kind}` : 'cm-quote')
  if (!kind || context.isLineTouched(node.from)) return
  const label = node.from + text.indexOf('[')
  context.replace(label, first.to, new CalloutWidget(kind))
}

export function previewQuoteMark({ from, to }: SyntaxNode, context: PreviewContext) {
  if (context.isLineTouched(from)) return
  context.hide(from, context.text(to, to + 1) === ' ' ? to + 1 : to)
}

export function previewRule({ from, to }: SyntaxNode, context: PreviewContext) {
  if (!context.isLineTouched(from)) context.replace(from, to, new RuleWidget())
}

/** Shows a code block as a box with its language and a button that copies it. */
export function previewCode(node: SyntaxNode, context: PreviewContext) {
  const { from, to } = node
  const { doc } = context.state
  context.lines(node, 'cm-code')
  context.line(from, 'cm-code-first')
  context.line(to, 'cm-code-last')
  if (node.name !== 'FencedCode') return
  const [open, close] = node.getChildren('CodeMark')
  const info = node.getChild('CodeInfo')
  const name = info ? context.text(info.from, info.to) : ''
  const code = node
    .getChildren('CodeText')
    .map((part) => context.text(part.from, part.to))
    .join('\n')
  const language = codeLanguage(name)?.name ?? name
  const firstLine = doc.lineAt(from)
  if (!open) return
  context.append(firstLine.to, new CodeToolsWidget(language, code))
  if (context.isTouched(from, to)) return
  context.hide(open.from, firstLine.to)
  if (!close || close.to > context.viewport.to) return
  context.hide(close.from, close.to)
  context.line(close.from, 'cm-code-end')
}
