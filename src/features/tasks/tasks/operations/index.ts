import { assignTo, unassign } from './assign.ts'
import { context } from './context.ts'
import { createMany } from './create-many.ts'
import { duplicates } from './duplicates.ts'
import { handOver } from './hand-over.ts'
import { addLabel, removeLabel } from './labels.ts'
import { next } from './next.ts'
import { place } from './place.ts'
import { setRecurrence, setStartDate } from './schedule.ts'
import { snooze } from './snooze.ts'
import { assign, create, get, list, move, update } from './tasks.ts'
import { tree } from './tree.ts'
import { updateEach } from './update-each.ts'
import { updateMany } from './update-many.ts'
import { restore, versions } from './versions.ts'

export { readExport } from './export.ts'

export const operations = [
  list,
  get,
  create,
  update,
  createMany,
  updateMany,
  updateEach,
  addLabel,
  removeLabel,
  move,
  assign,
  assignTo,
  unassign,
  handOver,
  setStartDate,
  setRecurrence,
  snooze,
  place,
  tree,
  duplicates,
  versions,
  restore,
  next,
  context,
] as const
