import type { Ask } from '../kernel/caller.ts'
import type { Content, Converter } from './content.ts'

export type { Converter, Format } from './content.ts'
export { MOST_PARTS, partsIn } from './parts.ts'
export { type Block, blocksOf, briefly, plainOf, proseOf, snippetOf } from './plain.ts'

let loading: Promise<Converter> | undefined

/** For a process that serves nobody while it converts. The libraries are loaded once. */
export function loadConverter(): Promise<Converter> {
  loading ??= import('./convert.ts').then(({ converter }) => converter)
  return loading
}

/** Whose text it is, and the process that converts it. */
export type Owner = Pick<Ask, 'caller' | 'server'>

/** Converts texts for the credential of the caller. */
export const contentFor = (_owner: Owner): Content => ({
  clean: async (...text) => (await loadConverter()).clean(...text),
  html: async (...text) => (await loadConverter()).html(...text),
  markdown: async (...text) => (await loadConverter()).markdown(...text),
})
