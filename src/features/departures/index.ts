import { deleteAgent } from './operations.ts'
import { archive, deactivate, revoke } from './stops.ts'

export const operations = [deactivate, revoke, archive, deleteAgent] as const
