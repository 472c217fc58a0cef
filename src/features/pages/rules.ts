import { type Format, plainOf, snippetOf } from '../../content/index.ts'

export const KINDS = ['page', 'description', 'exploration'] as const
export type PageKind = (typeof KINDS)[number]

export const MODES = ['replace', 'append', 'prepend'] as const
export type Mode = (typeof MODES)[number]

export const MOST_TITLE = 500
export const MOST_LEVELS = 10

const EXPLORATION = /#?\bexploration\b/i
const UNTITLED = 'Untitled'

/** What is said of the title and the kind of a page that is made. */
interface Named {
  kind?: PageKind
  title?: string
}

/** A title with the word Exploration makes one, unless it is to be a description. */
export function kindOf({ kind, title = '' }: Named): PageKind {
  if (kind === 'description') return kind
  return EXPLORATION.test(title) ? 'exploration' : (kind ?? 'page')
}

/**
 * A title as a page of this kind shows it: `#` before that of a description, and of an exploration
 * the word `#Exploration`, where the title has it or before it.
 */
export function titleOf(kind: PageKind, title: string): string {
  const cut = shortened(title.trim().replace(/\s+/g, ' '))
  if (kind === 'description') return cut.startsWith('#') ? cut : shortened(`#${cut}`)
  if (kind !== 'exploration') return cut
  const [word] = EXPLORATION.exec(cut) ?? []
  if (word === undefined) return shortened(`#Exploration ${cut}`)
  return shortened(cut.replace(word, word.startsWith('#') ? word : '#Exploration'))
}

function shortened(title: string): string {
  if (title.length <= MOST_TITLE) return title
  return title.slice(0, splits(title, MOST_TITLE) ? MOST_TITLE - 1 : MOST_TITLE).trimEnd()
}

/** So much of a text is looked at for its title. */
const BEGINNING = 4000
const HEADING = /^ {0,3}#{1,6}[ \t]+(.+?)[ \t#]*$/m
const FENCED = /^ {0,3}(```|~~~)[\s\S]*?(^ {0,3}\1|$(?![\s\S]))/gm
const ELEMENT = /^<(title|h[1-6])\b[^>]*>(.*?)<\/\1>/is

/** What a text says that it is about: its first heading, or its first words. */
export function titleIn(text: string, type: Format): string {
  const heading = type === 'markdown' ? headingIn(text) : elementIn(text)
  const said = heading && plainOf(heading, type).replaceAll('\n', ' ')
  const read = type === 'markdown' ? text.slice(0, BEGINNING) : text
  return said || snippetOf(read, type, 80) || UNTITLED
}

const headingIn = (text: string) => HEADING.exec(text.slice(0, BEGINNING).replace(FENCED, ''))?.[1]

/** Before it a document may have styles of any length. */
function elementIn(text: string): string | undefined {
  const at = text.search(/<(title|h[1-6])\b/i)
  return at < 0 ? undefined : ELEMENT.exec(text.slice(at, at + BEGINNING))?.[2]
}

/** What stands between two texts that become one: of markdown a blank line. */
export function joint(before: string, after: string, type: Format): string {
  if (type === 'html' || !before || !after) return ''
  const breaks =
    /\n*$/.exec(before.slice(-2))![0].length + /^\n*/.exec(after.slice(0, 2))![0].length
  return '\n'.repeat(Math.max(0, 2 - breaks))
}

const isHigh = (code: number) => code >= 0xd800 && code < 0xdc00
const isLow = (code: number) => code >= 0xdc00 && code < 0xe000

/** Whether a cut there would part the two halves of a character. */
export const splits = (text: string, at: number) =>
  at > 0 && at < text.length && isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at))

/** A piece is read and written as one. */
const PIECE = 16_384

/** A text in pieces, none longer than a piece is. */
export function piecesOf(text: string): string[] {
  const pieces: string[] = []
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + PIECE)
    if (splits(text, to)) to--
    pieces.push(text.slice(from, to))
    from = to
  }
  return pieces
}

/** Whether two texts are one piece together. */
export const fits = (one: string, other: string) => one.length + other.length <= PIECE

export interface Chain {
  chain_steps: number
  chain_size: number
}

const MOST_STEPS = 500
const LEAST_SIZE = 8192

/**
 * Reading an old version goes back from the nearest one that was kept whole: never over more than
 * so many steps, nor by more letters than a few times the text itself.
 */
export const isLong = ({ chain_steps, chain_size }: Chain, length: number) =>
  chain_steps >= MOST_STEPS || chain_size > LEAST_SIZE + 4 * length

interface Nested {
  page_id: number
  parent_page_id: number | null
}

/** Why a page of these may not go under that one. */
export function misfit(all: readonly Nested[], page_id: number | undefined, parent: number) {
  const above = pathTo(all, parent)
  if (page_id !== undefined && above.includes(page_id)) return 'cycle'
  const levels = above.length + (page_id === undefined ? 1 : levelsOf(all, page_id).length)
  return levels > MOST_LEVELS ? 'too deep' : undefined
}

/** The page and those that it is nested in, the outermost last. */
function pathTo(all: readonly Nested[], page_id: number): number[] {
  const path: number[] = []
  let at: number | null | undefined = page_id
  while (at !== null && at !== undefined && !path.includes(at)) {
    path.push(at)
    const here: number = at
    at = all.find((one) => one.page_id === here)?.parent_page_id
  }
  return path
}

/** The page and all that is nested in it, each after what it is nested in. */
export const treeOf = <P extends Nested>(all: readonly P[], page_id: number): P[] =>
  levelsOf(all, page_id).flat()

function levelsOf<P extends Nested>(all: readonly P[], page_id: number): P[][] {
  const levels: P[][] = []
  let level = all.filter((one) => one.page_id === page_id)
  while (level.length && levels.length < all.length) {
    levels.push(level)
    const above = new Set(level.map((one) => one.page_id))
    level = all.filter((one) => one.parent_page_id !== null && above.has(one.parent_page_id))
  }
  return levels
}
