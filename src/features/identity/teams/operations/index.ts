import { leave, remove } from './leave.ts'
import { listTeamMembers } from './members.ts'
import { setRole } from './set-role.ts'
import { create, get, list, rename } from './teams.ts'

export const operations = [
  listTeamMembers,
  setRole,
  list,
  get,
  create,
  rename,
  remove,
  leave,
] as const
