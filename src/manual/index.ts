// @ts-expect-error -- a picture, of which only its place is wanted
import settings from '../../docs/settings.png' with { type: 'file' }
import { type Article, articlesOf } from './articles.ts'
import { docsOf } from './docs.ts' with { type: 'macro' }
import { type Find, type Found, finderOf } from './finder.ts'
import { addressOf, htmlOf, linked } from './html.ts'

export type { Article, Section } from './articles.ts'
export type { Found } from './finder.ts'

const PICTURES: Record<string, string> = { 'settings.png': settings }

/** The product's own docs, out of the executable. */
export interface Manual {
  /** In the order in which they are read, the contents first. */
  articles: readonly Article[]
  html(article: Article): Promise<string>
  find(query: string, limit: number): Promise<Found[]>
  addressOf: typeof addressOf
  linked: typeof linked
  /** A picture of the docs by the name of its file. */
  picture(name: string): Promise<Uint8Array> | undefined
}

let opened: Manual | undefined

/** Put together by whoever asks first. */
export function openManual(): Manual {
  opened ??= put(articlesOf(docsOf()))
  return opened
}

function put(articles: readonly Article[]): Manual {
  const pages = new Map<Article, Promise<string>>()
  let finder: Promise<Find> | undefined
  return {
    articles,
    addressOf,
    linked,
    html(article) {
      const made = pages.get(article) ?? htmlOf(article)
      pages.set(article, made)
      return made
    },
    async find(query, limit) {
      finder ??= finderOf(articles)
      return (await finder)(query, limit)
    },
    picture: (name) =>
      Object.hasOwn(PICTURES, name) ? Bun.file(PICTURES[name]!).bytes() : undefined,
  }
}
