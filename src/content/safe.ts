import type { Element, Parents, Root, RootContent } from 'hast'
import { sanitize } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import { isBlock } from './elements.ts'
import { parsed } from './parse.ts'
import { REL, schema } from './schema.ts'

const LONGEST_ADDRESS = 8192

/** What is moved to where it may stand may move something else; nobody writes what never rests. */
const MOST_TURNS = 8

/**
 * HTML as a tree that holds nothing but what may be shown, and that stays so when it is parsed again.
 * Collects the names of what was dangerous in `removed`.
 */
export function safe(html: string, field: string, removed = new Set<string>()): Root {
  return settled(html, field, removed, MOST_TURNS)
}

function settled(html: string, field: string, removed: Set<string>, turns: number): Root {
  const given = parsed(html, field)
  const isSeparate = separateBlocks(given)
  straighten(given, removed)
  const kept = sanitize(given, schema)
  const root: Root = kept.type === 'root' ? kept : { type: 'root', children: [kept as Element] }
  mend(root)
  if (turns === 0 || !(isSeparate || isMoved(given))) return root
  const rewritten = written(root)
  return rewritten === html ? root : settled(rewritten, field, removed, turns - 1)
}

/**
 * Makes a `<div>` of each block that is not allowed in a text and stands beside words. Without its
 * tags, its own words would run into those.
 */
function separateBlocks(parent: Parents): boolean {
  let isChanged = false
  parent.children.forEach((child, at) => {
    if (child.type !== 'element') return
    if (separateBlocks(child)) isChanged = true
    const beside = [parent.children[at - 1], parent.children[at + 1]]
    if (!isBlock(child.tagName) || !beside.some(isInline)) return
    child.tagName = 'div'
    child.properties = {}
    isChanged = true
  })
  return isChanged
}

const isInline = (node: RootContent | undefined): boolean =>
  node?.type === 'text'
    ? node.value.trim() !== ''
    : node?.type === 'element' && (isBlock(node.tagName) || !BLOCKS.has(node.tagName))
const BLOCKS = new Set(
  'blockquote details div dl figure h1 h2 h3 h4 h5 h6 hr ol p pre table ul'.split(' '),
)

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

/** As it can stand in markdown, where a blank line would end it. */
export const oneLine = (tree: Parameters<typeof written>[0]): string =>
  written(tree).replaceAll('\n', '&#10;')

/** Browsers ignore blanks and line breaks in addresses. An address that is too long is dropped. */
function straighten(parent: Parents, removed: Set<string>): void {
  for (const child of parent.children) {
    if (child.type !== 'element') continue
    for (const name of Object.keys(child.properties))
      if (/^on/i.test(name)) removed.add(`the event handler ${name.toLowerCase()}`)
      else if (name === 'style') removed.add('styles')
    for (const name of ['href', 'src', 'cite']) {
      const address = child.properties[name]
      if (typeof address !== 'string') continue
      const straight = address.replace(/[\t\n\r]/g, '').trim()
      const isLong = straight.length > LONGEST_ADDRESS
      child.properties[name] = isLong ? undefined : straight
      const why = isLong
        ? `an address of more than ${LONGEST_ADDRESS} characters`
        : refusal(name, straight)
      if (why) removed.add(why)
    }
    straighten(child, removed)
  }
}

/** Names the scheme of an address that a text may not lead to. */
function refusal(attribute: string, address: string): string | undefined {
  const scheme = /^[\0-\x20]*([a-z][a-z\d+.-]*):/i.exec(address)?.[1]?.toLowerCase()
  const allowed: readonly string[] = schema.protocols?.[attribute] ?? []
  return scheme && !allowed.includes(scheme) ? `a ${scheme}: address` : undefined
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
