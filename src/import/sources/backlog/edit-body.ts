import { type NewComment, splitSections } from '../../file-writer.ts'
import { parseBody } from './body.ts'

const MARKERS: Readonly<Record<string, string>> = {
  Description: 'SECTION:DESCRIPTION',
  'Acceptance Criteria': 'AC',
  'Definition of Done': 'DOD',
  'Implementation Plan': 'SECTION:PLAN',
  'Implementation Notes': 'SECTION:NOTES',
  'Final Summary': 'SECTION:FINAL_SUMMARY',
}
const MARKED = /(<!-- ?(SECTION:[A-Z_]+|AC|DOD):BEGIN ?-->[ \t]*\n)[\s\S]*?(\n?<!-- ?\2:END ?-->)/

/** Disarms the markers that structure a file, which a text may contain too. */
export const safeText = (text: string): string =>
  text.replace(/<!--(?= ?(?:SECTION:\w+|COMMENTS?|AC|DOD):(?:BEGIN|END) ?-->)/g, '&lt;!--').trim()

/** How links to tasks are written in files, and how the reader gives them. */
export interface Links {
  read(text: string): string
  write(text: string): string
}

/** The text of a body changes to another one. Sections with the same text stay as they are. */
export function editText(body: string, text: string, links: Links): string {
  const wanted = splitSections(text)
  const edited = editSections(body, wanted, links)
  if (links.read(parseBody(edited).text) === text.trim()) return edited
  const comments = COMMENTS.exec(body)?.[0] ?? ''
  const sections = wanted.map((section) => newSection(section, links))
  return [...sections, comments.trim() && `${comments.trim()}\n`].filter(Boolean).join('\n')
}

type Section = ReturnType<typeof splitSections>[number]

function editSections(body: string, wanted: readonly Section[], links: Links): string {
  const waiting = [...wanted]
  const result: string[] = []
  for (const chunk of chunksOf(body)) {
    const title = titleOf(chunk)
    const isComments = title !== undefined && /^comments$/i.test(title)
    const isIntroduction = title === undefined && !chunk.trim()
    if (isComments || isIntroduction) {
      result.push(chunk)
      continue
    }
    const at = waiting.findIndex((section) => nameOf(section) === (title ?? 'Description'))
    const [section] = at < 0 ? [] : waiting.splice(at, 1)
    if (section && (section.text || section.title)) result.push(editChunk(chunk, section, links))
  }
  for (const section of waiting) addSection(result, section, links)
  return result.join('')
}

const nameOf = ({ title }: Section) => title ?? 'Description'

