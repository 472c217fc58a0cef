import { listOwnAudit, listTeamAudit } from './operations.ts'

export { noteFailedSignIn } from './failures.ts'

export const operations = [listTeamAudit, listOwnAudit] as const
