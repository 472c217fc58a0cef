import { linkHtml, linkMarkdown, type References } from '../shared/references.ts'

const CHECKED = /<li\b[^>]*\bdata-checked="(true|false)"[^>]*>(?:\s*<label\b[\s\S]*?<\/label>)?/g

/** Descriptions are HTML; those of old versions are markdown. */
export function textOf(
  value: unknown,
  references: References,
): { text: string; content_type: 'html' | 'markdown' } {
  const source = typeof value === 'string' ? value : ''
  if (!/^\s*<[a-z][^>]*>/i.test(source))
    return { text: linkMarkdown(source, references), content_type: 'markdown' }
  const html = source === '<p></p>' ? '' : source
  const listed = html.replace(
    CHECKED,
    (_, checked: string) => `<li>${checked === 'true' ? '☑' : '☐'} `,
  )
  return { text: linkHtml(listed, references), content_type: 'html' }
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', nbsp: ' ', amp: '&' }

/** The text of HTML without its formatting, for what is stored as plain text or markdown. */
export const plainText = (html: string): string =>
  html
    .replace(/<br\s*\/?>|<\/(?:p|div|li|h\d)>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(lt|gt|quot|nbsp|amp);/g, (_, name: string) => ENTITIES[name]!)
    .replace(/\n{3,}/g, '\n\n')
    .trim()
