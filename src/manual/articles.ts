import type { Doc } from './docs.ts'

export interface Section {
  /** Its own heading and those above it, the outermost first; none for what stands before all. */
  headings: readonly string[]
  /** Of the heading, as addresses name it; empty for what stands before all. */
  anchor: string
  /** As markdown, without the heading. */
  text: string
}

export interface Article {
  /** In addresses; empty for the contents. */
  name: string
  title: string
  text: string
  sections: readonly Section[]
}

/** The file that lists the others, in the order in which they are read. */
const CONTENTS = 'README'
export const articleNamed = (file: string) => (file === CONTENTS ? '' : file)

/** The contents, and every other article where the contents first name it. */
export function articlesOf(docs: readonly Doc[]): Article[] {
  const contents = docs.find(({ name }) => name === CONTENTS)?.text ?? ''
  const order = [...contents.matchAll(/\]\(([\w-]+)\.md\)/g)].map(([, name]) => name)
  const place = ({ name }: Article) => (name === '' ? -1 : order.indexOf(name))
  return docs.map(articleOf).sort((a, b) => place(a) - place(b))
}

function articleOf({ name, text }: Doc): Article {
  const [first, ...sections] = cut(text)
  const title = first?.headings[0] ?? name
  const intro = { ...first!, headings: [], anchor: '' }
  return {
    ...{ name: articleNamed(name), title, text },
    sections: [intro, ...sections].filter((section) => section.text || section.anchor),
  }
}

/** In pieces that begin at a heading. What begins with # in a block of code is none. */
function cut(text: string): Section[] {
  const anchorOf = anchors()
  const sections: { headings: string[]; anchor: string; lines: string[] }[] = []
  const above: string[] = []
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
    above.splice(Math.max(0, marks.length - 2), above.length, title)
    sections.push({ headings: [...above], anchor: anchorOf(title), lines: [] })
  }
  return sections.map(({ lines, ...section }) => ({ ...section, text: lines.join('\n').trim() }))
}

const plainHeading = (words: string) =>
  words.replace(/[`*]/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')

/** Names headings as the sites do on which the same files are read. */
function anchors(): (heading: string) => string {
  const seen = new Map<string, number>()
  return (heading) => {
    const name = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
    const before = seen.get(name) ?? 0
    seen.set(name, before + 1)
    return before ? `${name}-${before}` : name
  }
}
