import { changePassword, endOthers, endSession, listSessions } from './accounts.ts'
import { erase, exportData } from './personal-data.ts'

export const operations = [
  listSessions,
  endSession,
  endOthers,
  changePassword,
  exportData,
  erase,
] as const
