import type { Flag } from '../surfaces/cli/command.ts'

/** What the commands of this folder are made of. */
export {
  type Command,
  type Flag,
  type Values,
  WrongUsage,
} from '../surfaces/cli/command.ts'
export { progress } from '../surfaces/cli/progress.ts'
export { table } from '../surfaces/cli/table.ts'

export const DATA: Flag = {
  type: 'string',
  hint: 'DIR',
  about: 'The data folder (CORK_DATA, default ./data)',
}
