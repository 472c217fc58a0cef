import { attach, finish, get, list, preview, start, undo, write } from './imports.ts'
import * as placeholders from './placeholders.ts'

export const operations = [
  ...[list, get, preview, start, write, attach, finish, undo],
  ...[placeholders.list, placeholders.assign],
] as const
