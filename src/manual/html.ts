import { loadConverter } from '../content/index.ts'
import { type Article, articleName } from './articles.ts'

export const HOME = '/docs/manual'
export const addressOf = (article: string, anchor = '') =>
  `${HOME}${article && `/${article}`}${anchor && `#${anchor}`}`

/** Renders an article as sanitized HTML with heading anchors and working links. */
export async function htmlOf(article: Article): Promise<string> {
  const { html } = await loadConverter()
  const anchors = article.sections.map(({ anchor }) => anchor).filter(Boolean)
  return html(article.text, 'markdown')
    .replace(/<a href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g, (_, to, words) => renderLink(to, words))
    .replace(/ src="((?:screens\/)?[\w-]+\.png)"/g, ` src="${HOME}/$1" loading="lazy"`)
    .replace(/<h([2-4])>([\s\S]*?)<\/h\1>/g, (_, level, words) => {
      const anchor = anchors.shift()
      return `<h${level} id="${anchor}">${words}<a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a></h${level}>`
    })
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replace(/<table>[\s\S]*?<\/table>/g, '<div class="wide" tabindex="0">$&</div>')
}

/** Files outside the manual are not served, so their links become text. A bare URL is an example. */
function renderLink(to: string, words: string): string {
  if (to === words) return words
  const address = /^(https?:|mailto:|#|\/)/.test(to) ? to : addressOfFile(to)
  return address ? `<a href="${address}">${words}</a>` : words
}

/** The address of the page that a link names by its file. */
function addressOfFile(file: string): string | undefined {
  const [, name, anchor] = /^([\w-]+)\.md(?:#(.*))?$/.exec(file) ?? []
  return name && addressOf(articleName(name), anchor)
}

/** Rewrites links between manual files to pages of this server. */
export const withServerLinks = (text: string): string =>
  text.replace(/\]\(([\w-]+\.md(?:#[\w-]*)?)\)/g, (_, file) => `](${addressOfFile(file)})`)
