import { help } from './help.ts'
import { tasks } from './search.ts'
import { related, semantic } from './semantic.ts'

export const operations = [tasks, semantic, related, help] as const
