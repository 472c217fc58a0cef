import { ofTeam, own } from './operations.ts'

export { noteFailedSignIn } from './failures.ts'

export const operations = [ofTeam, own] as const
