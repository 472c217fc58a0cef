import { link } from './link.ts'
import { releaseNotes } from './release-notes.ts'
import { list, unlink, update } from './repositories.ts'

export const operations = [list, link, update, unlink, releaseNotes] as const
