import type { Element, Parents, Root, RootContent } from 'hast'
import { sanitize } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import { parsed } from './parse.ts'
import { REL, schema } from './schema.ts'

const LONGEST_ADDRESS = 8192

/** What is moved to where it may stand may move something else; nobody writes what never rests. */
const MOST_TURNS = 8

/** HTML as a tree that holds nothing but what may be shown, and that stays so when it is read again. */
export function safe(html: string, field: string, turns = MOST_TURNS): Root {
  const given = parsed(html, field)
  straighten(given)
  const kept = sanitize(given, schema)
  const root: Root = kept.type === 'root' ? kept : { type: 'root', children: [kept as Element] }
  mend(root)
  if (turns === 0 || !isMoved(given)) return root
  const rewritten = written(root)
  return rewritten === html ? root : safe(rewritten, field, turns - 1)
}

/** A parser puts what cannot stand in a table before it, and what is taken away leaves its content. */
const isMoved = ({ children }: Parents): boolean =>
  children.some(
    (one) =>
      one.type === 'element' &&
      (one.tagName === 'table' || !KNOWN.has(one.tagName) || isMoved(one)),
  )
const KNOWN = new Set(schema.tagNames)

export const written = (tree: Parameters<typeof toHtml>[0]): string =>
  toHtml(tree, { characterReferences: { useNamedReferences: true } })

/** Browsers leave blanks and line breaks out of addresses; what is too long leads nowhere. */
function straighten(parent: Parents): void {
  for (const child of parent.children) {
    if (child.type !== 'element') continue
    for (const name of ['href', 'src', 'cite']) {
      const address = child.properties[name]
      if (typeof address !== 'string') continue
      const straight = address.replace(/[\t\n\r]/g, '').trim()
      child.properties[name] = straight.length > LONGEST_ADDRESS ? undefined : straight
    }
    straighten(child)
  }
}

/** What rules about single attributes cannot say. */
function mend(parent: Parents): void {
  parent.children = parent.children.filter((child) => !isField(child)) as typeof parent.children
  for (const child of parent.children) {
    if (child.type !== 'element') continue
    if (child.tagName === 'a' && child.properties.href !== undefined) child.properties.rel = REL
    if (child.tagName === 'pre') keepFirstLine(child)
    mend(child)
  }
}

/** The box of a task is shown; whatever else asks for something is not. */
const isField = (node: RootContent) =>
  node.type === 'element' && node.tagName === 'input' && node.properties.type !== 'checkbox'

/** A line break right after <pre> is no part of it, unless there are two. */
function keepFirstLine(pre: Element): void {
  const first = pre.children[0]
  if (first?.type === 'text' && first.value.startsWith('\n')) first.value = `\n${first.value}`
}
