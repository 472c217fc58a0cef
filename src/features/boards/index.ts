import { removeLabel } from './labels.ts'
import { create, manifest } from './operations.ts'
import { board } from './read.ts'
import { get, remove, update } from './sections.ts'

export const operations = [create, manifest, board, get, update, remove, removeLabel] as const
