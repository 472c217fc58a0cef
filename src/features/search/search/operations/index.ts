import { help } from './help.ts'
import { quick } from './quick.ts'
import { tasks } from './search.ts'
import { related, semantic } from './semantic.ts'

export const operations = [tasks, quick, semantic, related, help] as const
