import type { Format } from './content.ts'
import { isAllowed, isDefined, isRaw, isVoid, parentsOf } from './elements.ts'
import { MAX_PARTS } from './parts.ts'

const MAX_ATTRIBUTES = 100
/** Allows two tags per element, and some that turn out to be words. */
export const MAX_TAGS = 3 * MAX_PARTS

export interface Tag {
  start: number
  end: number
  /** In lower case; `!` for comments and document types. */
  name: string
  closes: boolean
  attributes: readonly Attribute[]
  /** Where the content of a raw text element ends. */
  contentEnd?: number
}

export interface Attribute {
  name: string
  value: string | undefined
}

/** Attributes that HTML lets stand without a value. */
const WITHOUT_VALUE = new Set(
  (
    'allowfullscreen alt async autofocus autoplay checked compact contenteditable controls ' +
    'crossorigin default defer disabled download draggable formnovalidate hidden inert ismap ' +
    'itemscope loop multiple muted nohref nomodule noresize noshade novalidate nowrap open ' +
    'playsinline readonly required reversed selected'
  ).split(' '),
)

const START = /<(\/?)([a-z][a-z0-9]*)(?=[\s/>])/iy
const CLOSE = /\s*>/y
const OPEN_END = /\s*\/?>/y
const NAME = /[\s/]+([a-z_:][\w:.-]*)/iy
const EQUALS = /\s*=\s*/y
const UNQUOTED = /[^\s"'<>`{][^\s"'<>`]*/y
const DOCTYPE = /<!doctype\s+html\b[^<>]*>/iy

/**
 * The tags of a text: those that HTML defines, written as HTML allows. Each `<` of anything else is
 * a character of the text. Tags without a partner are returned too, `pairedTags` tells them apart.
 * Stops after `MOST_TAGS`.
 */
export function tagsIn(html: string): Tag[] {
  const tags: Tag[] = []
  const endOfRaw = rawEnds(html)
  let mayHoldComments = true
  for (let at = html.indexOf('<'); at >= 0 && tags.length <= MAX_TAGS; ) {
    let tag: Tag | undefined
    if (html[at + 1] === '!') {
      tag = declarationAt(html, at, mayHoldComments)
      if (!tag && html.startsWith('<!--', at)) mayHoldComments = false
    } else tag = tagAt(html, at)
    if (tag && !tag.closes && holdsText(tag.name)) {
      tag.contentEnd = endOfRaw(tag)
      if (tag.contentEnd === undefined) tag = undefined
    }
    if (tag) tags.push(tag)
    at = html.indexOf('<', tag ? (tag.contentEnd ?? tag.end) : at + 1)
  }
  return tags
}

/** Tags in svg and math are not HTML, so their content counts as raw text. */
const holdsText = (name: string) => isRaw(name) || name === 'svg' || name === 'math'

/** Searches each missing end tag only once: repeating it would take quadratic time. */
function rawEnds(html: string) {
  const unclosed = new Set<string>()
  return ({ name, end }: Tag): number | undefined => {
    if (unclosed.has(name)) return undefined
    const close = new RegExp(`</${name}\\s*>`, 'gi')
    close.lastIndex = end
    const found = close.exec(html)?.index
    if (found === undefined) unclosed.add(name)
    return found
  }
}

function declarationAt(html: string, start: number, mayHoldComments: boolean): Tag | undefined {
  const tag = (end: number) => ({ start, end, name: '!', closes: false, attributes: [] })
  if (html.startsWith('<!--', start)) {
    const abrupt = /<!--(?:-?>)/y
    abrupt.lastIndex = start
    if (abrupt.test(html)) return tag(abrupt.lastIndex)
    const end = mayHoldComments ? html.indexOf('-->', start + 4) : -1
    return end < 0 ? undefined : tag(end + 3)
  }
  DOCTYPE.lastIndex = start
  return DOCTYPE.test(html) ? tag(DOCTYPE.lastIndex) : undefined
}

function tagAt(html: string, start: number): Tag | undefined {
  const matched = match(START, html, start)
  if (!matched || !isDefined(matched[2]!)) return undefined
  const [whole, slash, rawName] = matched as unknown as [string, string, string]
  const name = rawName.toLowerCase()
  const at = start + whole.length
  if (slash) {
    if (html[at] === '>') return tagOf(start, at + 1, name, true)
    const end = match(CLOSE, html, at)
    return end ? tagOf(start, at + end[0].length, name, true) : undefined
  }
  const parsed = html[at] === '>' ? { attributes: [], end: at + 1 } : attributesAt(html, at)
  if (!parsed) return undefined
  // Without attributes these are placeholders, not elements: cp <source> <target>.
  const isPlaceholder = isVoid(name) && !parsed.attributes.length && !BARE.has(name)
  return isPlaceholder ? undefined : tagOf(start, parsed.end, name, false, parsed.attributes)
}

/** Void elements that are meaningful without attributes. */
const BARE = new Set(['br', 'col', 'hr', 'wbr'])

const tagOf = (
  start: number,
  end: number,
  name: string,
  closes: boolean,
  attributes: readonly Attribute[] = [],
): Tag => ({ start, end, name, closes, attributes })

/** The attributes of a tag and where it ends; undefined if it is not written as HTML allows. */
function attributesAt(html: string, from: number) {
  const attributes: Attribute[] = []
  let at = from
  while (attributes.length <= MAX_ATTRIBUTES) {
    const end = match(OPEN_END, html, at)
    if (end) return { attributes, end: at + end[0].length }
    const name = match(NAME, html, at)
    if (!name) return undefined
    at += name[0].length
    const equals = match(EQUALS, html, at)
    const value = equals && valueAt(html, at + equals[0].length)
    if (equals ? !value : !standsAlone(name[1]!)) return undefined
    attributes.push({ name: name[1]!.toLowerCase(), value: value?.text })
    at = value?.end ?? at
  }
  return undefined
}

const standsAlone = (name: string) =>
  WITHOUT_VALUE.has(name.toLowerCase()) || /^(?:data-|aria-|_ng)/i.test(name)

function valueAt(html: string, at: number) {
  const quote = html[at]
  if (quote === '"' || quote === "'") {
    const end = html.indexOf(quote, at + 1)
    return end < 0 ? undefined : { text: html.slice(at + 1, end), end: end + 1 }
  }
  const text = match(UNQUOTED, html, at)?.[0]
  if (text === undefined) return undefined
  // The slash of <br class=x/> belongs to the tag.
  const length = html[at + text.length] === '>' ? text.replace(/\/$/, '').length : text.length
  return { text: text.slice(0, length), end: at + length }
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/**
 * The tags that belong to a whole element: void ones, pairs, and, in HTML, those whose end tag its
 * author may omit. Every other tag is a character of the text, like the `<b>` of "press <b> twice".
 */
export function pairedTags(html: string, tags: readonly Tag[], format: Format): Set<Tag> {
  const paired = new Set<Tag>()
  addPairs(
    tags,
    paired,
    (tag) => (format === 'markdown' && isMarked(html, tag) ? RAW : '') + tag.name,
  )
  for (const tag of tags) if (isSelfContained(tag)) paired.add(tag)
  if (format === 'html') addWithoutEndTag(html, tags, paired)
  return paired
}

const isSelfContained = ({ name, closes, contentEnd }: Tag) =>
  name === '!' || contentEnd !== undefined || (isVoid(name) && !closes)

/** Adds each end tag that is not paired yet, and the tag it ends. */
function addPairs(tags: readonly Tag[], paired: Set<Tag>, keyOf: (tag: Tag) => string): void {
  const open = new Map<string, Tag[]>()
  for (const tag of tags) {
    if (paired.has(tag)) continue
    const key = keyOf(tag)
    const openTags = open.get(key) ?? []
    if (!tag.closes) openTags.push(tag)
    else if (openTags.length) paired.add(tag).add(openTags.pop()!)
    open.set(key, openTags)
  }
}

/** Marks raw tags: whitespace within a tag that no renderer writes. */
const RAW = '\t\t'
/** Blocks that the markdown renderer produces. */
const RENDERED = 'blockquote|h[1-6]|li|ol|p|ul'
const RAW_TAG = new RegExp(`<(/?)(${RENDERED})(?=[\\s/>])`, 'gi')
const MARKED_TAG = new RegExp(`(<|&lt;|%3C)(/?)(${RENDERED})(?:${RAW}|%09%09)`, 'gi')

/**
 * Marks the raw HTML tags in markdown, so that they are not paired with tags of rendered blocks.
 */
export const markRaw = (markdown: string): string => markdown.replace(RAW_TAG, `$&${RAW}`)
export const unmarkRaw = (html: string): string => html.replace(MARKED_TAG, '$1$2$3')

const isMarked = (html: string, { name, closes, start }: Tag) =>
  html.startsWith(RAW, start + 1 + (closes ? 1 : 0) + name.length)

function addWithoutEndTag(html: string, tags: readonly Tag[], paired: Set<Tag>): void {
  const depth = new Map<string, number>()
  for (const tag of tags) {
    const { name, closes, start } = tag
    const parents = parentsOf(name)
    // `List<P>` is a generic type, not a tag.
    const isWord = /\w<[A-Z]/.test(html.slice(start - 1, start + 2))
    const hasParent = !parents?.length || parents.some((parent) => depth.get(parent))
    if (parents && !closes && hasParent && !isWord) paired.add(tag)
    if (paired.has(tag)) depth.set(name, (depth.get(name) ?? 0) + (closes ? -1 : 1))
  }
}

/** Whether the sanitizer keeps the element that this tag opens or closes, judged by the tag alone. */
export const isKept = ({ name, closes, attributes }: Tag): boolean =>
  name === 'input'
    ? closes ||
      attributes.some(
        (attribute) => attribute.name === 'type' && /^checkbox$/i.test(attribute.value ?? ''),
      )
    : isAllowed(name)
