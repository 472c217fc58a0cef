// @ts-expect-error -- a picture, of which only its place is wanted
import agents from '../../docs/screens/agents-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import board from '../../docs/screens/board-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import mine from '../../docs/screens/mine-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import palette from '../../docs/screens/palette-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import peek from '../../docs/screens/peek-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import run from '../../docs/screens/run-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import settingsMcp from '../../docs/screens/settings-mcp-light.png' with { type: 'file' }
import { type Article, articlesOf } from './articles.ts'
import { docsOf } from './docs.ts' with { type: 'macro' }
import { type Find, type Found, finderOf } from './finder.ts'
import { addressOf, htmlOf, linked } from './html.ts'

export type { Article, Section } from './articles.ts'
export type { Found } from './finder.ts'

const PICTURES: Record<string, string> = {
  'screens/agents-light.png': agents,
  'screens/board-light.png': board,
  'screens/mine-light.png': mine,
  'screens/palette-light.png': palette,
  'screens/peek-light.png': peek,
  'screens/run-light.png': run,
  'screens/settings-mcp-light.png': settingsMcp,
}

/** The product's own docs, out of the executable. */
export interface Manual {
  /** In the order in which they are read, the contents first. */
  articles: readonly Article[]
  html(article: Article): Promise<string>
  find(query: string, limit: number): Promise<Found[]>
  addressOf: typeof addressOf
  linked: typeof linked
  /** A picture of the docs by its place there. */
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
