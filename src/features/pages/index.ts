import { canvas, diff, restore, versions } from './history.ts'
import { archive, create, get, list, update } from './operations.ts'

export { historyFromImport } from './import-history.ts'
export { toPageRows } from './records.ts'
export { PageRow } from './schema.ts'
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
