/** A line of a pasted list, and the lines that are indented under it. */
export interface PastedLine {
  title: string
  children: PastedLine[]
}

/** The prefixes of bulleted lists, numbered lists, checklists, quotes and headings. */
const PREFIX = /^(?:(?:[-*+•◦▪–—]|\d{1,3}[.)]|#{1,6}|>)\s+)*(?:\[[ xX]?\]\s+)?/
const TAB_WIDTH = 4
const MAX_TITLE = 500

export const MAX_PASTED_LINES = 100

/** Reads a pasted text as tasks: one for each line, with indented lines as subtasks. */
export function readPastedLines(text: string): PastedLine[] {
  const roots: PastedLine[] = []
  const open: { indent: number; line: PastedLine }[] = []
  for (const raw of text.split(/\r\n?|\n/)) {
    const [space = ''] = /^\s*/.exec(raw)!
    const title = raw.trim().replace(PREFIX, '').trim().slice(0, MAX_TITLE)
    if (!title) continue
    const indent = space.replaceAll('\t', ' '.repeat(TAB_WIDTH)).length
    while (open.length && open.at(-1)!.indent >= indent) open.pop()
    const line = { title, children: [] }
    const siblings = open.at(-1)?.line.children ?? roots
    siblings.push(line)
    open.push({ indent, line })
  }
  return roots
}

export const countLines = (lines: readonly PastedLine[]): number =>
  lines.reduce((sum, { children }) => sum + 1 + countLines(children), 0)
