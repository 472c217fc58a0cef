import { get, hello } from './operations.ts'
import { update } from './update.ts'

export const operations = [hello, get, update] as const
