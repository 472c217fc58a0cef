import type { Element, Parents, Root, RootContent } from 'hast'
import { sanitize } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import { isBlock } from './elements.ts'
import { parseHtml } from './parse.ts'
import { REL, schema } from './schema.ts'

const MAX_ADDRESS = 8192

/** Moving one element may move another; sanitizing repeats until nothing moves, this often at most. */
const MAX_ROUNDS = 8

/**
 * Parses HTML into a sanitized tree that stays the same when it is written and parsed again. Collects
 * the names of dangerous parts in `removed`.
 */
export function sanitizedTree(html: string, field: string, removed = new Set<string>()): Root {
  return sanitizeRounds(html, field, removed, MAX_ROUNDS)
}

function sanitizeRounds(html: string, field: string, removed: Set<string>, rounds: number): Root {
  const tree = parseHtml(html, field)
  const hasSeparated = separateBlocks(tree)
  cleanAddresses(tree, removed)
  const sanitized = sanitize(tree, schema)
  const root: Root =
    sanitized.type === 'root' ? sanitized : { type: 'root', children: [sanitized as Element] }
  applyRules(root)
  if (rounds === 0 || !(hasSeparated || isMoved(tree))) return root
  const rewritten = toHtmlText(root)
  return rewritten === html ? root : sanitizeRounds(rewritten, field, removed, rounds - 1)
}

/**
 * Turns each disallowed block beside inline text into a `<div>`. If only its tags were removed, its
 * words would run into their neighbours.
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

/**
 * Whether sanitizing may have moved content: a parser moves misplaced content out of a table, and a
 * removed element leaves its content in its parent.
 */
const isMoved = ({ children }: Parents): boolean =>
  children.some(
    (child) =>
      child.type === 'element' &&
      (child.tagName === 'table' || !KNOWN.has(child.tagName) || isMoved(child)),
  )
const KNOWN = new Set(schema.tagNames)

export const toHtmlText = (tree: Parameters<typeof toHtml>[0]): string =>
  toHtml(tree, { characterReferences: { useNamedReferences: true } })

/** HTML without line breaks, because a blank line would end an HTML block in markdown. */
export const oneLine = (tree: Parameters<typeof toHtmlText>[0]): string =>
  toHtmlText(tree).replaceAll('\n', '&#10;')

/** Removes the blanks and line breaks that browsers ignore in addresses, and drops long addresses. */
function cleanAddresses(parent: Parents, removed: Set<string>): void {
  for (const child of parent.children) {
    if (child.type !== 'element') continue
    for (const name of Object.keys(child.properties))
      if (/^on/i.test(name)) removed.add(`the event handler ${name.toLowerCase()}`)
      else if (name === 'style') removed.add('styles')
    for (const name of ['href', 'src', 'cite']) {
      const address = child.properties[name]
      if (typeof address !== 'string') continue
      const normalized = address.replace(/[\t\n\r]/g, '').trim()
      const isTooLong = normalized.length > MAX_ADDRESS
      child.properties[name] = isTooLong ? undefined : normalized
      const reason = isTooLong
        ? `an address of more than ${MAX_ADDRESS} characters`
        : removedScheme(name, normalized)
      if (reason) removed.add(reason)
    }
    cleanAddresses(child, removed)
  }
}

/** Describes the scheme of an address that is not allowed; undefined if it is allowed. */
function removedScheme(attribute: string, address: string): string | undefined {
  const scheme = /^[\0-\x20]*([a-z][a-z\d+.-]*):/i.exec(address)?.[1]?.toLowerCase()
  const allowed: readonly string[] = schema.protocols?.[attribute] ?? []
  return scheme && !allowed.includes(scheme) ? `a ${scheme}: address` : undefined
}

/** Applies rules that the schema cannot express. */
function applyRules(parent: Parents): void {
  parent.children = parent.children.filter((child) => !isField(child)) as typeof parent.children
  for (const child of parent.children) {
    if (child.type !== 'element') continue
    if (child.tagName === 'a' && child.properties.href !== undefined) child.properties.rel = REL
    if (child.tagName === 'pre') keepFirstLine(child)
    applyRules(child)
  }
}

/** The checkbox of a task list is kept; all other inputs are removed. */
const isField = (node: RootContent) =>
  node.type === 'element' && node.tagName === 'input' && node.properties.type !== 'checkbox'

/** Parsers drop a line break right after <pre>; doubling it preserves a leading empty line. */
function keepFirstLine(pre: Element): void {
  const first = pre.children[0]
  if (first?.type === 'text' && first.value.startsWith('\n')) first.value = `\n${first.value}`
}
