import { removeLabel } from './delete.ts'
import { create, list, update } from './labels.ts'

export const operations = [removeLabel, list, create, update] as const
