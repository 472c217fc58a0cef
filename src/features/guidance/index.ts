import { get, list } from './operations.ts'
import { restore } from './restore.ts'

export const operations = [list, get, restore] as const
