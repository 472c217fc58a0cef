import { SOURCES } from '../../../import/sources/index.ts'

/** What can be imported, as far as somebody needs it to choose files. */
export interface Product {
  /** As in `--from`. */
  name: string
  title: string
  accepts: string
  /** The source and flags of the pattern for the files of a folder. */
  inFolder: readonly [string, string] | null
  /** The environment variable with the token of its API, which only the command line uses. */
  token: string | null
}

const loaded = await Promise.all(Object.values(SOURCES).map((load) => load()))
const sources = loaded.toSorted((a, b) => a.title.localeCompare(b.title, 'en'))

/** Runs at build time, so the app ships only a table and none of the readers. */
export const readProducts = (): Product[] =>
  sources.map(({ name, title, accepts, inFolder, api }) => ({
    ...{ name, title, accepts, token: api?.token ?? null },
    inFolder: inFolder ? [inFolder.source, inFolder.flags] : null,
  }))
