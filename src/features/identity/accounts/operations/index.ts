import { changePassword, endOthers, endSession, listSessions } from './accounts.ts'

export const operations = [listSessions, endSession, endOthers, changePassword] as const
