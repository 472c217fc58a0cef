import { remove } from './delete-section.ts'
import { removeLabel } from './labels.ts'
import { create, manifest } from './operations.ts'
import { board } from './read.ts'
import { get, update } from './sections.ts'

export const operations = [create, manifest, board, get, update, remove, removeLabel] as const
