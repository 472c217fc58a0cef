import type { Flag } from '../surfaces/cli/command.ts'

/** What every command of this folder imports. */
export {
  type Command,
  type Flag,
  UsageError as WrongUsage,
  type Values,
} from '../surfaces/cli/command.ts'
export { progress } from '../surfaces/cli/progress.ts'
export { table } from '../surfaces/cli/table.ts'

export const DATA: Flag = {
  type: 'string',
  hint: 'DIR',
  about: 'Data folder (CORK_DATA, default ./data)',
}
