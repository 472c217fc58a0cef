import { create, list, revoke } from './invitations.ts'

export const operations = [list, create, revoke] as const
