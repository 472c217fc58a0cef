import { archive, list, mark, moveTask, read, summary, unarchive, unread } from './inbox.ts'

export const operations = [list, archive, unarchive, moveTask, read, unread, mark, summary] as const
