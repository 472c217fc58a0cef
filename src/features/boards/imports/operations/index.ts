import { attach, finish, get, list, preview, start, undo, write } from './imports.ts'

export const operations = [list, get, preview, start, write, attach, finish, undo] as const
