import { ofTeam, own } from './operations.ts'

export const operations = [ofTeam, own] as const
