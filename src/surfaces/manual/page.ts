import { Html, html } from '../html.ts'
import { FILES } from './files.ts'
import type { Article, Manual, SearchResult } from './parts.ts'

/** The parts of the manual that every page shows. */
type Frame = Pick<Manual, 'articles' | 'addressOf'> & {
  /** A page of a static site has no link to the app or the API, and no search. */
  isStatic?: boolean
}

interface PageContent {
  title: string
  /** The article that the page shows, if it shows one. */
  article?: Article
  query?: string
  body: Html
}

const page = (frame: Frame, { title, article, query = '', body }: PageContent): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/look.css">
<link rel="stylesheet" href="/forms.css">
<link rel="stylesheet" href="${FILES.style.path}">
<script src="${FILES.script.path}" defer></script>
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<header>${frame.isStatic ? brand(frame.addressOf('')) : serverHeader(frame, query)}</header>
<div class="manual">
<aside><nav class="menu" aria-label="Manual">${menu(frame, article)}</nav></aside>
<main id="text" tabindex="-1">
<details class="menu card"><summary>Contents</summary><nav aria-label="Contents">${menu(frame, article)}</nav></details>
${body}
</main>
</div>
</body>
</html>
`.text

const brand = (address: string) => html`<a class="brand" href="${address}">Corkboard</a>`

const serverHeader = ({ addressOf }: Frame, query: string) => html`
${brand('/')}
<nav aria-label="Documentation"><a href="${addressOf('')}">Manual</a> <a href="/docs">API</a></nav>
<form action="${addressOf('')}" role="search">
<input type="search" name="q" value="${query}" maxlength="${MAX_QUERY_LENGTH}" aria-label="Search the manual" placeholder="Search the manual">
<button>Search</button>
</form>
`

/** Longer queries are cut. */
export const MAX_QUERY_LENGTH = 300

/** All articles, with the sections of the current one. */
function menu({ articles, addressOf }: Frame, current?: Article): Html {
  const sections = ({ name, sections }: Article) =>
    html`<ul>${sections
      .filter(({ headings }) => headings.length === 1)
      .map(
        ({ headings, anchor }) =>
          html`<li><a href="${addressOf(name, anchor)}">${headings[0]}</a></li>`,
      )}</ul>`
  return html`<ul>${articles.map(
    (article) =>
      html`<li><a href="${addressOf(article.name)}"${
        article === current ? html` aria-current="page"` : ''
      }>${article.title}</a>${article === current && article.name ? sections(article) : ''}</li>`,
  )}</ul>`
}

export function articlePage(frame: Frame, article: Article, text: string): string {
  const index = frame.articles.indexOf(article)
  const neighborLink = (target: Article | undefined, direction: string, label: string) =>
    target &&
    html`<a class="${direction}" rel="${direction}" href="${frame.addressOf(target.name)}"><small>${label}</small>${target.title}</a>`
  return page(frame, {
    title: article.name ? `${article.title} · Corkboard manual` : 'Corkboard manual',
    article,
    body: html`<article>
${new Html(text)}
</article>
<nav class="turn" aria-label="Next and previous">${neighborLink(frame.articles[index - 1], 'prev', 'Previous')}${neighborLink(frame.articles[index + 1], 'next', 'Next')}</nav>`,
  })
}

export function searchPage(frame: Frame, query: string, results: readonly SearchResult[]): string {
  const rows = results.map(
    ({ article, section, excerpt }) => html`<li>
<a href="${frame.addressOf(article.name, section.anchor)}">${[article.title, ...section.headings].join(' › ')}</a>
<p>${excerpt.map(({ text, isMatch }) => (isMatch ? html`<mark>${text}</mark>` : text))}</p>
</li>`,
  )
  return page(frame, {
    title: `${query} · Corkboard manual`,
    query,
    body: html`<h1>Search</h1>
<p role="status">${results.length ? `Results for “${query}”:` : `No results for “${query}”. Try other words, or browse the contents.`}</p>
<ol class="found">${rows}</ol>`,
  })
}

export const notFoundPage = (frame: Frame): string =>
  page(frame, {
    title: 'Not found · Corkboard manual',
    body: html`<h1>Not found</h1>
<p>The manual has no such page. Browse the contents or search the manual.</p>`,
  })
