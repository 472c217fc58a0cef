import { type Format, plainOf, snippetOf } from '../../../../content/index.ts'

export const KINDS = ['page', 'description', 'exploration'] as const
export type PageKind = (typeof KINDS)[number]

export const MODES = ['replace', 'append', 'prepend'] as const
export type Mode = (typeof MODES)[number]

export const MAX_TITLE_LENGTH = 500
export const MAX_LEVELS = 10

const EXPLORATION = /#?\bexploration\b/i
const UNTITLED = 'Untitled'

/** Requested title and kind of a new page. */
interface TitleAndKind {
  kind?: PageKind
  title?: string
}

/** A title with the word Exploration makes a page an exploration, unless it is a description. */
export function kindOf({ kind, title = '' }: TitleAndKind): PageKind {
  if (kind === 'description') return kind
  return EXPLORATION.test(title) ? 'exploration' : (kind ?? 'page')
}

/**
 * Returns the title in the form for this kind of page. Titles of descriptions begin with `#`.
 * Titles of explorations contain `#Exploration`, in place of the word or at the beginning.
 */
export function titleOf(kind: PageKind, title: string): string {
  const shortTitle = truncateTitle(title.trim().replace(/\s+/g, ' '))
  if (kind === 'description')
    return shortTitle.startsWith('#') ? shortTitle : truncateTitle(`#${shortTitle}`)
  if (kind !== 'exploration') return shortTitle
  const [word] = EXPLORATION.exec(shortTitle) ?? []
  if (word === undefined) return truncateTitle(`#Exploration ${shortTitle}`)
  return truncateTitle(shortTitle.replace(word, word.startsWith('#') ? word : '#Exploration'))
}

function truncateTitle(title: string): string {
  if (title.length <= MAX_TITLE_LENGTH) return title
  return title
    .slice(
      0,
      splitsSurrogatePair(title, MAX_TITLE_LENGTH) ? MAX_TITLE_LENGTH - 1 : MAX_TITLE_LENGTH,
    )
    .trimEnd()
}

/** Number of characters of a text that are searched for a title. */
const SCANNED_LENGTH = 4000
const HEADING = /^ {0,3}#{1,6}[ \t]+(.+?)[ \t#]*$/m
const FENCED = /^ {0,3}(```|~~~)[\s\S]*?(^ {0,3}\1|$(?![\s\S]))/gm
const ELEMENT = /^<(title|h[1-6])\b[^>]*>(.*?)<\/\1>/is

/** Derives a title from a text: its first heading, or its first words. */
export function titleFromText(text: string, type: Format): string {
  const heading = type === 'markdown' ? markdownHeadingIn(text) : htmlHeadingIn(text)
  const headingText = heading && plainOf(heading, type).replaceAll('\n', ' ')
  const beginning = type === 'markdown' ? text.slice(0, SCANNED_LENGTH) : text
  return headingText || snippetOf(beginning, type, 80) || UNTITLED
}

const markdownHeadingIn = (text: string) =>
  HEADING.exec(text.slice(0, SCANNED_LENGTH).replace(FENCED, ''))?.[1]

/** Searches the whole document, because styles of any length may precede the heading. */
function htmlHeadingIn(text: string): string | undefined {
  const index = text.search(/<(title|h[1-6])\b/i)
  return index < 0 ? undefined : ELEMENT.exec(text.slice(index, index + SCANNED_LENGTH))?.[2]
}

/** Returns the separator that joins two texts: a blank line for markdown, nothing for HTML. */
export function separatorBetween(before: string, after: string, type: Format): string {
  if (type === 'html' || !before || !after) return ''
  const breaks =
    /\n*$/.exec(before.slice(-2))![0].length + /^\n*/.exec(after.slice(0, 2))![0].length
  return '\n'.repeat(Math.max(0, 2 - breaks))
}

const isHigh = (code: number) => code >= 0xd800 && code < 0xdc00
const isLow = (code: number) => code >= 0xdc00 && code < 0xe000

/** Whether a cut at this index would split a surrogate pair. */
export const splitsSurrogatePair = (text: string, at: number) =>
  at > 0 && at < text.length && isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at))

/** Maximum length of a piece. Each piece is stored in a row of its own. */
const MAX_PIECE_LENGTH = 16_384

/** Splits a text into pieces of at most MAX_PIECE_LENGTH characters. */
export function piecesOf(text: string): string[] {
  if (!text) return ['']
  const pieces: string[] = []
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + MAX_PIECE_LENGTH)
    if (splitsSurrogatePair(text, to)) to--
    pieces.push(text.slice(from, to))
    from = to
  }
  return pieces
}

/** Whether two texts fit into one piece together. */
export const fitsOnePiece = (first: string, second: string) =>
  first.length + second.length <= MAX_PIECE_LENGTH

export interface Chain {
  chain_steps: number
  chain_size: number
}

const MAX_STEPS = 500
const MIN_SIZE = 8192

/**
 * An old version is rebuilt backwards from the nearest version that is stored whole. The chain is
 * too long if it has MAX_STEPS versions or its steps hold several times the characters of the text.
 */
export const isChainTooLong = ({ chain_steps, chain_size }: Chain, length: number) =>
  chain_steps >= MAX_STEPS || chain_size > MIN_SIZE + 4 * length

interface TreePage {
  page_id: number
  parent_page_id: number | null
}

/** Returns why a page may not be nested under the parent, or undefined if it may. */
export function nestingProblem(
  pages: readonly TreePage[],
  page_id: number | undefined,
  parent: number,
) {
  const ancestors = pathToRoot(pages, parent)
  if (page_id !== undefined && ancestors.includes(page_id)) return 'cycle'
  const levels = ancestors.length + (page_id === undefined ? 1 : levelsOf(pages, page_id).length)
  return levels > MAX_LEVELS ? 'too deep' : undefined
}

/** Returns the page and its ancestors, the outermost last. */
function pathToRoot(pages: readonly TreePage[], page_id: number): number[] {
  const path: number[] = []
  let next: number | null | undefined = page_id
  while (next !== null && next !== undefined && !path.includes(next)) {
    path.push(next)
    const current: number = next
    next = pages.find((page) => page.page_id === current)?.parent_page_id
  }
  return path
}

/** Returns the page and all pages nested in it, parents first. */
export const treeOf = <P extends TreePage>(pages: readonly P[], page_id: number): P[] =>
  levelsOf(pages, page_id).flat()

function levelsOf<P extends TreePage>(pages: readonly P[], page_id: number): P[][] {
  const levels: P[][] = []
  let level = pages.filter((page) => page.page_id === page_id)
  while (level.length && levels.length < pages.length) {
    levels.push(level)
    const parentIds = new Set(level.map((page) => page.page_id))
    level = pages.filter(
      (page) => page.parent_page_id !== null && parentIds.has(page.parent_page_id),
    )
  }
  return levels
}
