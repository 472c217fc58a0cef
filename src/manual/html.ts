import { loadConverter } from '../content/index.ts'
import { type Article, articleNamed } from './articles.ts'

export const HOME = '/docs/manual'
export const addressOf = (article: string, anchor = '') =>
  `${HOME}${article && `/${article}`}${anchor && `#${anchor}`}`

/** An article as HTML: cleaned as every text is, with places to point at and links that lead on. */
export async function htmlOf(article: Article): Promise<string> {
  const { html } = await loadConverter()
  const anchors = article.sections.map(({ anchor }) => anchor).filter(Boolean)
  return html(article.text, 'markdown')
    .replace(/<a href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g, (_, to, words) => link(to, words))
    .replace(/ src="((?:screens\/)?[\w-]+\.png)"/g, ` src="${HOME}/$1" loading="lazy"`)
    .replace(/<h([2-4])>([\s\S]*?)<\/h\1>/g, (_, level, words) => {
      const anchor = anchors.shift()
      return `<h${level} id="${anchor}">${words}<a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a></h${level}>`
    })
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replace(/<table>[\s\S]*?<\/table>/g, '<div class="wide" tabindex="0">$&</div>')
}

/** What lies outside the manual is no page of this server; a bare address is an example. */
function link(to: string, words: string): string {
  if (to === words) return words
  const address = /^(https?:|mailto:|#|\/)/.test(to) ? to : pageAt(to)
  return address ? `<a href="${address}">${words}</a>` : words
}

/** Where the page is that another one names by its file. */
function pageAt(file: string): string | undefined {
  const [, name, anchor] = /^([\w-]+)\.md(?:#(.*))?$/.exec(file) ?? []
  return name && addressOf(articleNamed(name), anchor)
}

/** Markdown with links that lead to pages of this server. */
export const linked = (text: string): string =>
  text.replace(/\]\(([\w-]+\.md(?:#[\w-]*)?)\)/g, (_, file) => `](${pageAt(file)})`)
