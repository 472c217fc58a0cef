import { controlsStylesheet, iconOf, stylesheet } from '../static-files.ts'
import { FILES } from './files.ts'
import { articlePage } from './page.ts'
import type { Article, Manual } from './parts.ts'

/** A file of the site: its path there, and its content. */
export type SiteFile = readonly [path: string, content: string | Uint8Array]

/** The files that pages take from the root of a server. */
const SHARED = {
  'look.css': stylesheet,
  'forms.css': controlsStylesheet,
  'icon.svg': iconOf,
} as const

/** The manual as files that any web server can serve, with relative links. */
export async function* siteFiles<A extends Article>(
  manual: Manual<A>,
  readFont: (name: string) => Promise<Uint8Array>,
): AsyncGenerator<SiteFile> {
  const pictures = new Set<string>()
  for (const article of manual.articles) {
    const page = articlePage({ ...manual, isStatic: true }, article, await manual.html(article))
    yield [
      fileOf(article.name),
      page.replace(LINK, (_, kind, path) => `${kind}="${relative(path)}"`),
    ]
    for (const [name] of page.matchAll(/screens\/[\w-]+\.png/g)) pictures.add(name)
  }
  for (const name of pictures) {
    const picture = await manual.picture(name)
    if (picture) yield [name, picture]
  }
  for (const { path, text } of Object.values(FILES)) yield [lastPart(path), text]
  for (const [name, serve] of Object.entries(SHARED)) {
    const text = await serve(new Request(`http://localhost/${name}`)).text()
    yield [name, text]
    for (const [path, name] of text.matchAll(/assets\/([\w-]+\.woff2)/g))
      yield [path, await readFont(name!)]
  }
}

/** An address on the server in an attribute. */
const LINK = /\b(href|src)="(\/[^"]*)"/g

const fileOf = (article: string) => `${article || 'index'}.html`
const lastPart = (path: string) => path.split('/').at(-1)!

/** The path in the site for a path of the server. All pages are in the same folder. */
function relative(path: string): string {
  const [, page, anchor = ''] = /^\/docs\/manual\/?([\w-]*)(#.*)?$/.exec(path) ?? []
  if (page !== undefined) return fileOf(page) + anchor
  return path.replace(/^\/(docs\/manual\/)?/, '')
}
