import type { Doc } from './docs.ts'

export interface Section {
  /** Its own heading and those above it, outermost first; empty for the text before all headings. */
  headings: readonly string[]
  /** The anchor of the heading; empty for the text before all headings. */
  anchor: string
  /** Markdown, without the heading. */
  text: string
}

export interface Article {
  /** Name in addresses; empty for the table of contents. */
  name: string
  title: string
  text: string
  sections: readonly Section[]
}

/** The file that links the others in reading order. */
const CONTENTS = 'README'
export const articleName = (file: string) => (file === CONTENTS ? '' : file)

/** The table of contents, then the other articles in the order in which it links them. */
export function articlesOf(docs: readonly Doc[]): Article[] {
  const contents = docs.find(({ name }) => name === CONTENTS)?.text ?? ''
  const order = [...contents.matchAll(/\]\(([\w-]+)\.md\)/g)].map(([, name]) => name)
  const position = ({ name }: Article) => (name === '' ? -1 : order.indexOf(name))
  return docs.map(articleOf).sort((a, b) => position(a) - position(b))
}

function articleOf({ name, text }: Doc): Article {
  const [first, ...sections] = splitAtHeadings(text)
  const title = first?.headings[0] ?? name
  const intro = { ...first!, headings: [], anchor: '' }
  return {
    name: articleName(name),
    title,
    text,
    sections: [intro, ...sections].filter((section) => section.text || section.anchor),
  }
}

/** Splits a text at its headings. A line that begins with # in a code block is not a heading. */
function splitAtHeadings(text: string): Section[] {
  const anchorOf = anchors()
  const sections: { headings: string[]; anchor: string; lines: string[] }[] = []
  const path: string[] = []
  let isCode = false
  for (const line of text.split('\n')) {
    if (/^\s*```/.test(line)) isCode = !isCode
    const heading = isCode ? null : /^(#{1,4}) +(.+?) *$/.exec(line)
    if (!heading) {
      sections.at(-1)?.lines.push(line)
      continue
    }
    const [, marks = '', words = ''] = heading
    const title = plainHeading(words)
    path.splice(Math.max(0, marks.length - 2), path.length, title)
    sections.push({ headings: [...path], anchor: anchorOf(title), lines: [] })
  }
  return sections.map(({ lines, ...section }) => ({ ...section, text: lines.join('\n').trim() }))
}

const plainHeading = (words: string) =>
  words.replace(/[`*]/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')

/** Makes anchors like those of sites that render the same files, such as GitHub. */
function anchors(): (heading: string) => string {
  const counts = new Map<string, number>()
  return (heading) => {
    const name = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    return count ? `${name}-${count}` : name
  }
}
