import { approve, refuse, waiting } from './approvals.ts'
import { list, unlink } from './own.ts'

export const operations = [list, unlink, waiting, approve, refuse] as const
