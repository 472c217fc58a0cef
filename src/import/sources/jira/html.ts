import { taskLink } from '../../source.ts'
import type { Issue, RichText } from './issue.ts'
import type { WikiContext } from './wiki-inline.ts'

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/** Whether the texts of a task are HTML, as in the XML export. */
export const isHtml = ({ description, environment, sections }: Issue): boolean =>
  [description, environment, ...sections.map(({ text }) => text)].some(
    (text) => text && 'html' in text,
  )

/** HTML in which links to imported tasks lead to them. */
export const linkedHtml = (html: string, { isImported }: WikiContext): string =>
  html.replace(/href="[^"]*\/browse\/([A-Z][A-Z0-9_]+-\d+)"/g, (link, key: string) =>
    isImported?.(key) ? `href="${taskLink(key)}"` : link,
  )

/** The description as HTML, with everything that has no field. */
export function htmlDescription(
  issue: Issue,
  texts: readonly { title: string; text: RichText }[],
  context: WikiContext,
): string {
  const { description, environment, links } = issue
  const listed = links.filter(({ kind, key }) => kind === 'other' || !context.isImported?.(key))
  const items = listed.map(({ phrase, key }) => {
    const target = context.isImported?.(key)
      ? `<a href="${taskLink(key)}">${key}</a>`
      : escaped(key)
    return `<li>${escaped(phrase)}: ${target}</li>`
  })
  const all = [...(environment ? [{ title: 'Environment', text: environment }] : []), ...texts]
  const parts = [
    description ? bodyOf(description) : '',
    ...all.map(({ title, text }) => `<h2>${escaped(title)}</h2>\n${bodyOf(text)}`),
    items.length ? `<h2>Linked issues</h2>\n<ul>${items.join('')}</ul>` : '',
  ]
  return linkedHtml(parts.filter(Boolean).join('\n'), context)
}

const bodyOf = (text: RichText): string => {
  if ('html' in text) return text.html
  return 'wiki' in text ? `<p>${escaped(text.wiki).replace(/\n/g, '<br>')}</p>` : ''
}