function editChunk(chunk: string, section: Section, links: Links): string {
  const { text } = parseBody(chunk)
  const heading = section.title === undefined ? '' : `## ${section.title}\n\n`
  if (links.read(text) === `${heading}${section.text}`.trim()) return chunk
  const content = links.write(contentOf(section))
  if (MARKED.test(chunk))
    return chunk.replace(MARKED, (_, begin: string, _name, end: string) =>
      [begin, content, end.startsWith('\n') ? end : `\n${end}`].join(''),
    )
  const [, first = '', end = ''] = /^((?:\n*## .*\n+)?)[\s\S]*?(\n*)$/.exec(chunk) ?? []
  return first + content + end
}

/** Puts a section behind the others, but before the comments. */
function addSection(chunks: string[], section: Section, links: Links): void {
  if (!section.text && section.title === undefined) return
  const at = chunks.findIndex((chunk) => /^comments$/i.test(titleOf(chunk) ?? ''))
  const isFirst = section.title === undefined
  const place = isFirst ? (chunks[0]?.trim() ? 0 : 1) : at < 0 ? chunks.length : at
  const before = chunks[place - 1]
  const gap = before === undefined || /\n\n$|^\s*$/.test(before) ? '' : '\n'
  const follows = place < chunks.length && chunks.slice(place).some((chunk) => chunk.trim())
  chunks.splice(place, 0, `${gap}${newSection(section, links)}${follows ? '\n' : ''}`)
}

function newSection(section: Section, links: Links): string {
  if (!section.text && section.title === undefined) return ''
  const title = nameOf(section)
  const marker = MARKERS[title]
  const content = links.write(contentOf(section))
  if (!marker) return `## ${title}\n\n${content}\n`
  return `## ${title}\n\n<!-- ${marker}:BEGIN -->\n${content}\n<!-- ${marker}:END -->\n`
}

/** Backlog.md numbers the items of its checklists. */
function contentOf(section: Section): string {
  const marker = MARKERS[nameOf(section)]
  const text = safeText(section.text)
  if (marker !== 'AC' && marker !== 'DOD') return text
  let number = 0
  return text.replace(/^(\s*[-*] \[[ xX]\]) /gm, (_, box: string) => `${box} #${++number} `)
}

/** The parts of a body, each with the heading that it begins with. */
function chunksOf(body: string): string[] {
  const chunks = ['']
  let fence: string | undefined
  let isInComments = false
  for (const line of body.split(/(?<=\n)/)) {
    const mark = /^ {0,3}(```+|~~~+)/.exec(line)?.[1]
    if (mark && (!fence || mark.startsWith(fence))) fence = fence ? undefined : mark
    if (/^<!-- COMMENTS:(BEGIN|END) -->/.test(line)) isInComments = line.includes('BEGIN')
    if (!fence && !isInComments && /^## /.test(line)) chunks.push(line)
    else chunks[chunks.length - 1] += line
  }
  return chunks
}

const titleOf = (chunk: string) => /^## +(.+?)[ \t]*(?:\n|$)/.exec(chunk)?.[1]

const COMMENTS = /## Comments[ \t]*\n+<!-- COMMENTS:BEGIN -->\n[\s\S]*?<!-- COMMENTS:END -->\n*/i
const INSIDE = /(<!-- COMMENTS:BEGIN -->\n)([\s\S]*?)(<!-- COMMENTS:END -->)/i

/** A comment of a body as it is written. The reader leaves out those without a text. */
interface RawComment {
  raw: string
  hasText: boolean
}

export interface CommentEdit {
  add: readonly NewComment[]
  /** The new text of the comment that is at a place among those with a text; null removes it. */
  edit(place: number): string | null | undefined
}

export function editComments(body: string, { add, edit }: CommentEdit): string {
  const match = INSIDE.exec(body)
  if (!match) {
    if (!add.length) return body
    const gap = body && !body.endsWith('\n\n') ? (body.endsWith('\n') ? '\n' : '\n\n') : ''
    const text = add.map(commentText).join('\n\n')
    return `${body}${gap}## Comments\n\n<!-- COMMENTS:BEGIN -->\n${text}\n<!-- COMMENTS:END -->\n`
  }
  let place = 0
  const remaining = rawComments(match[2]!).flatMap(({ raw, hasText }) => {
    const text = hasText ? edit(place++) : undefined
    if (text === null) return []
    return text === undefined ? raw : withText(raw, text)
  })
  let inside = remaining.join('')
  for (const comment of add)
    inside += `${inside && !inside.endsWith('\n\n') ? '\n' : ''}${commentText(comment)}\n`
  return body.replace(INSIDE, () => match[1]! + inside + match[3]!)
}

/** Each comment ends with the second of its lines of hyphens. */
function rawComments(text: string): RawComment[] {
  const comments: RawComment[] = []
  for (const [raw, content = ''] of text.matchAll(
    /\n*(?:.*\n)*?---[ \t]*\n((?:.*\n)*?)---[ \t]*(?:\n|$)/g,
  ))
    comments.push({ raw, hasText: content.trim() !== '' })
  return comments
}

const withText = (raw: string, text: string) =>
  raw.replace(
    /(---[ \t]*\n)(?:.*\n)*?(---[ \t]*(?:\n|$))/,
    (_, begin: string, end: string) => `${begin}${commentBody(text)}\n${end}`,
  )

const commentText = ({ author, text, created_at }: NewComment) =>
  [
    `author: ${safeText(author).replace(/\s+/g, ' ')}`,
    `created: ${created_at.slice(0, 16).replace('T', ' ')}`,
    '---',
    commentBody(text),
    '---',
  ].join('\n')

/** A line of hyphens would end the comment; asterisks are the same rule in markdown. */
const commentBody = (text: string) => safeText(text).replace(/^---[ \t]*$/gm, '***')
