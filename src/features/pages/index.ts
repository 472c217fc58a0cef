import { canvas, diff, restore, versions } from './history.ts'
import { archive, create, get, list, update } from './operations.ts'

export { carried } from './carried.ts'
export { PageRow } from './schema.ts'
export { shownPages } from './shown.ts'
export { pagePieces, pages, pageVersions } from './tables.ts'

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
] as const
