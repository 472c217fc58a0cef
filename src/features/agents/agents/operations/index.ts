import { create, enable, update } from './agents.ts'
import { archive, deactivate, revoke } from './deactivate.ts'
import { deleteAgent } from './delete.ts'
import { get, list, presence } from './lists.ts'
import { rotate } from './rotate.ts'

export const operations = [
  presence,
  list,
  get,
  create,
  update,
  enable,
  rotate,
  deactivate,
  revoke,
  archive,
  deleteAgent,
] as const
