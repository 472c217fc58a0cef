import { syntaxTree } from '@codemirror/language'
import { Facet } from '@codemirror/state'
import { WidgetType } from '@codemirror/view'
import { cache, queryKeyOf } from '../../../data/cache.ts'
import { basePath } from '../../../kit/base-path.ts'
import type { Me } from '../../user/me.ts'
import { element } from './element.ts'
import type { PreviewContext } from './preview-context.ts'
import { taskReference } from './references.ts'

/** The names that are mentions after an `@`. */
export const mentionNames = Facet.define<() => readonly string[], () => readonly string[]>({
  combine: ([first]) => first ?? (() => []),
})

/** The title of a task or page behind its key. It is crossed out when the task is done. */
export class TitleWidget extends WidgetType {
  readonly title: string
  readonly isDone: boolean
  constructor(title: string, isDone: boolean) {
    super()
    this.title = title
    this.isDone = isDone
  }
  override eq({ title, isDone }: TitleWidget) {
    return title === this.title && isDone === this.isDone
  }
  toDOM() {
    const name = this.isDone ? 'cm-chip-title cm-done' : 'cm-chip-title'
    return element('span', { class: name }, ` ${this.title}`)
  }
  override ignoreEvent() {
    return false
  }
}

const REFERENCE = /(?<![\w/-])(?:([A-Z][A-Z0-9]{0,9})-\d{1,9}\b|@[\p{L}\p{N}])/gu
const PLAIN = /Code|URL|Link|Image|HTML|Comment/

/** Marks task keys with their titles, and mentions, outside of code and links. */
export function previewReferences(context: PreviewContext) {
  const { state, viewport } = context
  const boards = boardKeys()
  const names = state
    .facet(mentionNames)()
    .toSorted((a, b) => b.length - a.length)
  const text = state.sliceDoc(viewport.from, viewport.to)
  for (const { index, 0: found, 1: board } of text.matchAll(REFERENCE)) {
    const from = viewport.from + index
    if (isPlain(context, from)) continue
    if (board && boards.has(board)) previewTask(context, from, found)
    if (board) continue
    const name = names.find((name) => text.startsWith(name, index + 1))
    if (name) context.style(from, from + name.length + 1, 'cm-mention')
  }
}

function previewTask(context: PreviewContext, from: number, key: string) {
  const to = from + key.length
  const found = taskReference(key, context.view)
  const url = `${location.origin}${basePath}/t/${key}`
  context.style(from, to, `cm-chip${found?.isDone ? ' cm-done' : ''}`, { 'data-url': url })
  if (found && !context.isTouched(from, to))
    context.append(to, new TitleWidget(found.title, found.isDone))
}

function isPlain({ state }: PreviewContext, position: number): boolean {
  for (let node = syntaxTree(state).resolveInner(position, 1); node.parent; node = node.parent)
    if (PLAIN.test(node.name)) return true
  return false
}

function boardKeys(): ReadonlySet<string> {
  const me = cache.getQueryData<Me>(queryKeyOf('user_context.get', {}))
  return new Set(me?.boards.map(({ key }) => key))
}
