import { taskLink } from '../../source.ts'
import { markdownOfDocument } from './document.ts'
import { linkedHtml } from './html.ts'
import type { Issue, RichText } from './issue.ts'
import { escapeMarkdown, type WikiContext } from './wiki-inline.ts'
import { markdownOfWiki } from './wiki-markup.ts'

export function markdownOf(text: RichText, context: WikiContext): string {
  if ('wiki' in text) return markdownOfWiki(text.wiki, context)
  return 'html' in text
    ? linkedHtml(text.html.trim(), context)
    : markdownOfDocument(text.document, context)
}

/** The description with everything that has no field: its other texts and unusual links. */
export function descriptionOf(
  issue: Issue,
  texts: readonly { title: string; text: RichText }[],
  context: WikiContext,
): string {
  const sections: string[] = []
  if (issue.description) sections.push(markdownOf(issue.description, context))
  if (issue.environment)
    sections.push(section('Environment', markdownOf(issue.environment, context)))
  for (const { title, text } of texts) sections.push(section(title, markdownOf(text, context)))
  const links = listedLinks(issue, context)
  if (links.length) sections.push(section('Linked issues', links.join('\n')))
  return sections.filter(Boolean).join('\n\n')
}

const section = (title: string, text: string) =>
  text && `## ${escapeMarkdown(title.replace(/\s+/g, ' '))}\n\n${text}`

/** Links of other kinds than relations, and those to tasks that are not imported. */
const listedLinks = (issue: Issue, { isImported }: WikiContext) =>
  issue.links
    .filter(({ kind, key }) => kind === 'other' || !isImported?.(key))
    .map(({ phrase, key }) => {
      const target = isImported?.(key) ? `[${key}](${taskLink(key)})` : escapeMarkdown(key)
      return `- ${escapeMarkdown(phrase)}: ${target}`
    })
