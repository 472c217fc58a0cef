import { decodeHTMLStrict } from 'entities'
import type { Format } from './content.ts'
import { isActive, isForm, isHarmless } from './elements.ts'
import { isKept, MOST_TAGS, pairedTags, type Tag, tagsIn } from './tags.ts'

/**
 * HTML in which every `<` that begins no tag is escaped, and every `&` that begins no reference, so
 * that no parser takes words for markup. Collects the names of what it leaves out in `removed`.
 * Undefined of HTML with more tags than anybody writes.
 */
export function literalHtml(html: string, removed: Set<string>): string | undefined {
  return rewrite(html, 'html', (tag, skips) => {
    if (tag.name === '!') {
      if (html.startsWith('<!--', tag.start)) removed.add('comments')
      return ''
    }
    if (!tag.closes && !isKept(tag) && (isActive(tag.name) || isForm(tag.name)))
      removed.add(`<${tag.name}>`)
    // A parser puts the content of a template aside, where nobody looks for it.
    if (tag.name === 'template') return ''
    if (tag.contentEnd === undefined) return html.slice(tag.start, tag.end)
    skips()
    return contentOf(tag, html.slice(tag.end, tag.contentEnd))
  })
}

/**
 * The same of markdown that was rendered. Tags of anything but text and layout become words too, for
 * markdown is kept as it is written and whoever reads it should see all of it.
 */
export const literalMarkdown = (html: string): string | undefined =>
  rewrite(html, 'markdown', (tag, skips) => {
    if (tag.name === '!') return ''
    if (tag.contentEnd !== undefined) skips()
    const end = tag.contentEnd ?? tag.end
    const isMarkup = tag.contentEnd === undefined && (isKept(tag) || isHarmless(tag.name))
    const source = html.slice(tag.start, end)
    if (isMarkup) return source
    return escaped(tag.contentEnd === undefined ? source : `${source}</${tag.name}>`)
  })

/** Returns the replacement of a tag. `skips` drops the end tag of a raw text element. */
type Rewrite = (tag: Tag, skips: () => void) => string

function rewrite(html: string, format: Format, change: Rewrite): string | undefined {
  if (!html.includes('<')) return withEntities(html)
  const tags = tagsIn(html)
  if (tags.length > MOST_TAGS) return undefined
  const paired = pairedTags(html, tags, format)
  let made = ''
  let at = 0
  let skipped: string | undefined
  for (const tag of tags) {
    if (!paired.has(tag)) continue
    made += textOf(html.slice(at, tag.start))
    at = tag.contentEnd ?? tag.end
    if (tag.closes && tag.name === skipped) {
      skipped = undefined
      continue
    }
    made += change(tag, () => {
      skipped = tag.name
    })
  }
  return made + textOf(html.slice(at))
}

const textOf = (text: string) => withEntities(text).replaceAll('<', '&lt;')
/** Browsers read "&copy=1" and "&notify" as references too. Their authors did not mean any. */
const withEntities = (text: string) =>
  text.replace(/&(#\d{1,7};|#x[\da-f]{1,6};|[a-z][a-z\d]{1,31};)?/gi, (reference) =>
    reference.length > 1 && decodeHTMLStrict(reference) !== reference
      ? reference
      : `&amp;${reference.slice(1)}`,
  )
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** The content of a raw text element, as visible text. */
function contentOf({ name }: Tag, content: string): string {
  if (name === 'svg' || name === 'math') return textOf(withoutTags(content))
  if (isActive(name)) return ''
  const text = name === 'title' || name === 'textarea' ? textOf(content) : escaped(content)
  return text.trim() && `<div>${text}</div>`
}

const withoutTags = (content: string) =>
  content.replace(/<(style|script)\b[^<>]*>[^<]*<\/\1>|<[^<>]*>/gi, '')
