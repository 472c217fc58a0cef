import { removeLabel } from './labels.ts'
import { create, manifest } from './operations.ts'
import { get, remove, update } from './sections.ts'

export const operations = [create, manifest, get, update, remove, removeLabel] as const
