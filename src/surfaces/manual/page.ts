import { Html, html } from '../html.ts'
import { FILES } from './files.ts'
import type { Article, Found, Manual } from './parts.ts'

/** What every page shows of the manual. */
type Frame = Pick<Manual, 'articles' | 'addressOf'>

interface Shown {
  title: string
  /** The article that it is, if it is one. */
  article?: Article
  query?: string
  body: Html
}

const page = (frame: Frame, { title, article, query = '', body }: Shown): string =>
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
<header>
<a class="brand" href="/">Corkboard</a>
<nav aria-label="Documentation"><a href="${frame.addressOf('')}">Manual</a> <a href="/docs">API</a></nav>
<form action="${frame.addressOf('')}" role="search">
<input type="search" name="q" value="${query}" maxlength="${MOST_LETTERS}" aria-label="Search the manual" placeholder="Search the manual">
<button>Search</button>
</form>
</header>
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

/** Longer questions are cut where they are asked. */
export const MOST_LETTERS = 300

/** All articles; of the one that is read, its sections too. */
function menu({ articles, addressOf }: Frame, read?: Article): Html {
  const sections = ({ name, sections }: Article) =>
    html`<ul>${sections
      .filter(({ headings }) => headings.length === 1)
      .map(
        ({ headings, anchor }) =>
          html`<li><a href="${addressOf(name, anchor)}">${headings[0]}</a></li>`,
      )}</ul>`
  return html`<ul>${articles.map(
    (one) =>
      html`<li><a href="${addressOf(one.name)}"${
        one === read ? html` aria-current="page"` : ''
      }>${one.title}</a>${one === read && one.name ? sections(one) : ''}</li>`,
  )}</ul>`
}

export function articlePage(frame: Frame, article: Article, text: string): string {
  const at = frame.articles.indexOf(article)
  const turn = (to: Article | undefined, way: string, says: string) =>
    to &&
    html`<a class="${way}" rel="${way}" href="${frame.addressOf(to.name)}"><small>${says}</small>${to.title}</a>`
  return page(frame, {
    title: article.name ? `${article.title} · Corkboard manual` : 'Corkboard manual',
    article,
    body: html`<article>
${new Html(text)}
</article>
<nav class="turn" aria-label="Next and previous">${turn(frame.articles[at - 1], 'prev', 'Before')}${turn(frame.articles[at + 1], 'next', 'Next')}</nav>`,
  })
}

export function foundPage(frame: Frame, query: string, found: readonly Found[]): string {
  const rows = found.map(
    ({ article, section, excerpt }) => html`<li>
<a href="${frame.addressOf(article.name, section.anchor)}">${[article.title, ...section.headings].join(' › ')}</a>
<p>${excerpt.map(({ text, isSought }) => (isSought ? html`<mark>${text}</mark>` : text))}</p>
</li>`,
  )
  return page(frame, {
    title: `${query} · Corkboard manual`,
    query,
    body: html`<h1>Search</h1>
<p role="status">${found.length ? `What the manual says of “${query}”:` : `The manual says nothing of “${query}”. Ask in other words, or look through the contents.`}</p>
<ol class="found">${rows}</ol>`,
  })
}

export const lostPage = (frame: Frame): string =>
  page(frame, {
    title: 'Not found · Corkboard manual',
    body: html`<h1>Not found</h1>
<p>The manual has no such page. What there is stands in the contents; the search finds the rest.</p>`,
  })
