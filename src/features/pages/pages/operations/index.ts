import { backlinks } from './backlinks.ts'
import { canvas, diff, restore, versions } from './history.ts'
import { archive, create, get, list, update } from './pages.ts'
import { pages } from './search.ts'

export const operations = [
  create,
  get,
  update,
  list,
  versions,
  restore,
  diff,
  archive,
  canvas,
  pages,
  backlinks,
] as const
