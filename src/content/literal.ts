import { decodeHTMLStrict } from 'entities'
import type { Format } from './content.ts'
import { isActive, isForm, isHarmless } from './elements.ts'
import { isKept, MAX_TAGS, pairedTags, type Tag, tagsIn } from './tags.ts'

/**
 * Escapes every `<` that begins no tag and every `&` that begins no reference, so that no parser
 * takes words for markup. Collects the names of what it leaves out in `removed`. Returns undefined
 * for HTML with more than `MAX_TAGS` tags.
 */
export function literalHtml(html: string, removed: Set<string>): string | undefined {
  return rewrite(html, 'html', (tag, skipEndTag) => {
    if (tag.name === '!') {
      if (html.startsWith('<!--', tag.start)) removed.add('comments')
      return ''
    }
    if (!tag.closes && !isKept(tag) && (isActive(tag.name) || isForm(tag.name)))
      removed.add(`<${tag.name}>`)
    // A parser puts the content of a template into a separate fragment, so it would get lost.
    if (tag.name === 'template') return ''
    if (tag.contentEnd === undefined) return html.slice(tag.start, tag.end)
    skipEndTag()
    return contentOf(tag, html.slice(tag.end, tag.contentEnd))
  })
}

/**
 * The same for rendered markdown. Tags other than text and layout become visible text too: markdown
 * is stored verbatim, and readers should see all of it.
 */
export const literalMarkdown = (html: string): string | undefined =>
  rewrite(html, 'markdown', (tag, skipEndTag) => {
    if (tag.name === '!') return ''
    if (tag.contentEnd !== undefined) skipEndTag()
    const end = tag.contentEnd ?? tag.end
    const isMarkup = tag.contentEnd === undefined && (isKept(tag) || isHarmless(tag.name))
    const source = html.slice(tag.start, end)
    if (isMarkup) return source
    return escapeHtml(tag.contentEnd === undefined ? source : `${source}</${tag.name}>`)
  })

/** Returns the replacement of a tag. `skips` drops the end tag of a raw text element. */
type Rewrite = (tag: Tag, skipEndTag: () => void) => string

function rewrite(html: string, format: Format, rewriteTag: Rewrite): string | undefined {
  if (!html.includes('<')) return withEntities(html)
  const tags = tagsIn(html)
  if (tags.length > MAX_TAGS) return undefined
  const paired = pairedTags(html, tags, format)
  let result = ''
  let at = 0
  let skipped: string | undefined
  for (const tag of tags) {
    if (!paired.has(tag)) continue
    result += textOf(html.slice(at, tag.start))
    at = tag.contentEnd ?? tag.end
    if (tag.closes && tag.name === skipped) {
      skipped = undefined
      continue
    }
    result += rewriteTag(tag, () => {
      skipped = tag.name
    })
  }
  return result + textOf(html.slice(at))
}

const textOf = (text: string) => withEntities(text).replaceAll('<', '&lt;')
/** Browsers also read "&copy=1" and "&notify" as references; these are escaped as text. */
const withEntities = (text: string) =>
  text.replace(/&(#\d{1,7};|#x[\da-f]{1,6};|[a-z][a-z\d]{1,31};)?/gi, (reference) =>
    reference.length > 1 && decodeHTMLStrict(reference) !== reference
      ? reference
      : `&amp;${reference.slice(1)}`,
  )
const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** The content of a raw text element, as visible text. */
function contentOf({ name }: Tag, content: string): string {
  if (name === 'svg' || name === 'math') return textOf(withoutTags(content))
  if (isActive(name)) return ''
  const text = name === 'title' || name === 'textarea' ? textOf(content) : escapeHtml(content)
  return text.trim() && `<div>${text}</div>`
}

const withoutTags = (content: string) =>
  content.replace(/<(style|script)\b[^<>]*>[^<]*<\/\1>|<[^<>]*>/gi, '')
