import { listOwnAudit, listTeamAudit } from './audit.ts'

export const operations = [listTeamAudit, listOwnAudit] as const
