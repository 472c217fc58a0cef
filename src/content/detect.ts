import type { Format } from './content.ts'
import { isHarmless } from './elements.ts'
import { isKept, pairedTags, type Tag, tagsIn } from './tags.ts'

/** Elements that a text in HTML begins with. `<details>` is as common in markdown. */
const BEGINNINGS = new Set(
  'blockquote div dl figure h1 h2 h3 h4 h5 h6 hr ol p pre table ul'.split(' '),
)
const DOCUMENT = /^<(?:!doctype\s+html|html|head|body)\b/i

/**
 * Detects the format of a text that came without one. HTML begins with a block element, or has
 * elements and no markdown structure. Everything else is markdown, which is stored verbatim.
 */
export function detect(text: string): Format {
  const trimmed = text.trimStart()
  if (!trimmed.includes('<')) return 'markdown'
  if (DOCUMENT.test(trimmed)) return 'html'
  const tags = tagsIn(trimmed)
  const paired = pairedTags(trimmed, tags, 'markdown')
  const elements = tags.filter((tag) => paired.has(tag) && !tag.closes)
  const [first] = elements
  if (first?.start === 0 && BEGINNINGS.has(first.name)) return 'html'
  if (elements.some(isCode)) return 'markdown'
  const isHtml = elements.some((tag) => isKept(tag) || isHarmless(tag.name))
  return isHtml && !hasStructure(trimmed) ? 'html' : 'markdown'
}

/** Scripts, drawings and templates in the middle of a text are its subject, not its markup. */
const isCode = ({ name, contentEnd }: Tag) => contentEnd !== undefined || name === 'template'

/** Every repetition is bounded, so that no pattern takes quadratic time on a long text. */
const STRUCTURE = [
  /^ {0,3}#{1,6}[ \t]+\S/m,
  /^[ \t]{0,12}(?:[-*+]|\d{1,9}[.)])[ \t]+\S/m,
  /^ {0,3}>[ \t]{0,3}\S/m,
  /^ {0,3}(?:`{3}|~{3})/m,
  /^ {0,3}(?:={3,100}|-{3,100}|(?:\* ?){3,100}|_{3,100})[ \t]{0,8}$/m,
  /^ {0,3}\|?[ \t]{0,8}:?-{1,100}:?[ \t]{0,8}\|[-:| \t]{0,500}$/m,
  /^ {0,3}\[[^[\]\n]{1,200}\]:[ \t]{0,8}\S/m,
  /`[^`\n]{1,500}`|\\[<>*_`#[\]]/,
  /\*\*[^\s*][^*\n]{0,500}\*\*|__[^\s_][^_\n]{0,500}__|~~[^\s~][^~\n]{0,500}~~/,
  /(?<![\w*_])([*_])[^\s*_](?:[^*_\n]{0,200}[^\s*_])?\1(?![\w*_])/,
  /\[[^[\]\n]{1,500}\]\([^()\s]{1,2000}[) ]/,
  /<(?:https?:\/\/|mailto:)[^\s<>]{1,2000}>/i,
  /\S[ \t\r]{0,80}\n[ \t\r]{0,80}\n\s{0,80}[^\s<]/,
]

const hasStructure = (text: string) => STRUCTURE.some((pattern) => pattern.test(text))
