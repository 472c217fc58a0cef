import { bring } from './import.ts'
import { create, get, list, remove, update } from './skills.ts'

export const operations = [list, get, create, update, remove, bring] as const
