import type { Content } from './content.ts'

export type { Content, Format } from './content.ts'
export { MOST_PARTS, partsIn } from './parts.ts'
export { type Block, blocksOf, briefly, plainOf, proseOf, snippetOf } from './plain.ts'

let loading: Promise<Content> | undefined

/** The libraries take longer to load than a server takes to start, and are loaded once. */
export function loadContent(): Promise<Content> {
  loading ??= import('./convert.ts').then(({ content }) => content)
  return loading
}
