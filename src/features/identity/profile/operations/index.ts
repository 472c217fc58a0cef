import { get, hello } from './profile.ts'
import { update } from './update.ts'

export const operations = [hello, get, update] as const
